/** What `tpi retry` reports about one group of runners. */
import type { RerunJobs } from '../../runner/rerun.ts'

export interface Retried {
  readonly name: string
  readonly id: string
  readonly runs: readonly RerunJobs[]
  /** Jobs that were waiting for runners which had left. */
  readonly waiting: number
  /** Runners that have not left. */
  readonly alive: number
  readonly relaunched: boolean
  /** Why not all of it could be done. */
  readonly error?: string
}
