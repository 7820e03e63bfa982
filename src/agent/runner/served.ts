/** The jobs of one start of a runner that is over. Pure. */
import { plural } from '../../lib/text.ts'
import { madeGood } from '../../wire/interrupted-jobs.ts'
import type { ServedJob } from '../../wire/runner.ts'

/** `cutOff`: which one was told to end, however it did; -1: none. `leaving`: the machine was on its way out, and took what had no end yet along; else that ended by itself. */
export function settled(
  jobs: readonly ServedJob[],
  how: { readonly cutOff: number; readonly leaving: boolean; readonly now: string },
): ServedJob[] {
  const { cutOff, leaving, now } = how
  return jobs.map((job, at) => {
    if (at === cutOff || (job.end === undefined && leaving)) return { ...job, end: job.end ?? now, interrupted: true }
    return job.end === undefined ? { ...job, end: now } : job
  })
}

/** For people: what became of the jobs of a slot. `failed`: how many of those that were served did not succeed. */
export function servedText({ served, failed }: { readonly served: number; readonly failed: number }, jobs: readonly ServedJob[]): string {
  const cut = jobs.filter(({ interrupted }) => interrupted)
  // Legs of a matrix have one name: each that ran again stands for one of them.
  const again = cut.reduce<readonly ServedJob[]>((good, job) => (madeGood([...good, job], jobs) ? [...good, job] : good), []).length
  return [
    `served ${plural(served, 'job')}${failed > 0 ? ` (${failed} failed by ${failed === 1 ? 'itself' : 'themselves'})` : ''}`,
    ...(again > 0 ? [`${again} cut off and run again`] : []),
    ...(cut.length > again ? [`${cut.length - again} cut off and not run again here`] : []),
  ].join(', ')
}
