/** What everything on one machine shares: who we are, what to run, where the store and the folders are. */
import { join } from 'node:path'
import type { Layout, SlotLayout } from '../wire/layout.ts'
import type { MachineConfig } from '../wire/machine.ts'
import type { RegistryLogin } from '../wire/machine-side.ts'
import type { Spec } from '../wire/spec.ts'
import type { Store, StorePlace } from '../wire/store.ts'

export interface Site<S extends Spec = Spec> {
  readonly config: MachineConfig
  readonly spec: S
  readonly store: Store
  readonly keys: Layout
  readonly folders: Folders
  /** A line of our own for people: to the machine's log and, once a slot is held, to the slot's. */
  readonly say: (line: string) => void
  /** The same for what everybody who follows the run is to see. */
  readonly warn: (line: string) => void
}

/** A site that holds a slot. */
export interface SlotSite<S extends Spec = Spec> extends Site<S> {
  readonly index: number
  readonly slot: SlotLayout
}

/** What the identity of the machine opens to the agent, and never to the script. */
export interface Identity {
  readonly open: (place: StorePlace) => Promise<Store>
  /** A registry of images; `undefined`: none that it opens. */
  readonly login: (host: string) => Promise<RegistryLogin | undefined>
}

export interface Folders {
  /** The script's work directory: restored, saved. */
  readonly work: string
  /** `TMPDIR`: never saved. */
  readonly tmp: string
  /** Our own files: program text, outputs, log spool. */
  readonly run: string
}

export function foldersOf(home: string): Folders {
  return { work: join(home, 'work'), tmp: join(home, 'tmp'), run: join(home, 'run') }
}
