import { describe, expect, test } from '@jest/globals'
import { findMarked } from '../../src/lib/process.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../src/wire/machine.ts'
import type { Store } from '../../src/wire/store.ts'
import { until } from '../setup/wait.ts'
import { faulty } from './faulty.ts'
import { Deployment, nap } from './kit.ts'

/** Counts on from its file; on TERM it saves and exits 0. */
const COUNTER = `
trap 'echo saved > farewell; echo bye; exit 0' TERM
echo "attempt $TPI_ATTEMPT after \${TPI_PREVIOUS:-nothing}"
[ -f resumed ] && { cat farewell; exit 0; }
touch resumed
while :; do sleep 0.05; done
`

describe('a reclaim', () => {
  test.concurrent('interrupts a script that traps TERM and exits 0; another machine goes on from its last files', async () => {
    await using task = await Deployment.make({ script: COUNTER })
    const first = await task.agent()
    await until('its file is saved', async () => 'resumed' in (await task.head()))
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(AGENT_REPLACE)
    const between = await task.slot()
    expect(between).toMatchObject({ state: 'interrupted', released: true, epoch: 1 })
    expect(between.exitCode).toBeUndefined()
    expect(between.attempts).toMatchObject([{ cause: 'interrupted', announced: true, saved: true }])
    expect(await task.head()).toEqual({ farewell: 'saved\n', resumed: '' })

    const second = await task.agent()
    expect(await second.ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'succeeded', epoch: 2, holder: second.name })
    expect(record.attempts[1]).toMatchObject({ epoch: 2, from: between.head?.digest })
    // bash itself prints that its sleep was terminated.
    expect((await task.log('script')).replace('Terminated\n', '')).toBe(
      'attempt 1 after nothing\nbye\nattempt 2 after interrupted\nsaved\n',
    )
  })

  test.concurrent('right after a machine took its slot lets go of that, so that the next one need not wait until it counts as silent', async () => {
    await using task = await Deployment.make({ script: COUNTER })
    let taken = false
    let told = false
    const store = faulty(task.store, async ({ verb, key }) => {
      if (verb === 'write' && key === task.keys.slot(0).record) taken = true
      if (!taken || told || key !== currentKey(task.spec.id)) return undefined
      // The machine asks whether its incarnation still has the id.
      told = true
      agent.reclaim({ seconds: 10 })
      await nap(100)
      return 'away'
    })
    const agent = task.inProcess({}, store)
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(await task.slot()).toMatchObject({ state: 'interrupted', released: true, epoch: 1, attempts: [{ announced: true }] })
  })

  test.concurrent('while a machine takes its slot lets go of that, too, if the store has it', async () => {
    await using task = await Deployment.make({ script: COUNTER })
    let claims = 0
    const write: Store['write'] = async (key, body, condition) => {
      const version = await task.store.write(key, body, condition)
      if (key === task.keys.slot(0).record && claims++ === 0) {
        agent.reclaim({ seconds: 10 })
        await nap(100)
      }
      return version
    }
    const agent = task.inProcess({}, { ...faulty(task.store, () => undefined), write })
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(await task.slot()).toMatchObject({ state: 'interrupted', released: true, epoch: 1, attempts: [{ announced: true }] })
  })

  test.concurrent('keeps the latest state of the named files, and everything else as uploaded; after the script’s end it keeps everything', async () => {
    await using task = await Deployment.make({
      files: { data: 'uploaded' },
      checkpoint: { globs: ['state'] },
      script:
        '[ -f state ] && { cat state data; echo 2 > more; exit 0; }; echo x > junk; echo changed > data; echo 1 > state; echo ready; while :; do sleep 0.05; done',
    })
    const first = await task.agent()
    await task.untilReady()
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(AGENT_REPLACE)
    expect(await task.head()).toEqual({ data: 'uploaded', state: '1\n' })
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.log('script')).toContain('1\nuploaded')
    expect(await task.head()).toEqual({ data: 'uploaded', state: '1\n', more: '2\n' })
  })

  test.concurrent('saves the named files during the script’s farewell, though the store is too slow for anything large', async () => {
    await using task = await Deployment.make({
      script: "trap '' TERM; head -c 1000000 /dev/urandom > large; echo 1 > state; while :; do sleep 0.05; done",
      checkpoint: { globs: ['state'], interval: 2 },
      output: ['large'],
      lifetime: { grace: 30, reserve: 1 },
    })
    const never = async (signal: AbortSignal | undefined): Promise<never> =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    let stuck = 0
    const write: Store['write'] = async (key, body, condition, signal) => {
      if (body.length < 100_000) return task.store.write(key, body, condition, signal)
      stuck += 1
      return never(signal)
    }
    const agent = task.inProcess({}, { ...faulty(task.store, () => undefined), write })
    await until('a save of everything is stuck', () => stuck > 0)
    expect((await task.slot()).head).toBeUndefined()
    agent.reclaim({ seconds: 10 })
    expect(await task.until((record) => record.head !== undefined)).toMatchObject({ phase: 'script' })
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(await task.head()).toEqual({ state: '1\n' })
  })

  test.concurrent('kills a script that ignores it when the notice runs out, and still saves', async () => {
    await using task = await Deployment.make({
      script: "trap '' TERM; echo deaf > file; echo ready; while :; do sleep 0.05; done",
      lifetime: { grace: 90, reserve: 5 },
    })
    const agent = task.inProcess()
    await task.untilReady()
    const begun = performance.now()
    agent.reclaim({ seconds: 8 })
    expect(await agent.ended).toBe(AGENT_REPLACE)
    // The task's own grace is 90 seconds. `rules.test.ts` checks the rules to the second.
    expect(performance.now() - begun).toBeLessThan(60_000)
    expect(await task.slot()).toMatchObject({ state: 'interrupted', released: true })
    expect(await task.head()).toEqual({ file: 'deaf\n' })
  })

  test.concurrent('after the script has ended changes nothing', async () => {
    await using task = await Deployment.make({ script: 'echo x > file' })
    const agent = task.inProcess()
    await task.until((record) => record.phase === 'saving' || record.state === 'succeeded')
    agent.reclaim({ seconds: 60 })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'succeeded', exitCode: 0 })
  })

  test.concurrent('before the slot is taken sends the machine away at once', async () => {
    await using task = await Deployment.make({ script: 'sleep 600', lease: { ttl: 60_000 } })
    const holder = task.inProcess()
    await task.until((record) => record.phase === 'script')
    const waiting = task.inProcess()
    waiting.reclaim()
    expect(await waiting.ended).toBe(AGENT_REPLACE)
    expect((await task.slot()).holder).toBe(holder.name)
    await task.stop()
    expect(await holder.ended).toBe(AGENT_DONE)
  })

  test.concurrent('is rehearsed by a request in the store, once', async () => {
    await using task = await Deployment.make({ script: '[ "$TPI_ATTEMPT" = 2 ] && exit 0; sleep 600' })
    const first = task.inProcess()
    await task.until((record) => record.phase === 'script')
    await task.put(task.keys.control, { v: 2, nonce: 'x', interrupts: [{ id: 'a', at: new Date().toISOString(), slot: 0 }] })
    expect(await first.ended).toBe(AGENT_REPLACE)
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect((await task.slot()).attempts.map((attempt) => attempt.cause)).toEqual(['interrupted', 'exit'])
  })
})

describe('a stop', () => {
  test.concurrent('ends the script, keeps its files and outputs, and closes the slot', async () => {
    await using task = await Deployment.make({
      script: "trap 'echo loss=1 >> $TPI_OUTPUT; exit 0' TERM; echo half > file; echo ready; while :; do sleep 0.05; done",
    })
    const agent = await task.agent()
    await task.untilReady()
    await task.stop({ by: 'cancel' })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'stopped', cause: 'stopped', reason: 'stopped (cancel)', outputs: { loss: '1' } })
    expect(await task.head()).toEqual({ file: 'half\n' })
  })

  test.concurrent('with a grace of its own overrides the one of the task', async () => {
    await using task = await Deployment.make({ script: "trap '' TERM; while :; do sleep 0.05; done", lifetime: { grace: 60 } })
    const agent = task.inProcess()
    await task.until((record) => record.phase === 'script')
    await task.stop({ grace: 0 })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'stopped' })
  })

  test.concurrent('that comes during a reclaim closes the slot', async () => {
    await using task = await Deployment.make({ script: "trap '' TERM; echo ready; while :; do sleep 0.05; done", lifetime: { grace: 6 } })
    const agent = task.inProcess()
    await task.untilReady()
    agent.reclaim()
    await task.stop({ by: 'cancel' })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'stopped', reason: 'stopped (cancel)', attempts: [{ announced: true }] })
  })

  test.concurrent('that no machine has carried out closes the slot at the takeover', async () => {
    await using task = await Deployment.make({ script: 'echo never' })
    await task.stop()
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'stopped', reason: 'stopped (stop)', epoch: 1, attempts: [] })
    expect(await task.log('script')).toBe('')
  })
})

describe('the deadline', () => {
  test.concurrent('ends the script, keeps its files, and closes the slot as timed out', async () => {
    const deadline = new Date(Date.now() + 30_000).toISOString()
    await using task = await Deployment.make({
      script: "trap 'exit 0' TERM; echo half > file; while :; do sleep 0.05; done",
      lifetime: { deadline },
    })
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'timed-out', cause: 'timed-out', reason: `deadline ${deadline}` })
    expect(await task.head()).toEqual({ file: 'half\n' })
  })

  test.concurrent('keeps files also if little time is reserved for that', async () => {
    const lifetime = { deadline: new Date(Date.now() + 30_000).toISOString(), grace: 0, reserve: 20 }
    await using task = await Deployment.make({ script: 'echo half > file; sleep 600', lifetime, checkpoint: { interval: 60 } })
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'timed-out', reason: `deadline ${lifetime.deadline}` })
    expect(await task.head()).toEqual({ file: 'half\n' })
  })

  test.concurrent('past at the takeover starts nothing', async () => {
    await using task = await Deployment.make({
      script: 'echo never',
      lifetime: { deadline: new Date(Date.now() - 1000).toISOString(), reserve: 600 },
    })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'timed-out', attempts: [] })
  })

  test.concurrent('at the hard deadline the guard alone kills agent and script', async () => {
    const lifetime = { deadline: new Date(Date.now() + 30_000).toISOString(), grace: 0, reserve: 1 }
    await using task = await Deployment.make({ script: "trap '' TERM; while :; do sleep 0.05; done", lifetime })
    const agent = await task.agent()
    await task.until((record) => record.phase === 'script')
    agent.child.kill('SIGSTOP')
    expect(await agent.ended).toBe('SIGKILL')
    await until('nothing of it is left', () => findMarked('TPI_MACHINE', agent.name).length === 0)
  })
})
