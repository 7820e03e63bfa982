/** The machine side of a cloud: the only part of it that runs on a machine, without the vendor's SDK. Each cloud's `machine.ts` has one. */
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
  /** The machine may also be taken away sooner. */
  readonly atMost?: true
  /** Seconds that are certain; absent: all of them. */
  readonly sure?: number
  /** The cloud takes the machine away because the script has written more than the machine may hold, as it would anywhere. How much, for people. */
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
 * `done` its slot is terminal, or there is none for it: the group shrinks by this machine · `replace` its slot is still open, or another machine has
 * taken it: the group keeps its size, and makes a new machine.
 */
const LEAVING = ['done', 'replace'] as const
export type Leaving = (typeof LEAVING)[number]
export const leaving = oneOf(...LEAVING)

/** What is left to do in a deployment. */
export interface OpenWork {
  /** How many slots are not terminal. */
  readonly open: number
  /** The machines that hold them. */
  readonly holders: readonly string[]
  /** A request to stop is on record, so no slot needs another machine. */
  readonly stopped: boolean
}

/** Resolves to `undefined` if the store does not answer in time. */
export type OpenSlots = () => Promise<OpenWork | undefined>

/** Seconds without enough spot machines after which machines at full price start, if the user does not say. The table of options names it, too. */
export const SPOT_WAIT = 600

/**
 * The twin of a group of spot machines (`spot: prefer`): its machines, at full price, start by themselves once nobody has held them back for a while.
 * So they start when there are no spot machines, even if no controller is left.
 */
export interface Standby {
  /** Milliseconds for which one `hold` holds them back. */
  readonly wait: number
  /** Whether this machine is one of them. */
  isOne(): Promise<boolean>
  /** Holds them back: they start no sooner than `wait` from now. Throws an Error for people if that is not possible. */
  hold(): Promise<void>
  /** Starts them now. `false`: this machine is one of them, or it is too late for them. Throws as `hold`. */
  rouse(): Promise<boolean>
}

/** A login for pulling images; valid for some hours. */
export interface RegistryLogin {
  readonly user: string
  readonly password: string
}

export interface MachineSide {
  /** Yields notices until the signal. Neither ends by itself nor throws: a source that fails is asked again. */
  notices(config: MachineConfig, signal: AbortSignal): AsyncIterable<Notice>
  /**
   * What it means on this cloud if a signal asks the agent to end. `undefined`: the system shuts down, and the cloud does not know of it. Absent:
   * it is a reclaim, without details.
   */
  endAsked?(config: MachineConfig): Promise<Notice | undefined>
  /**
   * Takes this machine out of its group, with its own identity. For a group that is gone, it changes nothing; called again (after a lost answer), it
   * makes room for one machine too many at most, which finds no slot, and leaves.
   * `done` lowers the wanted size by one: no other machine is removed instead, and a size that was set to 0 at the same moment stays 0. `replace`
   * leaves the wanted size as it is, even if that is 0 by now: then no machine takes its place. `open` is for clouds that have to set the size
   * again.
   */
  leave(config: MachineConfig, why: Leaving, open?: OpenSlots): Promise<void>
  /** Machines at full price that stand by; `undefined`, or absent: this deployment has none. */
  standby?(config: MachineConfig): Standby | undefined
  /** Throws an Error for people if `leave` would not work: such a machine would be replaced for ever. Absent: it always works. */
  mayLeave?(config: MachineConfig): Promise<void>
  /**
   * The credentials for the store that the machine's own identity gets (`credentials: 'machine'`), and until when. The agent asks again in time, and
   * after any failure, such as a role that does not exist yet because it was only just made.
   */
  storeCredentials?(config: MachineConfig): Promise<Lent>
  /** A login to the vendor's own registry of images for that identity; `undefined`: the host is not such a registry. Throws an Error for people. */
  registryLogin?(config: MachineConfig, host: string): Promise<RegistryLogin | undefined>
  /** What kind of machine this is, for people: its type, its market, its zone. Asked once; nothing depends on it. */
  about?(config: MachineConfig): Promise<string | undefined>
  /** Which names below /dev/disk (as udev makes them) are local disks: what is on them is lost with the machine. Absent: there are none. */
  readonly localDisks?: RegExp
  /** Which names of variables this cloud uses on its machines for its own purposes: the script does not get these variables. */
  hidden?(config: MachineConfig): Promise<RegExp | undefined>
  /** Further programs of this cloud in the agent bundle, by name: `agent <cloud> <name> ARGS`. Each resolves to its exit code. */
  readonly programs?: Readonly<Record<string, (argv: string[]) => Promise<number>>>
}
