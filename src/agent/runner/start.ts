/** The values in the arguments and files of a runner program that depend on this machine and on this start. */
import { pause } from '../../lib/clock.ts'
import { messageOf } from '../../lib/text.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'
import type { Work } from '../attempt/context.ts'
import type { RunnerContext } from '../machine-context.ts'
import type { Credential } from './credentials.ts'
import { type Timeline, untilRunner } from './job-timeline.ts'
import { runnerPlace, writeFiles } from './program.ts'

/** Milliseconds between two looks at what controllers have recorded. */
const LOOK = 500

export interface RunnerLaunch {
  readonly credential: Credential
  /** ISO. */
  readonly at: string
  /** Jobs of the slot that have ended, and how many it has served. */
  readonly before: readonly ServedJob[]
  readonly served: number
  /** What happened until the machine was ready to serve. */
  readonly timeline: Timeline
  /** Milliseconds for which no job can be expected yet (`LaunchWait`), at most. */
  readonly early: number
  /** Milliseconds for which the starts before have waited for jobs, although none could be expected for a part of it. */
  readonly idled: number
}

export type Starting = Pick<Work, 'about' | 'holder' | 'control'> & { readonly context: RunnerContext }

/** Values for arguments, which other processes can see: so none of them is secret. */
export function factsOf(starting: Starting, start: RunnerLaunch): Record<string, string> {
  const { context, holder, control } = starting
  const { jobs } = context.spec.runner
  const { at, before, served, timeline } = start
  const { name } = start.credential
  return {
    folder: runnerPlace(context).folder,
    run: context.folders.run,
    work: context.folders.work,
    name,
    idle: String(idleSeconds(context, start)),
    jobs: String(jobs === null ? 0 : jobs - served),
    slot: String(context.index),
    attempt: String(holder.record.attempts.length),
    machine: context.config.machine,
    mark: markOf(name),
    timeline: `${kindOf(starting)}\n${untilRunner(timeline, before, { name, at, online: control.online })}`,
  }
}

/**
 * For a program that measures its idle time itself. Without a number of jobs to serve, it is started again for the rest of that time if it ends
 * too early. Otherwise it may have served some of them, and nobody knows how many; so it waits longer from the start, but costs money: twice as
 * long at most.
 */
function idleSeconds({ spec: { runner } }: RunnerContext, { early, idled }: Pick<RunnerLaunch, 'early' | 'idled'>): number {
  const idle = Math.ceil(runner.idle ?? 0)
  if (idle === 0) return 0
  return runner.jobs === null ? Math.max(1, idle - Math.floor(idled / 1000)) : idle + Math.min(idle, Math.ceil(early / 1000))
}

/** Milliseconds by which a program may overrun its idle time: GitLab answers a request for a job after up to 50 s (long polling). */
const OVERRUN = 60_000

/**
 * Milliseconds for which a program that measures its idle time itself, and has left for lack of a job, has waited for one; `undefined`: for its whole
 * idle time. `idled`: since when no job could have been missed; `lasted`: since this start.
 */
export function waitedOnly(
  { early, idled: before }: Pick<RunnerLaunch, 'early' | 'idled'>,
  idle: number,
  { idled, lasted }: { readonly idled: number; readonly lasted: number },
): number | undefined {
  if (early > 0 && idled < idle) return idled
  // It was given the rest of its time, had a job all the same, and then waited for that rest again.
  return before > 0 && lasted > idle - before + OVERRUN ? idle - before : undefined
}

/** The kind of machine, its price and its deadline, for people. */
function kindOf({ about, control: { price }, context: { spec } }: Starting): string {
  const costs = price === undefined ? undefined : `about ${Number(price.toPrecision(3))} USD per hour`
  return [about, costs, `no longer than until ${spec.lifetime.deadline}`].filter((one) => one !== undefined).join('; ')
}

/** Values for files: these may hold the credential as well. */
export function secretFacts(starting: Starting, start: RunnerLaunch): Record<string, string> {
  return { ...factsOf(starting, start), credential: start.credential.value }
}

/**
 * Writes the files once more as soon as it is recorded that all runners of the launch are online, so that jobs show it. A controller learns
 * that from the forge, usually after this runner has started.
 */
export async function factsOnceOnline(starting: Starting, start: RunnerLaunch, signal: AbortSignal): Promise<void> {
  const { control, context } = starting
  const tells = context.spec.runner.machine.files.some(({ text }) => text.includes('{timeline}'))
  if (!tells || control.online !== undefined) return
  while (!signal.aborted && control.online === undefined) await pause(LOOK, signal).catch(() => undefined)
  if (!signal.aborted) await writeFiles(context, secretFacts(starting, start)).catch((error: unknown) => context.say(messageOf(error)))
}
