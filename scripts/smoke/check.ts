/** Checks that only the real service can answer: each reports what it saw, compared with what tpi assumes, and removes what it made. */
import { messageOf } from '../../src/lib/text.ts'

/** How a check reports. */
export interface Trial {
  /** Compares an observation with what is assumed. */
  saw(what: string, value: unknown, assumed: string, holds: boolean): void
  /** Reports an observation without an assumption. */
  noted(what: string, value: unknown): void
  /** Runs at the end of the check, however it ends; the last one first. */
  later(what: string, undo: () => Promise<void>): void
}

/** `Place`: what all checks of a service work on. */
export interface Check<Place> {
  readonly id: string
  readonly title: string
  /** For the user: what the check decides. */
  readonly settles: string
  /** The checks whose effects it looks at: they are tried, too, if only this one is named. */
  readonly after?: readonly string[]
  /** Why it cannot be tried with these settings, if it cannot. */
  lacks?(place: Place): string | undefined
  run(place: Place, trial: Trial): Promise<void>
}

export interface Setting {
  readonly name: string
  readonly says: string
  readonly needed?: true
}

/** One service: a folder beside this file, and a line in `services.ts`. */
export interface Service<Place = unknown> {
  readonly title: string
  readonly settings: readonly Setting[]
  /** For the user: what else the checks need. */
  readonly notes?: readonly string[]
  readonly checks: readonly Check<Place>[]
  open(settings: Settings): Promise<Place>
  /** For the user: what still exists of these checks. */
  left(place: Place): Promise<readonly string[]>
  close(place: Place): Promise<void>
}

export interface Settings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Program and first arguments that start `tpi`. */
  readonly tpi: readonly string[]
  /** Ends what is under way; what was made is still removed. */
  readonly signal: AbortSignal
  /** For the user: what is being waited for. */
  readonly say: (line: string) => void
}

export interface Sight {
  readonly what: string
  readonly value: string
  readonly assumed?: string
  readonly holds: boolean
}

export interface Outcome {
  readonly id: string
  readonly title: string
  readonly settles: string
  readonly how: 'as assumed' | 'differs' | 'not tried'
  readonly sights: readonly Sight[]
  readonly why?: string
}

/** `seconds`: how long the wait took; `undefined` if it was in vain. */
export const howSoon = (seconds: number | undefined): string => (seconds === undefined ? 'not in time' : `after ${seconds} s`)

/** Notes whether a text contains this part; if it does not, the text is shown. */
export function sawIn(trial: Trial, what: string, text: string, part: string, assumed: string): void {
  const holds = text.includes(part)
  trial.saw(what, holds ? assumed : text.slice(0, 300), assumed, holds)
}

/** Tries the named checks and those that they need, or all; one after the other, because they share the service's limits. */
export async function tryAll<Place>(
  service: Service<Place>,
  settings: Settings,
  wanted: readonly string[],
  tell: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const unknown = wanted.filter((id) => !service.checks.some((check) => check.id === id))
  if (unknown.length > 0)
    throw new Error(`no check "${unknown.join('", "')}" of ${service.title}; there are: ${service.checks.map(({ id }) => id).join(', ')}`)
  const missing = service.settings.filter(({ name, needed }) => needed && !settings.env[name])
  if (missing.length > 0) throw new Error(missing.map(({ name, says }) => `${name} is not set: ${says}`).join('\n'))
  const named = withNeeded(service.checks, wanted)
  const place = await service.open(settings)
  const outcomes: Outcome[] = []
  const reported = (outcome: Outcome): void => {
    outcomes.push(outcome)
    tell(outcome)
  }
  try {
    for (const check of service.checks) {
      if (settings.signal.aborted) break
      if (wanted.length === 0 || named.has(check.id)) reported(await tryOne(check, place))
    }
    reported(await tryOne(nothingLeft(service), place))
  } finally {
    await service.close(place)
  }
  return outcomes
}

function withNeeded<Place>(checks: readonly Check<Place>[], wanted: readonly string[]): ReadonlySet<string> {
  const named = new Set(wanted)
  // A set that grows while it is walked is walked to its end.
  for (const id of named) for (const needed of checks.find((check) => check.id === id)?.after ?? []) named.add(needed)
  return named
}

function nothingLeft<Place>(service: Service<Place>): Check<Place> {
  return {
    id: 'nothing-left',
    title: 'nothing of these checks is left',
    settles: 'that this program is harmless',
    async run(place, trial) {
      const left = await service.left(place)
      trial.saw('left at the service', left.length === 0 ? 'nothing' : left.join(', '), 'nothing', left.length === 0)
    },
  }
}

async function tryOne<Place>(check: Check<Place>, place: Place): Promise<Outcome> {
  const { id, title, settles } = check
  const why = check.lacks?.(place)
  if (why !== undefined) return { id, title, settles, how: 'not tried', sights: [], why }
  const sights: Sight[] = []
  const undone: { readonly what: string; readonly undo: () => Promise<void> }[] = []
  const trial: Trial = {
    saw: (what, value, assumed, holds) => void sights.push({ what, value: String(value), assumed, holds }),
    noted: (what, value) => void sights.push({ what, value: String(value), holds: true }),
    later: (what, undo) => void undone.unshift({ what, undo }),
  }
  const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      sights.push({ what, value: messageOf(error), assumed: 'no error', holds: false })
    }
  }
  await attempt('the check', async () => check.run(place, trial))
  for (const { what, undo } of undone) await attempt(what, undo)
  return { id, title, settles, how: sights.every(({ holds }) => holds) ? 'as assumed' : 'differs', sights }
}
