/** The machine side of a cloud: the only part of it that runs on a machine. Light, no SDK: `side` of the cloud's `machine.ts`. */
import { maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import type { Lent } from './credentials.ts'
import type { MachineConfig } from './machine.ts'

/** `reclaim`: the cloud is about to take this machine away · `risk`: it is likelier than others to be taken, maybe soon, maybe never. */
export interface Notice {
  readonly kind: 'reclaim' | 'risk'
  /** ISO, when the machine will be taken away, if the cloud says so. */
  readonly at?: string
  /** Seconds left when the notice came, if the cloud says so. */
  readonly seconds?: number
  /** The machine may be taken away sooner than that. */
  readonly atMost?: true
  /** Seconds that are certain, if that is less. */
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
  /** Slots that have not ended: a machine may hold each of them, or be saving it. */
  readonly open: number
  /** Machines that hold some of them. */
  readonly holders: readonly string[]
  /** A stop is on record: none of them needs another machine. */
  readonly stopped: boolean
}

/** `undefined`: the store does not answer in time. */
export type OpenSlots = () => Promise<OpenWork | undefined>

/** Seconds that work waits for a spot machine before one at full price starts, if no option says so; the table of options names it, too. */
export const SPOT_WAIT = 600

/**
 * Machines at full price that start by themselves once nobody has held them back for a while: if there are no spot machines, even
 * if no controller is left.
 */
export interface Standby {
  /** Milliseconds for which holding back lasts. */
  readonly wait: number
  /** This machine is one of them. */
  isOne(): Promise<boolean>
  /** They start no sooner than `wait` from now. Throws an Error for people if that cannot be done. */
  hold(): Promise<void>
  /** They start now. `false`: this machine is one of them, or it is too late for them. Throws as `hold`. */
  rouse(): Promise<boolean>
}

/** Valid for some hours, for pulling images. */
export interface RegistryLogin {
  readonly user: string
  readonly password: string
}

export interface MachineSide {
  /** Yields notices until the signal. Never ends by itself and never throws: a source that fails is asked again. */
  notices(config: MachineConfig, signal: AbortSignal): AsyncIterable<Notice>
  /**
   * What it means on this cloud if a signal asks the agent to end. `undefined`: the system is shutting down without the cloud's knowledge. Absent: a
   * reclaim without further details.
   */
  endAsked?(config: MachineConfig): Promise<Notice | undefined>
  /**
   * Takes this machine out of its group, with its own identity. Repeated (after a lost reply), or for a group that is gone, it changes nothing more.
   * `done` lowers the wanted size by one: no other machine is removed in its place, and a size that was set to 0 at the same moment stays 0.
   * `replace` leaves the wanted size as it is, even if that is 0 by now: then nothing takes its place. `open` is for clouds that have to
   * set the size again.
   */
  leave(config: MachineConfig, why: Leaving, open?: OpenSlots): Promise<void>
  /** Where this deployment has them (`spot: prefer`). */
  standby?(config: MachineConfig): Standby | undefined
  /** Checks that `leave` would work: a machine that cannot leave would be replaced for ever. Absent: it always works. Throws an Error for people. */
  mayLeave?(config: MachineConfig): Promise<void>
  /**
   * Where machines have an identity of their own (`credentials: 'machine'`): what it is worth at the store, and until when. The agent asks
   * again in time, and after a failure; what does not exist yet (a role that was only just made) is an error like any other.
   */
  storeCredentials?(config: MachineConfig): Promise<Lent>
  /** A login to the vendor's own registry of images for that identity; `undefined`: the host is not such a registry. Throws an Error for people. */
  registryLogin?(config: MachineConfig, host: string): Promise<RegistryLogin | undefined>
  /** What kind of machine this is, for people: its type, its market, its zone. Asked once; a failure does no harm. */
  about?(config: MachineConfig): Promise<string | undefined>
  /** Its local disks, by udev's names below /dev/disk: what is on them is lost with the machine. Absent: it has none. */
  readonly localDisks?: RegExp
  /** Names of variables that this cloud sets on its machines for its own purposes: the script does not see them. */
  hidden?(config: MachineConfig): Promise<RegExp | undefined>
  /** Further programs of this cloud that the agent bundle carries: `agent <cloud> <name> …args` → exit code. */
  readonly programs?: Readonly<Record<string, (argv: string[]) => Promise<number>>>
}
