/** What the CI of a forge tells a command that one of its jobs runs. Only the forge's own room knows what its variables are called. */
import type { Owner } from './identity.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface ForgeCi {
  /** Whether this environment is a job of it. */
  detect(env: Env): boolean
  /** Whose the things are that the job around us makes; `undefined`: it does not say. `matrix`: JSON of the leg, as the Action's hidden input hands it over. */
  owner(env: Env, matrix?: string): Owner | undefined
  /** Variable with the token that a job is given to speak at its forge; absent: that one may not. */
  readonly token?: string
  /** Variable with the folder below which everything has to lie that a job keeps as artifacts; absent: it may lie anywhere. */
  readonly keepsBelow?: string
  /** Its log has collapsible sections, which any program may open by a line. */
  readonly sections?: true
  /** Its log carries out lines that any program prints (`::name::`). */
  readonly commands?: true
  /** Milliseconds until it ends the job, as the job is told. */
  timeLeft?(env: Env, now: Date): number | undefined
  /** Milliseconds that it leaves a job on a machine of its own, which ends with that; `undefined`: the machine is somebody else's. */
  hostedFor?(env: Env): number | undefined
}
