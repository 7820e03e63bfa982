import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { walled } from '../../src/stores/pass-rules.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../src/wire/machine.ts'
import { isTerminal, type SlotRecord } from '../../src/wire/slot.ts'
import { type Fault, faulty } from './faulty.ts'
import { Deployment, nap } from './kit.ts'

describe('a store that loses replies', () => {
  test.concurrent('to every second conditional write: one terminal version, no attempt lost', async () => {
    await using task = await Deployment.make({ script: 'for i in 1 2 3 4 5; do echo $i; echo $i > file; sleep 0.2; done' })
    let count = 0
    const store = faulty(
      task.store,
      ({ verb, key }): Fault => (verb === 'write' && /slot\.json$|\/log\//.test(key) && count++ % 2 === 0 ? 'mute' : undefined),
    )
    expect(await task.inProcess({}, store).ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'succeeded', epoch: 1, exitCode: 0 })
    expect(record.attempts).toHaveLength(1)
    expect(await task.log('script')).toBe('1\n2\n3\n4\n5\n')
    const terminal = store.calls.filter(
      ({ verb, key, body }) => verb === 'write' && key.endsWith('slot.json') && isTerminal((JSON.parse(String(body)) as SlotRecord).state),
    )
    expect(new Set(terminal.map(({ body }) => (JSON.parse(String(body)) as SlotRecord).nonce)).size).toBe(1)
  })
})

describe('a store with rules', () => {
  test.concurrent('allows a machine all that it needs: nothing is refused, and the last close stops the siblings and removes the secrets', async () => {
    await using task = await Deployment.make({
      script: 'echo $KEY | tr a-z A-Z; cat given; echo $TPI_INDEX > made; sleep 1; [ $TPI_INDEX = 1 ]',
      files: { given: 'from the base\n' },
      secrets: { KEY: 'hidden-value' },
      count: 2,
      failFast: true,
      gang: true,
    })
    const machines = [0, 1].map((slot) => {
      const { id, incarnation } = task.spec
      return task.inProcess({ index: slot }, walled(task.store, { id, incarnation, slot }))
    })
    expect(await Promise.all(machines.map(async ({ ended }) => ended))).toEqual([AGENT_DONE, AGENT_DONE])
    expect(await task.slot(0)).toMatchObject({ state: 'failed', epoch: 1, exitCode: 1 })
    expect(await task.log('script')).toBe('HIDDEN-VALUE\nfrom the base\n')
    expect(await task.head(0)).toMatchObject({ made: '0\n' })
    for (const { lines } of machines) expect(lines.join('\n')).not.toMatch(/may not|denied/)
    expect(await task.store.read(task.keys.secrets)).toBeUndefined()
    expect(JSON.parse(Buffer.from((await task.store.read(task.keys.control))?.bytes ?? []).toString())).toMatchObject({
      stop: { by: 'fail-fast' },
    })
  })
})

/** A script is running; from now on the store is away, until `back` is called. */
async function leftAlone(task: Deployment) {
  let away = false
  const agent = task.inProcess(
    {},
    faulty(task.store, (): Fault => (away ? 'away' : undefined)),
  )
  await task.until((record) => record.phase === 'script')
  away = true
  return {
    agent,
    back() {
      away = false
    },
  }
}

describe('a store that is away', () => {
  test.concurrent('for a while: the script runs on, its log and files arrive later, complete', async () => {
    await using task = await Deployment.make({
      script: 'for i in $(seq 20); do echo line $i; echo $i > file; sleep 0.1; done',
      lease: { ttl: 60_000 },
    })
    const { agent, back } = await leftAlone(task)
    await nap(1500)
    back()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded', epoch: 1 })
    expect(await task.log('script')).toBe(Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join(''))
    expect(await task.head()).toEqual({ file: '20\n' })
  })

  test.concurrent('when the script ends: the end waits for it', async () => {
    await using task = await Deployment.make({ script: 'until [ -e ../go ]; do sleep 0.05; done; echo x > file', lease: { ttl: 60_000 } })
    const { agent, back } = await leftAlone(task)
    await writeFile(join(agent.home, 'go'), '')
    await nap(1500)
    expect(await task.slot()).toMatchObject({ state: 'running' })
    back()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded' })
  })

  test.concurrent('for longer than the grace, but after the script has ended: its work is not thrown away', async () => {
    await using task = await Deployment.make({
      script: 'for i in 1 2 3 4 5 6; do echo $i > file; sleep 0.1; done',
      lease: { ttl: 60_000, storeGrace: 15_000 },
    })
    const { agent, back } = await leftAlone(task)
    await nap(16_500)
    back()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded', epoch: 1 })
    expect(await task.head()).toEqual({ file: '6\n' })
  })

  test.concurrent('for longer than the grace: script and machine are gone, another one takes over', async () => {
    await using task = await Deployment.make({ script: '[ "$TPI_ATTEMPT" = 2 ] || sleep 600', lease: { storeGrace: 5000 } })
    const { agent } = await leftAlone(task)
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(agent.lines.at(-1)).toMatch(/the store has accepted no write for \d+ s/)
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded', epoch: 2 })
  })

  test.concurrent('at boot: the machine waits for it', async () => {
    await using task = await Deployment.make({ script: 'echo hi' })
    const until = Date.now() + 700
    expect(
      await task.inProcess(
        {},
        faulty(task.store, () => (Date.now() < until ? 'away' : undefined)),
      ).ended,
    ).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded' })
  })
})

describe('a store that accepts no more writes', () => {
  const snapshots = (fault: Fault) => (call: { verb: string; key: string }) =>
    call.verb === 'write' && call.key.includes('/snap/') ? fault : undefined

  test.concurrent('because it is full: the slot fails with that cause, never succeeds', async () => {
    await using task = await Deployment.make({ script: 'echo x > file' })
    expect(await task.inProcess({}, faulty(task.store, snapshots('full'))).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'store-full', exitCode: 0 })
  })

  test.concurrent('only for the log: the machine does not wait for that, and its work counts', async () => {
    await using task = await Deployment.make({ script: 'echo hi', files: { data: 'x' } })
    const log = ({ verb, key }: { verb: string; key: string }) => (verb === 'write' && key.includes('/log/') ? 'full' : undefined)
    const agent = task.inProcess({}, faulty(task.store, log))
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(agent.lines.join('\n')).toContain('the end of the log could not be stored: Error: the storage is full')
    expect(await task.slot()).toMatchObject({ state: 'succeeded', exitCode: 0 })
  })

  test.concurrent('until the last moment: results not saved', async () => {
    const lifetime = { deadline: new Date(Date.now() + 30_000).toISOString(), grace: 0, reserve: 6 }
    await using task = await Deployment.make({ script: 'echo x > file', lifetime })
    expect(await task.inProcess({}, faulty(task.store, snapshots('away'))).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'results-not-saved' })
  })
})

describe('a work directory that cannot be restored', () => {
  test.concurrent('starts no script and changes no snapshot; after max-attempts the slot fails', async () => {
    await using task = await Deployment.make({ files: { data: 'x' }, script: 'echo never', retry: { maxAttempts: 2 } })
    const packs: string[] = []
    for await (const { key } of task.store.list(task.keys.base)) if (!key.includes('/m-')) packs.push(key)
    await task.store.remove(packs)
    expect(await task.inProcess().ended).toBe(AGENT_REPLACE)
    expect(await task.slot()).toMatchObject({ state: 'interrupted', released: true, attempts: [{ cause: 'lost' }] })
    expect(await task.inProcess().ended).toBe(AGENT_REPLACE)
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'failed', cause: 'attempts' })
    expect(record.head).toBeUndefined()
    expect(await task.log('script')).toBe('')
  })
})
