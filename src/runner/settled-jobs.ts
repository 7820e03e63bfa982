/** Final answers of the forge about jobs, kept beside the deployment: `tpi retry` may run every few minutes, and need not ask again. */
import type { Rerun } from '../core/forge.ts'
import { changeRecord } from '../engine/change-record.ts'
import type { Deployment } from '../engine/deployment.ts'
import { VERSION } from '../wire/parse.ts'
import { SETTLED } from '../wire/records.ts'
import type { ServedJob } from '../wire/runner.ts'
import { readRecord } from '../wire/swap.ts'

export interface Settled {
  /** The final answer about these jobs; `undefined`: not about all of them. */
  said(jobs: readonly ServedJob[]): Rerun | undefined
  /** Whether it is known that no job was cut off on a machine; by its name in `UnreportedJob.as`. */
  unharmed(name: string): boolean
}

export async function readSettled({ store, keys }: Deployment): Promise<Settled> {
  const known = (await readRecord(SETTLED, store, keys.settled))?.value
  return {
    said(jobs) {
      const says = jobs.map((job) => known?.jobs[nameOf(job)])
      const [first] = says
      return first !== undefined && !says.includes(undefined) ? { how: 'refused', says: says.at(-1) ?? first, final: true } : undefined
    },
    unharmed: (name) => known?.unharmed.includes(name) ?? false,
  }
}

/** Adds final answers: `says` about `jobs`, and machines on which no job was cut off. */
export async function addSettled(
  { store, keys }: Deployment,
  more: { readonly jobs?: readonly ServedJob[]; readonly says?: string; readonly unharmed?: readonly string[] },
): Promise<void> {
  const { jobs = [], says = '', unharmed = [] } = more
  if (jobs.length + unharmed.length === 0) return
  await changeRecord(SETTLED, store, keys.settled, (now) => ({
    v: VERSION,
    jobs: { ...now?.jobs, ...Object.fromEntries(jobs.map((job) => [nameOf(job), says])) },
    unharmed: [...new Set([...(now?.unharmed ?? []), ...unharmed])],
  }))
}

/** The key of one execution of a job: by its number, or by its runner and the time at which it began. */
function nameOf({ facts, start }: ServedJob): string {
  return [facts['repository'], facts['run'], facts['attempt'], facts['runner'] ?? facts['job'], start].filter(Boolean).join(' ')
}
