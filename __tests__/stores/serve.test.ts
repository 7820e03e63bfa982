/** The server of a deployment's own store, after it was told to end. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, jest, test } from '@jest/globals'
import { pause } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import { serveStore } from '../../src/stores/serve.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { AGENT_REPLACE } from '../../src/wire/machine.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { connects, freePort } from '../setup/listening.ts'
import { scratch } from '../setup/scratch.ts'
import { until } from '../setup/wait.ts'
import { AT, COMMON, TASK } from '../wire/specs.ts'

const ID = 'tpi-a-0123456789'
const keys = layout(ID, 'one')
const HELD = { state: 'running', epoch: 1, holder: 'm', attempts: [{ epoch: 1, holder: 'm', start: AT }] } as const

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** A server with a linger of 45 s that is told to end, and a client. `grace`: seconds that programs of the run have. `skip`: lets seconds pass. */
async function toldToEnd(slot: Partial<SlotRecord>, grace = 30) {
  const folder = scratch('tpi-serve-')
  undo.push(() => rm(folder, { recursive: true }))
  const [port, tokenFile, configFile] = [await freePort(), join(folder, 'token'), join(folder, 'serve.json')]
  await mkdir(join(folder, 'store'))
  await writeFile(tokenFile, 'secret')
  await writeFile(configFile, JSON.stringify({ v: 2, folder: join(folder, 'store'), port, tokenFile, linger: 45 }))
  const over = new AbortController()
  const ended = serveStore([configFile], over.signal)
  const client = await openStore({ url: `http://127.0.0.1:${port}/`, credentials: { token: 'secret' } })
  undo.push(() => client.close?.())
  await until('it listens', async () => connects(port))
  await client.init(keys.root)
  const put = async (key: string, value: object): Promise<unknown> => client.write(key, Buffer.from(JSON.stringify(value)))
  const of = { v: 2, id: ID, name: 'a', incarnation: 'one', createdAt: AT, origin: {}, state: 'open' }
  await put(currentKey(ID), { ...of, nonce: 'n' })
  await put(keys.spec, { ...COMMON, ...of, lifetime: { ...COMMON.lifetime, grace }, count: 1, mode: 'task', ...TASK })
  const record = async (over: Partial<SlotRecord>): Promise<unknown> => put(keys.slot(0).record, { ...newSlot(0, 'n', AT), ...over })
  await record(slot)
  over.abort()
  const now = performance.now.bind(performance)
  let skipped = 0
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped)
  undo.push(() => clock.mockRestore())
  const asks = async (): Promise<boolean> => {
    await pause(100)
    return client.read(keys.control).then(
      () => true,
      () => false,
    )
  }
  /** For longer than the server pauses between two looks. */
  const works = async (): Promise<void> => {
    for (let time = 0; time < 5; time++) expect(await asks()).toBe(true)
  }
  const worksToItsEnd = async (): Promise<number> => {
    while (await asks());
    return ended
  }
  await works()
  return { ended, works, worksToItsEnd, record, skip: (seconds: number) => void (skipped += seconds * 1000) }
}

test('goes on until programs of machines had time to end, and no longer for machines that work on', async () => {
  const { works, worksToItsEnd, skip } = await toldToEnd({ ...HELD, phase: 'script' })
  skip(35)
  await works()
  skip(35)
  await works()
  skip(10)
  expect(await worksToItsEnd()).toBe(AGENT_REPLACE)
})

test('the present run decides how long that is: the one for which the store was made may have had less', async () => {
  const { works, worksToItsEnd, skip } = await toldToEnd({ ...HELD, phase: 'script' }, 150)
  for (let time = 0; time < 160; time += 40) {
    skip(40)
    await works()
  }
  skip(40)
  expect(await worksToItsEnd()).toBe(AGENT_REPLACE)
})

test('goes on while a machine saves what its program has left', async () => {
  const { works, worksToItsEnd, skip, record } = await toldToEnd({ ...HELD, phase: 'saving' })
  for (let time = 0; time < 200; time += 40) {
    skip(40)
    await works()
  }
  await record({ ...HELD, state: 'interrupted', released: true })
  expect(await worksToItsEnd()).toBe(AGENT_REPLACE)
})

test('does not wait for a machine that asks for nothing', async () => {
  const { ended, skip } = await toldToEnd({ ...HELD, phase: 'saving' })
  skip(46)
  expect(await ended).toBe(AGENT_REPLACE)
})
