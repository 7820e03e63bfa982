/** A step of the action that is cut off at one of its calls to store, cloud or forge, and the post step after it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { leaks } from '../lab/leaks.ts'
import { type StepEnd, startStep } from '../lab/step-runner.ts'
import { PATIENCE } from '../setup/patience.ts'
import type { When } from './dying.ts'
import { buildMortalAction } from './program.ts'
import { SEED, seeded } from './random.ts'
import { eachOf, sideBySide } from './side-by-side.ts'

/** Steps at a time. */
const SIDE_BY_SIDE = 4
/** After this many steps in a row that were not cut off, there are no further calls. */
const BEYOND = 6

/** Milliseconds that a step has after it was cancelled: ten seconds at GitHub, longer here, where several steps share a busy machine. */
const KILLED = 10_000 * PATIENCE

/** Short times, so that waiting for others does not take long. */
export const FAST = { TPI_LEASE_BEAT: '300ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '4s' }

/** The action, built so that it can die at its calls, for all tests of the suite. Returns a function that gives its folder. */
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
  readonly when: When
}

/** Where a step is cut off. */
export interface Point extends Way {
  /** Number of the call, or the beginning of its name; `$` marks the end of a name. */
  readonly at: number | string
  /** The call after which the step is cancelled first, so that its clean-up is cut off. */
  readonly first?: string
}

export interface Step {
  readonly dist: string
  readonly inputs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

export interface Cut {
  /** The call at which it was cut off; `undefined` if there was no such call. */
  readonly call: string | undefined
  /** It was told to end, at this call or before. */
  readonly asked: boolean
  readonly main: StepEnd
  readonly post: StepEnd
  readonly home: string
  /** Runs another command of the action, which is not cut off. */
  command(inputs: Readonly<Record<string, string>>): Promise<StepEnd>
}

export interface Seen extends Pick<Cut, 'call'> {
  /** Names of all calls that the main step made. */
  readonly calls: readonly string[]
  readonly faults: readonly string[]
}

export async function cutStep(
  { dist, inputs, env }: Step,
  { at, signal, when, first }: Point,
  judge: (cut: Cut) => Promise<readonly string[]>,
): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-cut-'))
  try {
    mkdirSync(join(folder, 'project'))
    writeFileSync(join(folder, 'project', 'in'), 'x')
    const [mark, all] = [join(folder, 'mark'), join(folder, 'seen')]
    const point = { TEST_CALL: String(at), TEST_WHEN: when, TEST_SIGNAL: signal, TEST_MARK: mark, TEST_SEEN: all, TEST_FIRST: first ?? '' }
    const how = { folder, dist, inputs, env: { ...env, ...point } }
    const running = startStep('main', how)
    const main = await within(KILLED, () => existsSync(mark) || existsSync(`${mark}-first`), running)
    const calls = existsSync(all) ? readFileSync(all, 'utf8').trimEnd().split('\n') : []
    const post = await startStep('post', how, main.state).end
    const command: Cut['command'] = async (others) => startStep('main', { ...how, inputs: others, env: { ...env, TEST_CALL: '0' } }).end
    const faults = post.code === 0 ? [] : [`post ended with ${post.code ?? post.signal}: ${post.text}`]
    const call = existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
    faults.push(
      ...(await judge({ call, asked: call !== undefined || existsSync(`${mark}-first`), main, post, home: join(folder, 'home'), command })),
    )
    return { call, calls, faults: faults.map((fault) => `${signal} ${when} ${at} ${call}: ${fault}`) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Like a runner, which tells a cancelled step to end, and kills it if it does not in time. */
async function within(milliseconds: number, isAsked: () => boolean, { child, end }: ReturnType<typeof startStep>): Promise<StepEnd> {
  let asked: number | undefined
  const look = setInterval(() => {
    if (asked === undefined && isAsked()) asked = performance.now()
    if (asked !== undefined && performance.now() - asked > milliseconds) child.kill('SIGKILL')
  }, 100)
  return end.finally(() => clearInterval(look))
}

export interface Tried {
  readonly faults: readonly string[]
  /** Kinds of calls that never occurred. */
  readonly missed: readonly string[]
}

/** No faults. */
export const SOUND: Tried = { faults: [], missed: [] }

export interface Cuts {
  readonly ways: readonly Way[]
  /** Beginnings of the names of calls that must be covered, however often a run looks in between. */
  readonly kinds: readonly string[]
  /** Calls with such names are cut off in each of the ways; others in one of them, chosen by the seed. */
  readonly each?: RegExp
  /** The first numbered call, and the distance to the next; absent: all calls. */
  readonly steps?: { readonly from: number; readonly stride: number }
}

/** Cuts a step off at each call in turn, and at each of the kinds. Prints what was covered. */
export async function atEveryCall(title: string, { ways, kinds, each, steps }: Cuts, cut: (point: Point) => Promise<Seen>): Promise<Tried> {
  const begun = performance.now()
  const seen: (Seen & Point)[] = []
  const play = async (point: Point): Promise<Seen> => {
    const one = await cut(point)
    process.stderr.write(one.faults.map((fault) => `${title}: ${fault}\n`).join(''))
    seen.push({ ...one, ...point })
    return one
  }
  const { from, stride } = steps ?? { from: 1, stride: 1 }
  let next = from
  let last = 0
  await sideBySide(SIDE_BY_SIDE, async () => {
    // How often a run looks depends on how long it takes, so one short run does not mean that there are no more calls.
    while (next <= last + BEYOND * stride) {
      const at = next
      next += stride
      const one = await play({ at, ...seeded(SEED * 1000 + at).pick(ways) })
      if (one.call !== undefined) last = Math.max(last, at)
    }
  })
  for (const at of kinds.filter((kind) => !covered(seen, kind))) await play({ at, ...seeded(SEED).pick(ways) })
  const rest = each === undefined ? [] : thorough(seen, each, ways)
  await eachOf(rest, SIDE_BY_SIDE, play)
  tell(`${title}: ${seen.length} steps in ${((performance.now() - begun) / 1000).toFixed(0)} s`, seen, each)
  const missed = [
    ...kinds.filter((kind) => !covered(seen, kind)),
    ...rest.filter((point) => !covered(seen, String(point.at), point)).map(pointText),
  ]
  return { faults: seen.flatMap(({ faults }) => faults), missed }
}

function covered(seen: readonly (Seen & Point)[], kind: string, way?: Way): boolean {
  return seen.some(
    ({ call, signal, when }) => `${call}$`.startsWith(kind) && (way === undefined || (signal === way.signal && when === way.when)),
  )
}

/**
 * Points for each call of this kind in each of the ways that are still missing. Calls that only a cancelled step makes are reached by cancelling it
 * as before, at a call whose name occurs only once.
 */
function thorough(seen: readonly (Seen & Point)[], each: RegExp, ways: readonly Way[]): Point[] {
  const names = [...new Set(seen.flatMap(({ calls }) => calls))].filter((name) => each.test(name))
  const usual = new Set(seen.filter(({ call }) => call === undefined).flatMap(({ calls }) => calls))
  // A step that is cut off where it only reads leaves what it would have left at its call before.
  const isWorthIt = (name: string): boolean => usual.has(name) || !name.startsWith('forge GET ')
  return names.filter(isWorthIt).flatMap((name) => {
    const at = `${name}$`
    // If a name occurs twice, the earlier call may be meant the next time, with nothing to clean up yet.
    const once = (calls: readonly string[], call: string): boolean => calls.indexOf(call) === calls.lastIndexOf(call)
    const cancelled = seen.filter(({ call, calls }) => call !== undefined && usual.has(call) && once(calls, call) && calls.includes(name))
    // The step that was cut off earliest, because at its last calls a step may be complete.
    const by = usual.has(name) ? undefined : cancelled.toSorted((a, b) => a.calls.length - b.calls.length)[0]?.call
    const points = ways.map((way) => ({ at, ...way, ...(by === undefined ? {} : { first: `${by}$` }) }))
    return points.filter((way) => !covered(seen, at, way))
  })
}

const pointText = ({ at, signal, when, first }: Point): string =>
  `${signal} ${when} ${at}${first === undefined ? '' : `, cancelled after ${first}`}`

function tell(title: string, seen: readonly (Seen & Point)[], each = /^-/): void {
  const names = [...new Set(seen.flatMap(({ call }) => call ?? []))]
  const lines = names
    .filter((name) => each.test(name))
    .map((name) => `  ${name}: ${[...new Set(seen.flatMap((one) => (one.call === name ? `${one.signal} ${one.when}` : [])))].join(', ')}`)
  const all = [`${title}, seed ${SEED}: cut off at calls of ${names.length} names`, ...lines]
  process.stdout.write(all.map((line) => `${line}\n`).join(''))
}

/** What is still running, and what was left without a message. */
export async function left({ main, post, home, command }: Cut, name: string): Promise<readonly string[]> {
  const found = await leaks(home)
  if (found.length === 0) return []
  const faults = found.filter((line) => line.startsWith('process'))
  // What stays is what was saved, and the step says so.
  if (!/(stay|(is|are) kept) for/.test(main.text + post.text))
    faults.push(`left without a word: ${found.join(', ')}: ${main.text}${post.text}`)
  await command({ command: 'destroy', name, discard: 'true' })
  return [...faults, ...(await leaks(home))]
}
