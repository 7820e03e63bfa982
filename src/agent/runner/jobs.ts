/** Whether a runner is busy, by what its hooks have recorded and by its processes. The text of its log is never used. */
import { appendFile } from 'node:fs/promises'
import { readText } from '../../lib/files.ts'
import { busyTime, commandOf, findFamily, findMarked, type ProcessId } from '../../lib/process.ts'
import type { RunnerProgram, ServedJob } from '../../wire/runner.ts'

/** Facts that are read of a job, and characters of each name and value. */
const MOST_FACTS = 50
const LONGEST_FACT = 200

/** What can be seen of a runner from outside. */
export interface RunnerSight {
  /** The jobs in the hooks' journal, oldest first. */
  jobs(): Promise<readonly ServedJob[]>
  /** Notes that the last of them has ended, which no hook has reported. */
  over(): Promise<void>
  /** Whether there is a process that exists only while a job runs. */
  working(): boolean
  /** Milliseconds of processor time of the runner and of what it has started; `undefined` if the system does not say. */
  effort(): number | undefined
}

export function sightOf(
  { worker }: Pick<RunnerProgram, 'worker'>,
  at: { readonly journal: string; readonly machine: string; readonly epoch: number; readonly runner: ProcessId },
): RunnerSight {
  return {
    jobs: async () => readJobs(at.journal, at.epoch),
    over: async () => appendFile(at.journal, `- ${new Date().toISOString()}\n`),
    working: () => worker !== undefined && hasWorker(at.machine, worker),
    effort: () => effort(at.runner),
  }
}

/** The jobs in the hooks' journal, oldest first; none if there is no such file. */
export async function readJobs(journal: string, epoch: number): Promise<ServedJob[]> {
  return jobsIn(await readText(journal), epoch)
}

export function jobsIn(text: string, epoch: number): ServedJob[] {
  const jobs: ServedJob[] = []
  for (const line of text.split('\n')) {
    const [sign, at = '', ...words] = line.split(' ')
    // Jobs can write to it as well, so lines without a valid time are ignored.
    if (Number.isNaN(Date.parse(at))) continue
    const last = jobs.at(-1)
    // A runner has one job at a time: the next one means that the previous one has ended.
    if ((sign === '-' || sign === '+') && last && last.end === undefined) jobs[jobs.length - 1] = { ...last, end: isoOf(at) }
    if (sign === '+') jobs.push({ epoch, start: isoOf(at), facts: factsOf(words) })
  }
  return jobs
}

function factsOf(words: readonly string[]): Record<string, string> {
  const pairs = words.slice(0, MOST_FACTS).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const)
  return Object.fromEntries(pairs.map(([name, value]) => [name.slice(0, LONGEST_FACT), value.slice(0, LONGEST_FACT)]))
}

const isoOf = (at: string): string => new Date(at).toISOString()

/** All processes of this machine, except the agent itself and its parent. */
function others(machine: string): ProcessId[] {
  return findMarked('TPI_MACHINE', machine).filter(({ pid }) => pid !== process.pid && pid !== process.ppid)
}

function hasWorker(machine: string, name: string): boolean {
  return others(machine).some(({ pid }) => {
    const [program = '', script = ''] = commandOf(pid)
    return [program, script].some((word) => word.split('/').at(-1) === name)
  })
}

/** Only of the runner's family: other processes, such as a daemon that set-up has started, say nothing about jobs. */
function effort(runner: ProcessId): number | undefined {
  let sum = 0
  for (const { pid } of findFamily(runner)) {
    const time = busyTime(pid)
    if (time === undefined) return undefined
    sum += time
  }
  return sum
}
