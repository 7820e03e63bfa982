/** `tpi exec` through the store, if a machine answers, answers badly, is reclaimed, or never answers. */
import { beforeEach, expect, test } from '@jest/globals'
import { type Deployment, type Engine, readControl, requestInterrupt } from '../../src/engine/deployment.ts'
import { execByStore } from '../../src/engine/exec.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { AT, deploymentOn, heldBy, writeSlot } from './one-deployment.ts'

const TARGET = { slot: 0, machine: 'm1', count: 1 }

let d: Deployment
let engine: Pick<Engine, 'host'> & { readonly clock: FakeClock }
beforeEach(async () => {
  d = deploymentOn(memoryStore())
  engine = { host: memoryHost(), clock: fakeClock(AT) }
  await d.store.write(d.keys.control, Buffer.from(JSON.stringify({ v: 2, nonce: 'n' })))
  await held('m1')
})

const held = async (holder: string): Promise<void> => writeSlot(d, heldBy(holder))

/** Runs a command, and moves the clock until it is settled. */
async function run(each: (id: string) => Promise<void>, argv = ['ls']): Promise<unknown> {
  const over = new AbortController()
  const ran = execByStore(engine, d, TARGET, argv, new AbortController().signal).finally(() => over.abort())
  ran.catch(() => undefined)
  while (!over.signal.aborted) {
    const [request] = (await readControl(d))?.execs ?? []
    if (request) await each(request.id)
    await engine.clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return ran
}

const says = (text: object) => async (id: string) =>
  void (await d.store.write(d.keys.answer(id), Buffer.from(JSON.stringify({ v: 2, out: '', err: '', ...text }))))

async function answers(): Promise<number> {
  let count = 0
  for await (const _ of d.store.list(`${d.keys.root}answers/`)) count += 1
  return count
}

const cleared = async (): Promise<unknown> => [(await readControl(d))?.execs, await answers()]

test('the answer comes back, and request and answer are removed', async () => {
  expect(await run(says({ code: 3, out: 'aGk=' }))).toMatchObject({ code: 3, out: 'aGk=' })
  expect(await cleared()).toEqual([[], 0])
})

test('an invalid answer is an error, and is removed, too', async () => {
  await expect(run(says({ code: 3, out: '\u001b[2J' }))).rejects.toThrow('"out" must be base64')
  expect(await cleared()).toEqual([[], 0])
})

test('a machine that leaves the slot, or never answers, ends it with a message', async () => {
  await expect(run(async () => held('m2'))).rejects.toThrow('machine m1 has left slot 0 of a before it answered')
  await held('m1')
  await expect(run(async () => undefined)).rejects.toThrow('machine m1 of a has not answered for 360 s')
  expect(await cleared()).toEqual([[], 0])
})

test('an answer that comes just before the machine leaves the slot still counts', async () => {
  const { read } = d.store
  const { record } = d.keys.slot(0)
  let request = ''
  // Written between the look for the answer and the look at the slot.
  d.store.read = async (key, ...rest) => {
    if (key === record && request !== '') {
      await says({ code: 0 })(request)
      await held('m2')
    }
    return read(key, ...rest)
  }
  expect(await run(async (id) => void (request = id))).toMatchObject({ code: 0 })
})

test.each(['x'.repeat(70_000), '€'.repeat(30_000)])(
  'a command that fits into no record is refused before anything is requested %#',
  async (word) => {
    await expect(run(async () => undefined, [word])).rejects.toThrow('at most 1000 words and 65536 bytes')
    expect((await readControl(d))?.execs).toBeUndefined()
  },
)

test('of other commands’ requests the newest stay, as many as leave room for a stop', async () => {
  const other = (id: string) => ({ id, at: AT, slot: 0, machine: 'm1', argv: ['\u0001'.repeat(20_000)], seconds: 300 })
  await d.store.write(d.keys.control, Buffer.from(JSON.stringify({ v: 2, nonce: 'n', execs: ['a', 'b', 'c', 'd'].map(other) })))
  const stood: string[][] = []
  await run(async (first) => {
    stood.push((await readControl(d))!.execs!.map(({ id }) => id))
    await says({ code: 0 })(stood[0]!.at(-1) ?? first)
  })
  expect(stood[0]).toEqual(['c', 'd', expect.any(String)])
  expect((await readControl(d))?.execs?.map(({ id }) => id)).toEqual(['c', 'd'])
})

test('a run that was removed meanwhile gets no request, and nothing of it is recreated', async () => {
  await d.store.remove([d.keys.control])
  await expect(run(async () => undefined)).rejects.toThrow('run "a" is gone')
  await expect(requestInterrupt(d, 0, AT)).rejects.toThrow('run "a" is gone')
  expect(await readControl(d)).toBeUndefined()
})
