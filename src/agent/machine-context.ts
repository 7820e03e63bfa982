/** What all parts of the agent on one machine share: who it is, what to run, where the store and the folders are. */
import { join } from 'node:path'
import type { Layout, SlotLayout } from '../wire/layout.ts'
import type { MachineConfig } from '../wire/machine.ts'
import type { RegistryLogin } from '../wire/machine-side.ts'
import type { RunnerSpec, Spec, TaskSpec } from '../wire/spec.ts'
import type { Store, StorePlace } from '../wire/store.ts'

export interface MachineContext<S extends Spec = Spec> {
  readonly config: MachineConfig
  readonly spec: S
  readonly store: Store
  readonly keys: Layout
  readonly folders: MachineFolders
  /** Aborts when the cloud may soon take this machine away: from then on, checkpoints are saved more often. */
  readonly atRisk: AbortSignal
  /** A line of the agent for people: to the machine's log and, once a slot is held, to the slot's. */
  readonly say: (line: string) => void
  /** The same for lines that every follower of the run should see. */
  readonly warn: (line: string) => void
}

/** The context of a machine that holds a slot. */
export interface SlotContext<S extends Spec = Spec> extends MachineContext<S> {
  readonly index: number
  readonly slot: SlotLayout
}

export type TaskContext = SlotContext<TaskSpec>
export type RunnerContext = SlotContext<RunnerSpec>

/** What the machine's identity gives the agent, but never the script. */
export interface MachineIdentity {
  readonly open: (place: StorePlace) => Promise<Store>
  /** The login to a registry of images; `undefined`: it has none there. */
  readonly login: (host: string) => Promise<RegistryLogin | undefined>
}

export interface MachineFolders {
  /** The script's work directory: restored, saved. */
  readonly work: string
  /** `TMPDIR`: never saved. */
  readonly tmp: string
  /** The agent's own files: the text of the script, its outputs, the part of its log that waits for the store. */
  readonly run: string
}

export function foldersOf(home: string): MachineFolders {
  return { work: join(home, 'work'), tmp: join(home, 'tmp'), run: join(home, 'run') }
}
