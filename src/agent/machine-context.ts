/** What everything on one machine shares: who we are, what to run, where the store and the folders are. */
import { join } from 'node:path'
import type { Layout, SlotLayout } from '../wire/layout.ts'
import type { MachineConfig } from '../wire/machine.ts'
import type { RegistryLogin } from '../wire/machine-side.ts'
import type { Spec } from '../wire/spec.ts'
import type { Store, StorePlace } from '../wire/store.ts'

export interface MachineContext<S extends Spec = Spec> {
  readonly config: MachineConfig
  readonly spec: S
  readonly store: Store
  readonly keys: Layout
  readonly folders: MachineFolders
  /** Aborts when the cloud may soon take this machine: as much as possible should be saved by then. */
  readonly atRisk: AbortSignal
  /** A line of our own for people: to the machine's log and, once a slot is held, to the slot's. */
  readonly say: (line: string) => void
  /** The same for what everybody who follows the run is to see. */
  readonly warn: (line: string) => void
}

/** The context of a machine that holds a slot. */
export interface SlotContext<S extends Spec = Spec> extends MachineContext<S> {
  readonly index: number
  readonly slot: SlotLayout
}

/** What the identity of the machine opens to the agent, and never to the script. */
export interface MachineIdentity {
  readonly open: (place: StorePlace) => Promise<Store>
  /** A registry of images; `undefined`: none that it opens. */
  readonly login: (host: string) => Promise<RegistryLogin | undefined>
}

export interface MachineFolders {
  /** The script's work directory: restored, saved. */
  readonly work: string
  /** `TMPDIR`: never saved. */
  readonly tmp: string
  /** Our own files: program text, outputs, log spool. */
  readonly run: string
}

export function foldersOf(home: string): MachineFolders {
  return { work: join(home, 'work'), tmp: join(home, 'tmp'), run: join(home, 'run') }
}
