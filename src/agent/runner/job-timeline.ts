/** What happened on a machine before its job, as a time line that the job shows. */
import { formatDuration } from '../../lib/duration.ts'
import type { RunnerFacts, ServedJob } from '../../wire/runner.ts'
import type { SlotRecord } from '../../wire/slot.ts'

interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly what: string
}

export class Timeline {
  readonly #moments: Moment[]

  constructor(moments: readonly Moment[] = []) {
    this.#moments = [...moments]
  }

  copy(): Timeline {
    return new Timeline(this.#moments)
  }

  /** Adds a moment. `at`: ISO, or milliseconds since 1970; now if absent. */
  mark(what: string, at: string | number = Date.now()): this {
    this.#moments.push({ at: typeof at === 'number' ? at : Date.parse(at), what })
    return this
  }

  /**
   * One line for each moment, the oldest first: its date if that has changed, its time, the time since the one before, and what happened.
   */
  text(): string {
    const moments = this.#moments.filter(({ at }) => Number.isFinite(at)).toSorted((a, b) => seconds(a) - seconds(b))
    return moments
      .map(({ at, what }, index) => {
        const before = moments[index - 1]
        const [day, time] = new Date(at).toISOString().slice(0, 19).split('T')
        const date = before && new Date(before.at).toISOString().startsWith(day ?? '') ? '' : `${day} `
        const took = before ? `+${formatDuration(Math.round((at - before.at) / 1000))}` : ''
        return `${date.padStart(11)}${time}Z ${took.padStart(8)}  ${what}`
      })
      .join('\n')
  }
}

const seconds = ({ at }: Moment): number => Math.floor(at / 1000)

/** What happened until this machine took its slot. */
export function untilNow(
  { createdAt, runner: { registered } }: { readonly createdAt: string; readonly runner: Pick<RunnerFacts, 'registered'> },
  { index, attempts }: Pick<SlotRecord, 'index' | 'attempts'>,
): Timeline {
  const gone = attempts.at(-2)
  const line = new Timeline().mark('asked for', createdAt)
  if (registered !== undefined) line.mark('registered at the forge', registered)
  if (gone?.end !== undefined) line.mark(`the previous machine is gone (${gone.cause ?? 'unknown'})`, gone.end)
  return line.mark('machine is up', performance.timeOrigin).mark(`machine takes slot ${index}`, attempts.at(-1)?.start)
}

export interface RunnerStart {
  /** The name of its registration. */
  readonly name: string
  /** ISO. */
  readonly at: string
  /** ISO, once known: when the forge showed all runners of the launch online. */
  readonly online?: string | undefined
}

/**
 * What happened until this start of the runner. The job itself shows the rest: when it begins, and how long the runner has waited for it.
 */
export function untilRunner(before: Timeline, jobs: readonly ServedJob[], { name, at, online }: RunnerStart): string {
  const line = before.copy()
  const complete = (): unknown => line.mark('the launch is complete: every runner of it was seen online at the forge', online)
  const former = online !== undefined && Date.parse(online) < Date.parse(at)
  if (former) complete()
  const last = jobs.at(-1)
  if (last?.end !== undefined)
    line.mark(`the previous job ${last.interrupted ? 'was cut off' : 'is over'} (number ${jobs.length})`, last.end)
  line.mark(`runner ${name} starts: it connects, and waits for a job`, at)
  if (online !== undefined && !former) complete()
  return line.text()
}
