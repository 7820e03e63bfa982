/** A step of the action that is cut off at one of its calls to store, cloud or forge, and the post step after it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { leaks } from '../lab/leaks.ts'
import { type StepEnd, startStep } from '../lab/step-runner.ts'
import type { When } from './dying.ts'
import { buildMortalAction } from './program.ts'
import { SEED, seeded } from './random.ts'
import { eachOf, sideBySide } from './side-by-side.ts'

/** Steps at a time. */
const SIDE_BY_SIDE = 4
/** Steps in a row that come to their end after which there are no more calls. */
const BEYOND = 6

/** Milliseconds that a step has after it was cancelled. */
const KILLED = 10_000

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
  readonly when: When
}

/** Where a step is cut off. */
export interface Point extends Way {
  /** Number of the call, or how its name begins; `$` is the end of a name. */
  readonly at: number | string
  /** The call after which it is cancelled first: what is cut off then is its cleaning up. */
  readonly first?: string
}

export interface Step {
  readonly dist: string
  readonly inputs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

export interface Cut {
  /** Which call it was; `undefined` when there was no such one: nobody was cut off. */
  readonly call: string | undefined
  /** It was told to end, there or before. */
  readonly asked: boolean
  readonly main: StepEnd
  readonly post: StepEnd
  readonly home: string
  /** Gives another command of the action, which nobody cuts off. */
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

/** A runner kills what it has told to go, and what has not gone by then. */
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
  /** Kinds of calls that there were none of. */
  readonly missed: readonly string[]
}

/** Nothing to complain of. */
export const SOUND: Tried = { faults: [], missed: [] }

export interface Cuts {
  readonly ways: readonly Way[]
  /** How the names of calls begin that must not be missed, however often a run looks in between. */
  readonly kinds: readonly string[]
  /** Calls with such names are cut off in each of the ways; others in one of them, which the seed decides. */
  readonly each?: RegExp
  /** The first of the calls that are gone through by number, and how far it is to the next; absent: all of them. */
  readonly steps?: { readonly from: number; readonly stride: number }
}

/** Cut off at each call in turn, and at each of the kinds. Prints what was covered. */
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
    // How often a run looks depends on how long it takes: a short one does not say that there are no more calls.
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

/** Each call of this kind in each of the ways that are still missing. What only a cancelled step calls is reached by cancelling it as it was then, at a call that is of this name each time. */
function thorough(seen: readonly (Seen & Point)[], each: RegExp, ways: readonly Way[]): Point[] {
  const names = [...new Set(seen.flatMap(({ calls }) => calls))].filter((name) => each.test(name))
  const usual = new Set(seen.filter(({ call }) => call === undefined).flatMap(({ calls }) => calls))
  return names.flatMap((name) => {
    const at = `${name}$`
    // A name that comes twice may mean the earlier one the next time, with nothing yet to give back.
    const once = (calls: readonly string[], call: string): boolean => calls.indexOf(call) === calls.lastIndexOf(call)
    const cancelled = seen.filter(({ call, calls }) => call !== undefined && usual.has(call) && once(calls, call) && calls.includes(name))
    // The one that was cut off earliest: with its last calls a step may have come to its end.
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

/** What still runs, and what was left without a word. */
export async function left({ main, post, home, command }: Cut, name: string): Promise<readonly string[]> {
  const found = await leaks(home)
  if (found.length === 0) return []
  const faults = found.filter((line) => line.startsWith('process'))
  // What stays is what was saved, and it is told.
  if (!/(stay|are kept) for/.test(main.text + post.text)) faults.push(`left without a word: ${found.join(', ')}: ${main.text}${post.text}`)
  await command({ command: 'destroy', name, discard: 'true' })
  return [...faults, ...(await leaks(home))]
}
