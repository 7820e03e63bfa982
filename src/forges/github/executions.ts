/** Which executions of a run's jobs are those on record. The name of the runner is enough only if that runner has had a single job. */
import type { ServedJob } from '../../wire/runner.ts'
import type { Job } from './runs.ts'

/** Milliseconds by which the clocks of a machine and of GitHub may differ, if only time tells the jobs of a runner apart. */
const SKEW = 60_000

/**
 * Whether a job is one of `jobs`. `all`: every execution of their run. `served`: other jobs on record for their runners, in the order in which they
 * were served.
 */
export function among(all: readonly Job[], jobs: readonly ServedJob[], served: readonly ServedJob[]): (job: Job) => boolean {
  const known = [...new Set([...served, ...jobs])]
  const ours = new Set(
    jobs.flatMap((job) => {
      const one = executionOf(job, all, known)
      return one ? [keyOf(one)] : []
    }),
  )
  return (job) => ours.has(keyOf(job))
}

function executionOf(job: ServedJob, all: readonly Job[], known: readonly ServedJob[]): Job | undefined {
  const own = distinct(all.filter(({ runner_name: name }) => name !== null && name === job.facts['runner']))
  // The runner has had one job only, so clocks do not matter.
  if (own.length === 1) return own[0]
  const then = own.filter(({ run_attempt: attempt }) => attempt === undefined || String(attempt) === job.facts['attempt'])
  const same = then.find((one) => one.started_at === job.start)
  if (same) return same
  const peers = known.filter((one) => ['repository', 'run', 'attempt', 'runner'].every((fact) => one.facts[fact] === job.facts[fact]))
  // A runner has one job after the other. If all are on record, their order tells which is which, whatever the clocks say.
  const rest = then.filter((one) => !peers.some(({ start }) => start === one.started_at))
  const hooked = peers.filter(({ start }) => !then.some((one) => start === one.started_at))
  return rest.length === hooked.length ? rest[hooked.indexOf(job)] : byTime(rest, Date.parse(job.start))
}

/** The job that ran at that time; `undefined` if it may be two: better not to re-run a job than to re-run one that failed by itself. */
function byTime(jobs: readonly Job[], at: number): Job | undefined {
  const within = (slack: number): readonly Job[] =>
    jobs.filter(({ started_at: from, completed_at: to }) => {
      const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to)
      return at >= Date.parse(from) - slack && at <= end + slack
    })
  const near = within(SKEW)
  // GitHub may still count a job whose machine has gone when the next machine of that name already has another.
  return within(0).at(-1) ?? (near.length === 1 ? near[0] : undefined)
}

/** Each execution once, by its beginning. Later attempts list it again, as it was; it counts as one of its own attempt. */
function distinct(jobs: readonly Job[]): readonly Job[] {
  const latestFirst = jobs.toSorted((a, b) => (b.run_attempt ?? 0) - (a.run_attempt ?? 0))
  return [...new Map(latestFirst.map((job) => [keyOf(job), job])).values()].toSorted(
    (a, b) => Date.parse(a.started_at) - Date.parse(b.started_at),
  )
}

function keyOf({ name, runner_name: runner, started_at: start }: Job): string {
  return [name, runner, start].join('\n')
}
