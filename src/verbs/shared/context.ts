/** What a verb is given. */
import type { AgentBundle, CloudDescriptor } from '../../core/cloud.ts'
import type { Host } from '../../core/host.ts'
import type { Owner } from '../../core/identity.ts'
import type { Engine } from '../../engine/deployment.ts'
import type { OpenAccess, OpenCloud } from '../../engine/find.ts'
import type { ClockFault } from '../../lib/clock-check.ts'
import type { Env } from '../../lib/env.ts'
import type { Parsed } from '../../options/parse.ts'
import type { OptionValues } from '../../options/rows/table.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { CiJob } from './ci-job.ts'
import type { Signals } from './signals.ts'

export interface VerbContext {
  readonly values: OptionValues
  /** Everything the parser made of the command: program, set-up, environment, what stands after `--`. */
  readonly parsed: Parsed
  readonly engine: Engine
  readonly host: Host
  readonly owner: Owner
  /** The folder in which the command was given; paths are relative to it. */
  readonly cwd: string
  readonly env: Env
  readonly signals: Signals
  /** A person sits at a terminal. */
  readonly interactive: boolean
  /** Prints to that person, even if the host's output goes elsewhere. */
  readonly toTerminal?: (text: string) => void
  /** Every cloud. */
  readonly descriptors: readonly CloudDescriptor[]
  /** Machines of this cloud cost money while they exist. */
  billed(cloud: string): boolean
  /** The cloud that was named; or, for verbs that look for what exists, every cloud that can be checked from here. */
  clouds(): Promise<readonly OpenCloud[]>
  /** Notes where a deployment is made, so that later commands of this home look there. Called before the first call to the cloud. */
  note(place: { readonly id: string; readonly name: string; readonly cloud: string }): Promise<void>
  readonly access: OpenAccess
  /** The store that was asked for by option, with this controller's credentials for it. */
  storage(): Promise<StoreAccess | undefined>
  agent(): Promise<AgentBundle>
  /** What is wrong with the clock of this computer, by the dates of servers that have answered. */
  readonly clockFault?: () => ClockFault | undefined
  /** Present if the command runs in a CI job. */
  readonly ciJob?: CiJob
}

/** The context without its interrupt: for cleaning up after one. */
export function undisturbed(context: VerbContext): VerbContext {
  return { ...context, signals: { ...context.signals, first: new AbortController().signal } }
}

/** Resolves to the exit code. */
export type VerbRun = (context: VerbContext) => Promise<number>
