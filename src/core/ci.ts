/** What a CI job tells the commands that it runs, and where it keeps files. Only the forge's own room knows the names of its variables. */
import type { Env } from '../lib/env.ts'
import type { Owner } from './identity.ts'

export interface ForgeCi {
  /** This is the environment of a job of this forge. */
  detect(env: Env): boolean
  /** The owner of what the job creates; `undefined`: the job does not say. `matrix`: JSON of the leg, from the Action's hidden input. */
  owner(env: Env, matrix?: string): Owner | undefined
  /** Where the job's forge is: a token goes there if no option names another place. */
  addresses(env: Env): readonly string[]
  /** Variable with the job's token, if that may write comments at the forge. */
  readonly token?: string
  /** Variable with the folder below which everything must be that a job keeps as artifacts; absent: artifacts may be anywhere. */
  readonly keepsBelow?: string
  /** A job's log has sections that can be folded: any program opens one by printing a line. */
  readonly sections?: true
  /** Lines in a job's log are executed as commands (`::name::`), whichever program prints them. */
  readonly commands?: true
  /** Milliseconds until the forge ends the job, as far as the job knows. */
  timeLeft?(env: Env, now: Date): number | undefined
  /** Milliseconds after its start at which the forge ends the job in any case. */
  longest?(env: Env): number | undefined
  /** The job's machine is one of the forge's, and ends with the job. */
  hosted?(env: Env): boolean
}

/** Where files are kept with the run of a workflow. */
export interface ArtifactService {
  /** Replaces an artifact of the same name from an earlier attempt of this run. */
  replace(
    name: string,
    files: readonly string[],
    root: string,
    options: { readonly retentionDays?: number; readonly compressionLevel: number },
  ): Promise<{ readonly id: string; readonly bytes: number }>
}
