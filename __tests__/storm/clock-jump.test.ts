/** The wall clock of the host is set while a task runs: controller, supervisor, agent and guard see it, and it has no effect. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { comesTrue, House } from './house.ts'
import { buildJumpingProgram } from './program.ts'

const DAY = 86_400_000
/** Runs until it is told to end, however slow the host is. */
const UNTIL_TOLD = 'n=0; while [ ! -e enough ]; do n=$((n+1)); echo $n > n; sleep 0.1; done; echo whole > out'

let program: Awaited<ReturnType<typeof buildJumpingProgram>>
let house: House
beforeAll(async () => {
  program = await buildJumpingProgram()
})
beforeEach(async () => {
  program.jump(0)
  house = await House.build(program, 'clock')
  await house.write('project/in', 'x')
})
afterEach(async () => {
  house.clear()
  await house.leave(false)
})
afterAll(() => program.remove())

const words = (timeout: string, script: string): string[] =>
  `task --name jump --json --workdir project --output out --timeout ${timeout} --grace 1s --checkpoint-interval 300ms -- sh -c`
    .split(' ')
    .concat(script)

// biome-ignore lint/suspicious/noExplicitAny: facts are read by the tests that know them
async function status(): Promise<any> {
  const { facts, err, code } = await house.tpi('status', 'jump', '--json')
  if (!facts) throw new Error(`status ended with ${code} and no facts: ${err}`)
  return facts
}

/** The task was saved again, as `tpi status` shows. */
async function savedSince(than: unknown): Promise<boolean> {
  const at = (await status()).slots?.[0]?.savedAt
  return typeof at === 'string' && at !== than
}

test('a day ahead, then two days back: the program is not disturbed, and every command reports it as running', async () => {
  const run = house.start(words('10m', UNTIL_TOLD))
  expect(await comesTrue(() => savedSince(undefined), 60_000)).toBe(true)
  const before = await status()
  for (const off of [DAY, -DAY]) {
    program.jump(off)
    const seen = await status()
    expect(seen).toMatchObject({ state: 'running', deadline: before.deadline, slots: [{ attempt: 1 }] })
    expect((await house.tpi('list')).code).toBe(0)
    // It is still being saved, by a machine that sees the changed clock.
    expect(await comesTrue(() => savedSince(seen.slots[0].savedAt), 60_000)).toBe(true)
    const { slots } = await status()
    expect(Math.abs(Date.parse(slots[0].savedAt) - Date.parse(before.createdAt))).toBeGreaterThan(DAY / 2)
  }
  expect((await house.tpi('exec', 'jump', '--', 'touch', 'enough')).code).toBe(0)
  const { code, facts } = await run.ended
  expect({ code, attempts: facts.slots[0].attempts.length }).toEqual({ code: 0, attempts: 1 })
  expect(await readFile(join(house.work, 'project/out'), 'utf8')).toBe('whole\n')
  expect(await house.remains()).toEqual([])
})

test.each([
  ['an hour back', -3_600_000],
  ['an hour ahead', 3_600_000],
])('%s: the deadline comes when it should', async (_, off) => {
  const began = performance.now()
  const run = house.start(words('30s', 'while :; do sleep 0.1; done'))
  expect(await comesTrue(() => house.processes().some(({ role }) => role === 'script'), 60_000)).toBe(true)
  program.jump(off)
  const { code, facts } = await run.ended
  expect({ code, outcome: facts.outcome }).toEqual({ code: 124, outcome: 'timed-out' })
  // Not before: by a clock that is an hour ahead, any deadline of seconds has passed.
  expect(performance.now() - began).toBeGreaterThan(30_000)
  expect((await house.tpi('destroy', 'jump')).code).toBe(0)
  expect(house.processes()).toEqual([])
})
