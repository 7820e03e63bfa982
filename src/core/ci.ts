/** What a CI job tells a command that it runs. Only the forge's own room knows the names of its variables. */
import type { Env } from '../lib/env.ts'
import type { Owner } from './identity.ts'

export interface ForgeCi {
  /** Whether this environment is a job of it. */
  detect(env: Env): boolean
  /** The owner of what this job creates; `undefined`: the job does not say. `matrix`: JSON of the leg, from the Action's hidden input. */
  owner(env: Env, matrix?: string): Owner | undefined
  /** Where its forge is, as the job's variables say: a token goes there if no option names another place. */
  addresses(env: Env): readonly string[]
  /** Variable with the job's token that may write comments at its forge; absent: the job's token may not. */
  readonly token?: string
  /** Variable with the folder that contains everything which a job may keep as artifacts; absent: artifacts may be anywhere. */
  readonly keepsBelow?: string
  /** Its log has collapsible sections, which any program can open by printing a line. */
  readonly sections?: true
  /** Lines in its log are executed as commands, whichever program prints them (`::name::`). */
  readonly commands?: true
  /** Milliseconds until it ends the job, as far as the job knows. */
  timeLeft?(env: Env, now: Date): number | undefined
  /** Milliseconds after its start at which the forge ends it, whatever it does. */
  longest?(env: Env): number | undefined
  /** The job is on a machine of the forge, which ends with it; otherwise that belongs to somebody else. */
  hosted?(env: Env): boolean
}
