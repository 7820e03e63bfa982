/** A step of the action that is cut off at one of its calls to store or cloud, and the post step after it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { leaks } from '../lab/leaks.ts'
import { type StepEnd, startStep } from '../lab/step-runner.ts'
import { buildMortalAction } from './program.ts'

/** Steps at a time. */
const SIDE_BY_SIDE = 4
/** Numbers without a call after which there are no more calls. */
const BEYOND = 10

/** So that what waits for others does not wait for long. */
export const FAST = { TPI_LEASE_BEAT: '300ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '4s' }

/** The action, built to die at its calls; there while the tests of the suite run. Its folder. */
export function mortalAction(): () => string {
  let action: Awaited<ReturnType<typeof buildMortalAction>> | undefined
  beforeAll(async () => {
    action = await buildMortalAction()
  })
  afterAll(() => action?.remove())
  return () => action?.dist ?? ''
}

export interface Way {
  readonly signal: NodeJS.Signals
  readonly when: 'before' | 'after'
}

export interface Step {
  readonly dist: string
  readonly inputs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

export interface Cut {
  /** Which call it was; `undefined` when there was no such one: nobody was cut off. */
  readonly call: string | undefined
  readonly main: StepEnd
  readonly post: StepEnd
  readonly home: string
  /** Gives another command of the action, which nobody cuts off. */
  command(inputs: Readonly<Record<string, string>>): Promise<StepEnd>
}

export interface Seen extends Pick<Cut, 'call'> {
  readonly faults: readonly string[]
}

/** `at`: the number of the call, or how its name begins. */
export async function cutStep(
  { dist, inputs, env }: Step,
  at: number | string,
  { signal, when }: Way,
  judge: (cut: Cut) => Promise<readonly string[]>,
): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-cut-'))
  try {
    mkdirSync(join(folder, 'project'))
    writeFileSync(join(folder, 'project', 'in'), 'x')
    const mark = join(folder, 'mark')
    const how = { folder, dist, inputs, env: { ...env, TEST_CALL: String(at), TEST_WHEN: when, TEST_SIGNAL: signal, TEST_MARK: mark } }
    const running = startStep('main', how)
    // The runner kills what does not go by itself.
    const killer = setTimeout(() => running.child.kill('SIGKILL'), 10_000)
    const main = await running.end
    clearTimeout(killer)
    const post = await startStep('post', how, main.state).end
    const command: Cut['command'] = async (others) => startStep('main', { ...how, inputs: others, env: { ...env, TEST_CALL: '0' } }).end
    const faults = post.code === 0 ? [] : [`post ended with ${post.code ?? post.signal}: ${post.text}`]
    const call = existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
    faults.push(...(await judge({ call, main, post, home: join(folder, 'home'), command })))
    return { call, faults: faults.map((fault) => `${signal} ${when} ${at} ${call}: ${fault}`) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

export interface Tried {
  readonly faults: readonly string[]
  /** Kinds of calls that there were none of. */
  readonly missed: readonly string[]
}

/** Nothing to complain of. */
export const SOUND: Tried = { faults: [], missed: [] }

/** Cut off at each call in turn, and at each of the kinds that must not be missed, however often a run looks in between. */
export async function atEveryCall(kinds: readonly string[], cut: (at: number | string) => Promise<Seen>): Promise<Tried> {
  const seen: Seen[] = []
  let next = 1
  let last = 0
  const player = async (): Promise<void> => {
    // How often a run looks depends on how long it takes: a short one does not say that there are no more calls.
    while (next <= last + BEYOND) {
      const number = next++
      const one = await cut(number)
      seen.push(one)
      if (one.call !== undefined) last = Math.max(last, number)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
  const missed = (): string[] => kinds.filter((kind) => !seen.some(({ call }) => call?.startsWith(kind)))
  for (const kind of missed()) seen.push(await cut(kind))
  return { faults: seen.flatMap(({ faults }) => faults), missed: missed() }
}

/** What still runs, and what was left without a word. */
export async function left({ main, post, home, command }: Cut, name: string): Promise<readonly string[]> {
  const found = await leaks(home)
  if (found.length === 0) return []
  const faults = found.filter((line) => line.startsWith('process'))
  // What stays is what was saved, and it is told.
  if (!/stay for/.test(main.text + post.text)) faults.push(`left without a word: ${found.join(', ')}: ${main.text}${post.text}`)
  await command({ command: 'destroy', name, discard: 'true' })
  return [...faults, ...(await leaks(home))]
}
