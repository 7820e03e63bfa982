/**
 * A table of failures, line by line, for cloud local. What another suite tests is only named:
 *
 * - bad option, missing script, …: verbs/task.process.test.ts, options/parse.test.ts
 * - script exits n: verbs/task.process.test.ts
 * - controller killed at any await: creation.test.ts; its machines end by themselves: storm.test.ts (`abandon`)
 * - script out of memory: agent/host.process.test.ts
 * - machine cut off and replaced, then back: agent/kill.process.test.ts
 * - script traps SIGTERM and exits 0 at a reclaim: verbs/task.process.test.ts
 * - no capacity, API throttling, forges: not on this host; storage that throttles: stores/s3-faults.test.ts
 * - cancel in CI: e2e/cancel.test.ts
 * - outputs find no place: verbs/delivery.process.test.ts
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { shell, type World, world } from '../setup/world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(async () => {
  await w.end()
})

/** Counts to `steps`. Attempts before number `last` only get half-way, so they end by what a test does to them, however slow this host is. */
const counting = (steps: number, last = 1): string =>
  `n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt ${steps} ]; do n=$((n+1)); echo $n > m; mv m n; while [ $TPI_ATTEMPT -lt ${last} ] && [ $n -ge ${steps / 2} ]; do sleep 0.1; done; sleep 0.1; done; cp n r`

const facts = async (name: string) => (await w.tpi(['status', name, '--json'])).facts
const attempt = async (name: string, n: number): Promise<void> =>
  until(`attempt ${n} runs`, async () => (await w.tpi(['logs', name])).host.scriptText().split('from').length > n)

async function kill(what: RegExp): Promise<void> {
  const lines = (await w.alive()).filter((line) => what.test(line))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) process.kill(Number(line.split(' ')[0]), 'SIGKILL')
}

test('machine killed, agent crash, spot reclaim: slot re-attempted from the last checkpoint; loss window as documented', async () => {
  await w.write('p/in', 'x')
  const task = shell('task --name fit --json --workdir p --output r --checkpoint-interval 300ms', counting(40, 3))
  const run = w.tpi(task)
  await attempt('fit', 1)
  await until('something is saved', async () => (await facts('fit')).slots[0].savedAt !== null)
  await kill(/agent\.mjs run/)
  await attempt('fit', 2)
  const notice = await w.tpi('interrupt fit')
  expect([notice.code, notice.host.lines]).toEqual([0, expect.anything()])
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots[0].attempts).toMatchObject([{ cause: 'lost' }, { cause: 'interrupted', announced: true }, { cause: 'exit' }])
  const starts = [...ran.host.scriptText().matchAll(/from (\d+)/g)].map(([, n]) => Number(n))
  expect(starts.length).toBe(3)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(starts[1]).toBeGreaterThan(0)
  expect(await w.read('p/r')).toBe('40\n')
})

test('store unreachable: agent buffers and retries; script keeps running', async () => {
  await w.write('p/in', 'x')
  const run = w.tpi(shell('task --name fit --json --workdir p --output r', counting(50)))
  await attempt('fit', 1)
  const store = join(w.home, 'store')
  await rename(store, `${store}-away`)
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await rename(`${store}-away`, store)
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots[0].attempts).toHaveLength(1)
  expect(ran.host.scriptText()).toBe('from 0\n')
  expect(await w.read('p/r')).toBe('50\n')
})

test('two controllers at once: one creates, the other attaches', async () => {
  const task = ['task', '--name', 'both', '--json', '--script', 'echo one; sleep 1']
  // None counts as dead if this process stands still for a moment.
  const env = { TPI_LEASE_TTL: '30s' }
  const ran = await Promise.all([w.tpi(task, { env }), w.tpi(task, { env }), w.tpi(task, { env })])
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(ran.filter(({ facts: { attached } }) => attached === false)).toHaveLength(1)
  for (const { host } of ran) expect(host.scriptText()).toBe('one\n')
  expect(await w.remains()).toEqual([])
})

test('destroy during a save: nothing reappears after destroy', async () => {
  const script = 'echo from 0; while :; do head -c 20000000 /dev/urandom > big; sleep 0.2; done'
  await w.tpi(['task', '--name', 'big', '--detach', '--checkpoint-interval', '100ms', '--script', script])
  await attempt('big', 1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await w.tpi('destroy big --discard')).code).toBe(0)
  await w.deserted()
  // More than one TTL, so that a process in the middle of a write has had its chance.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(await w.remains()).toEqual([])
})
