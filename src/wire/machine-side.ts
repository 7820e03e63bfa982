/** The machine side of a cloud: the only thing of it that runs on a machine. Light, no SDK, found through `clouds/machines.ts`. */
import { maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import type { Lent } from './credentials.ts'
import type { MachineConfig } from './machine.ts'

/** `reclaim`: the cloud is about to take this machine away · `risk`: it is likelier than others to be taken, maybe soon, maybe never. */
export interface Notice {
  readonly kind: 'reclaim' | 'risk'
  /** ISO, when the machine goes, where the cloud says so. */
  readonly at?: string
  /** Seconds left when the notice came, where the cloud says so. */
  readonly seconds?: number
  /** The machine may go sooner than that. */
  readonly atMost?: true
  /** Seconds of it that may be counted on, where that is less. */
  readonly sure?: number
  /** Not the cloud's doing: the script has written more than the machine may hold, and would do so anywhere. How much, for people. */
  readonly diskFull?: string
}

export const noticeShape = object<Notice>({
  kind: oneOf('reclaim', 'risk'),
  at: maybe(time),
  seconds: maybe(number(0, 1e9)),
  atMost: maybe(oneOf(true)),
  sure: maybe(number(0, 1e9)),
  diskFull: maybe(text(4096)),
})

/**
 * Why a machine leaves its group.
 * `done` its slot is terminal, or there is none left for it: the group may shrink by this machine · `replace` the slot is still open, or
 * the machine was fenced: the group keeps its size.
 */
const LEAVING = ['done', 'replace'] as const
export type Leaving = (typeof LEAVING)[number]
export const leaving = oneOf(...LEAVING)

/** What is left to do in a group. */
export interface OpenWork {
  /** Slots that are not at their end: some machine may hold each of them, or be saving it. */
  readonly open: number
  /** Machines that hold some of them. */
  readonly holders: readonly string[]
  /** A stop is on record: none of them wants another machine. */
  readonly stopped: boolean
}

/** `undefined`: the store does not tell in time. */
export type OpenSlots = () => Promise<OpenWork | undefined>

/**
 * Machines at the full price that take over by themselves once nobody has held them back for a while: where those of a spot market stay away, also
 * when no controller is left.
 */
export interface Standby {
  /** Milliseconds for which holding back lasts. */
  readonly wait: number
  /** This machine is one of them. */
  isOne(): Promise<boolean>
  /** They start no sooner than `wait` from now. Throws an Error for people where that cannot be done. */
  hold(): Promise<void>
  /** They start now. `false`: this machine is one of them, or it is too late for them. Throws as `hold`. */
  rouse(): Promise<boolean>
}

/** Good for some hours, for pulling images. */
export interface RegistryLogin {
  readonly user: string
  readonly password: string
}

export interface MachineSide {
  /** Yields notices until the signal. Never ends by itself and never throws: a source that fails is asked again. */
  notices(config: MachineConfig, signal: AbortSignal): AsyncIterable<Notice>
  /**
   * What it means here that the agent is asked to end by a signal. `undefined`: the system goes down, and the cloud knows nothing of it. Absent: a
   * reclaim, of which nothing more is known.
   */
  endAsked?(config: MachineConfig): Promise<Notice | undefined>
  /**
   * Takes this machine out of its group, by its own identity. Said again (after a lost reply), or to a group that is gone, it changes nothing more.
   * `done` lowers the wanted size by this machine: no sibling goes in its place, and a size that somebody has set to 0 at the same moment stays 0.
   * `replace` leaves the wanted size as it is, also where that is 0 by now: then nothing takes its place. `open` is for those who must say it anew.
   */
  leave(config: MachineConfig, why: Leaving, open?: OpenSlots): Promise<void>
  /** Where this deployment has them (`spot: prefer`). */
  standby?(config: MachineConfig): Standby | undefined
  /** Proves that `leave` would reach whom it asks: a machine that cannot leave is replaced for ever. Absent: it always can. Throws an Error for people. */
  mayLeave?(config: MachineConfig): Promise<void>
  /**
   * Where machines have an identity of their own (`credentials: 'machine'`): what it is worth at the store, and until when. The agent asks
   * again in time, and after a failure; what does not exist yet (a role that was only just made) is an error like any other.
   */
  storeCredentials?(config: MachineConfig): Promise<Lent>
  /** What opens the vendor's own registry of images to that identity; `undefined`: the host is none. Throws an Error for people. */
  registryLogin?(config: MachineConfig, host: string): Promise<RegistryLogin | undefined>
  /** What kind of machine this is, for people: its type, its market, its zone. Asked once; one that cannot tell is none the worse for it. */
  about?(config: MachineConfig): Promise<string | undefined>
  /** Its local disks, by the names below /dev/disk that udev has for them: what is there goes with the machine. Absent: it has none. */
  readonly localDisks?: RegExp
  /** Names of variables that this cloud puts into its machines for its own ends: the script does not see them. */
  hidden?(config: MachineConfig): Promise<RegExp | undefined>
  /** Further programs of this cloud that the agent bundle carries: `agent <name> …args` → exit code. */
  readonly programs?: Readonly<Record<string, (argv: string[]) => Promise<number>>>
}

/** What `clouds/machines.ts` exports as `machineSides`, by cloud id. */
export type MachineSides = Readonly<Record<string, () => Promise<MachineSide>>>
