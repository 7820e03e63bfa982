/** What the CI job of a command can do with a run. */
import type { Delivery } from '../../engine/deliver/collect.ts'
import type { KeptFiles } from '../../engine/history.ts'
import type { Artifact, RunReport } from '../../report/run.ts'

export interface CiJob {
  /** Keeps delivered files with the CI run. `paths`: all results, relative to the folder of the delivery. Throws if they cannot be kept. */
  artifact?(name: string, delivery: Delivery, paths: readonly string[], label?: string): Promise<Artifact | undefined>
  /** Keeps record and log of a run that has ended with the CI run. */
  log?(name: string, kept: KeptFiles, label?: string): Promise<Artifact | undefined>
  /** A verb is done with a deployment: the run has ended, or goes on without this command. */
  reported?(run: RunReport, how: 'ended' | 'detached'): Promise<void>
  /** Milliseconds until the host kills this CI job. */
  readonly timeLeft?: () => Promise<number | undefined>
}
