/** What the rest of tpi needs from a cloud: it keeps a group of N machines, each running one boot program, and finds it again by tag. */
import type { Env } from '../lib/env.ts'
import type { DeploymentFacts } from '../wire/spec.ts'
import type { StoreAccess, StorePlace } from '../wire/store.ts'
import type { Check } from './check.ts'
import type { Fault } from './errors.ts'
import type { Rows } from './option.ts'
import type { Quote } from './quote.ts'
import type { Resource } from './resource.ts'
import type { SizeRequest } from './size.ts'

export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number
  /** Wall time. */
  date(): Date
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>>

/** Everything that a cloud may know about its surroundings is passed in. */
export interface CloudContext {
  readonly env: Env
  /** `$TPI_HOME`, absolute. */
  readonly home: string
  /** Option values as parsed. */
  readonly values: Readonly<Record<string, unknown>>
  readonly log: Log
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The agent bundle: bytes to run on a machine, by digest. */
  agent(): Promise<AgentBundle>
}

export interface AgentBundle {
  /** SHA-256, hex. */
  readonly digest: string
  readonly bytes: Uint8Array
}

/** What machines fetch from the store. */
export interface Program {
  /** SHA-256, hex. */
  readonly digest: string
  /** May have to be downloaded first. */
  bytes(): Promise<Uint8Array>
  /** Large, and the same for all deployments of the store: it is uploaded once, and the store copies it for each of them. */
  readonly shared?: boolean
}

/**
 * One incarnation of a deployment. Names and tags of everything in a cloud carry both, and calls name both, so a process that is late, suspended or
 * second can only touch its own incarnation.
 */
export interface Reference {
  readonly id: string
  readonly incarnation: string
  /** Where it was made, if that is on record. Otherwise a cloud looks where it has seen it, or else where it makes new ones. */
  readonly region?: string | undefined
}

/** What every cloud must remember with its group, so that a deployment is found and understood without any local file. */
export interface DeploymentTags extends DeploymentFacts {
  /** Where the store is; never a credential. */
  readonly store: StorePlace
  /** Confirms what records say about where outputs go and which they are, or where runners register: machines cannot write tags. */
  readonly promise?: string
  /** The user's own tags. */
  readonly user: Readonly<Record<string, string>>
}

/** What each machine should be like. */
export interface MachineRequest {
  readonly size: SizeRequest
  readonly diskBytes?: number
  readonly image?: string
  /** If machines are containers and no image was requested: one that has what the program needs. */
  readonly usualImage?: string
  readonly region?: string
  readonly spot: SpotRequest
  readonly permissionSet?: string
  /** Programs run in a container of this image, so the machine must have a container engine (`can.wholeSystem`). */
  readonly container?: string
  /** The program should not be root: if the machine has another user for it, it runs as that one. */
  readonly unprivileged?: boolean
}

/** Several of them. */
export interface MachinesRequest extends MachineRequest {
  readonly count: number
}

/** Cloud-neutral request for a group of machines. Plain data. */
export interface MachineSpec extends MachineRequest {
  readonly tags: DeploymentTags
  /** Digest of the agent bundle to boot. */
  readonly agent: string
  /** The store with the credentials a machine needs for it. */
  readonly store: StoreAccess
  /** Keeps the folder of a machine that has left (`can.keep`), to look into a failure. */
  readonly keep?: boolean
  /** What must be known about it even when its records are gone, if the cloud may remove them early. Small; it may hold secrets. */
  readonly tombstone?: string
  /** Its machines may start before it is complete, and wait for it: a cloud whose store takes a while can start them meanwhile. */
  readonly ahead?: boolean
  /** Random reclaims for rehearsal, where the cloud can (`can.rehearse`). */
  readonly rehearse?: { readonly every: number; readonly seed: number }
}

export type SpotRequest =
  | { readonly want: 'never' }
  | {
      readonly want: 'only' | 'prefer'
      readonly maxPrice?: number
      /** Seconds without enough spot machines after which others start (`prefer`). */
      readonly wait?: number
    }

export interface Machine {
  readonly id: string
  /** Slot number in numbered groups. In others it is absent, and the slot's record names its machine. */
  readonly index?: number
  readonly state: 'starting' | 'running' | 'leaving' | 'gone'
  readonly address?: string
  readonly startedAt?: string
  /** How a machine that is gone ended, for people. */
  readonly reason?: string
  /** It has been starting for a while, or running without a sign of life, and needs help from outside: what is in its way, for people. */
  readonly stuck?: string
  /** Present if the cloud knows more exactly why the whole machine ended, including the agent. */
  readonly cause?: 'out-of-memory' | 'disk-full'
  /** The end of its boot log, if it is available. */
  readonly bootLog?: string
  /** The answer of `whySilent`, if it was asked. */
  readonly said?: string
}

/**
 * `capacity` try elsewhere · `quota` ask for more · `denied` a permission · `failure` a machine or image · `notice` reclaim · `advice` good
 * to know, nothing waits for it · `info` the rest
 */
export type EventKind = 'info' | 'advice' | 'notice' | 'capacity' | 'quota' | 'denied' | 'failure'

/** Kinds that do not keep anything from running. */
export const HARMLESS: ReadonlySet<string> = new Set(['info', 'advice', 'notice'] satisfies EventKind[])

export interface CloudEvent {
  /** ISO. */
  readonly at: string
  readonly kind: EventKind
  /** In plain words, naming the reason as the cloud gave it. */
  readonly text: string
  readonly index?: number
  /** Its machine, which has ended or soon will: if it holds a slot, the end of its attempt says the same. */
  readonly machine?: string
  /** Waiting has not helped: it needs help from outside. */
  readonly hopeless?: boolean
  /** Present if a request cannot be met here: the option with which it was made. */
  readonly option?: string
}

export interface Observation {
  /** `absent` no such group to be seen from here · `stopped` wanted size 0 and no machine · `up` anything else */
  readonly phase: 'absent' | 'stopped' | 'up'
  readonly wanted: number
  /** Present machines, and those lately gone. */
  readonly machines: readonly Machine[]
  /** Oldest first; a reader keeps count itself and prints only what is new. */
  readonly events: readonly CloudEvent[]
  /** Why the group makes no more machines, if the cloud has ended it by itself. */
  readonly ended?: string
}

export const ABSENT: Observation = { phase: 'absent', wanted: 0, machines: [], events: [] }

export interface Account {
  /** For people: account, project, cluster, host. */
  readonly name: string
}

/** What a deployment left in a cloud looks like from outside. */
export interface Found {
  readonly tags: DeploymentTags
  readonly phase: Observation['phase']
}

/**
 * An open, authenticated cloud. No method sleeps or polls: waiting is the engine's job. A failed or throttled query throws and is never taken
 * as "not there". Errors leaving here are those of `errors.ts`.
 */
export interface Cloud {
  /** Where its new groups are made. Absent: it has only one place. */
  readonly region?: string
  /** Where they may be made, by the vendor's names, in the user's order. The first one has the store. */
  readonly regions?: readonly string[]
  /** The same cloud, with the same store, which makes new groups in another one of `regions`. */
  inRegion?(region: string): Cloud
  /** `regions`, starting with those in which such machines are most likely to be available at the moment. Absent: not known. */
  likeliest?(request: MachineRequest): Promise<readonly string[]>
  /** Cheap proof of credentials. */
  whoami(): Promise<Account>
  /** Starts the calls that `faults` will need, in parallel with others; if they fail, `faults` will show it. */
  foresee?(request: MachineRequest): void
  /** All faults of a request that only this cloud can see (unknown machine type, …). Creates nothing. */
  faults(spec: Omit<MachineSpec, 'store' | 'agent'>): Promise<readonly Fault[]>
  /** Where the store of a deployment goes unless the user named one, with credentials for the controller and for the machines. */
  store(id: string): Promise<StoreAccess>
  /**
   * Other places with stores that no user named: those of its other regions that have one. A region that cannot be checked is reported to
   * `lost` and does not hide the others.
   */
  otherStores?(lost: (where: string, error: unknown) => void): Promise<readonly StoreAccess[]>
  /**
   * This place is the store of a single deployment: it is removed with it, last of all, and is opened by `store(id)`. Absent: there are no
   * such stores, and all deployments of an account share one; if that is `gone`, nobody has needed it yet.
   */
  isOwn?(place: StorePlace): boolean
  /** What makes up the store, which a deployment needs before it can have its name. Creates nothing itself. Absent: nothing. */
  storeSetup?(spec: MachineSpec): Promise<StoreSetup>
  /**
   * What exists of a store that belongs only to this deployment; removed in reverse. All its incarnations use that store: parts that one
   * has started to use since this call are kept, whatever the caller removes. So call it before the last record is removed, and remove the
   * parts after that. Absent: there is nothing.
   */
  remainingStore?(of: Reference): Promise<Resource[][]>
  /** Tombstones of deployments whose records have removed themselves, and of those to which that may happen. Absent: it never happens. */
  tombstones?(): Promise<readonly Tombstone[]>
  /** What its machines fetch from the store by digest: the agent, and the runtime that it runs on. Absent: they get them in another way. */
  programs?(spec: MachineSpec): Promise<readonly Program[]>
  /** Stages in order, members of a stage in parallel: … → group at 0 → dead-man's switch. Creates nothing itself. */
  blueprint(spec: MachineSpec): Promise<Resource[][]>
  /**
   * Everything of this incarnation that exists, found by tag or name; removed in reverse. Includes nothing of the store, and nothing of
   * another incarnation.
   */
  leftovers(of: Reference): Promise<Resource[][]>
  /**
   * Whether its remaining parts are independent of its machines, so that they can be listed while machines are ending. Absent: only once
   * they are gone.
   */
  steadyLeftovers?(of: Reference): boolean
  /**
   * The group with its machines, if removing it ends all of them and takes until the last one is gone. Absent: it can only be removed once
   * it is empty.
   */
  wholeGroup?(of: Reference): Resource
  /** Sets the wanted size; does not wait for machines. A group that is gone is fine when `count` is 0. */
  scale(of: Reference, count: number): Promise<void>
  /**
   * Like `scale`, for a group that somebody else may have made, and that has begun to lack machines: includes the one that starts at the
   * full price. Absent: `scale` is enough.
   */
  resume?(of: Reference, count: number): Promise<void>
  /** `absent` if there is no such group; throws only if it cannot tell. */
  observe(of: Reference): Promise<Observation>
  /**
   * Removes machines whose program has ended, as the last `observe` found, but which others keep alive, and which are in the way of new ones.
   * Only a command that follows does so. Absent: that never happens.
   */
  clearDead?(of: Reference): Promise<void>
  /** Milliseconds between two looks while nothing changes, if each costs calls that count against a limit. Absent: no limit. */
  readonly calm?: number
  /**
   * Milliseconds after a change during which `observe` may still give the old answer, or a wrong one: a single look is then not trusted if it says
   * `stopped` or `absent`. Absent: answers are exact.
   */
  readonly settling?: number
  /**
   * Every incarnation of every deployment of tpi in this account, this cluster, this home. If that means several places (regions), one that does
   * not answer is reported to `lost` and does not hide the others; without `lost`, it throws. A deployment that another version of tpi has made is
   * left out, and also reported to `lost`; without that, the user is warned. `id`: only those of this deployment.
   */
  list(lost?: (where: string, error: unknown) => void, id?: string): Promise<readonly Found[]>
  /** Gives notice of a reclaim to one machine (by its id) or to all, as the cloud itself would. Absent: machines get it through the store. */
  interrupt?(of: Reference, machine: string | undefined): Promise<void>
  /**
   * Runs a command beside the script on a running machine; resolves to its exit code. What it writes goes to `output`, unless the machine
   * is this host: then it uses this process's own streams.
   */
  exec?(of: Reference, machine: string, argv: readonly string[], output: CommandOutput): Promise<number>
  /** Why a machine that is or was running has not reported: what its own log says, and what may be in its way. */
  whySilent?(of: Reference, machine: string): Promise<string>
  /** USD that one machine of the group costs per hour now, according to this cloud; `undefined` if it cannot tell. */
  price?(of: Reference): Promise<number | undefined>
  /** The same before there is a group. `undefined` where it cannot tell. */
  quote?(request: MachineRequest): Promise<Quote | undefined>
  /**
   * Makes the identity for machines whose caller may not make one, once for an account; called again, it updates its rights.
   * Resolves to what it did, for people. Absent: it has to be made by other means.
   */
  establish?(): Promise<string>
  /** Checks everything that can be wrong here before anything is made. Creates nothing. `store`: the cloud's own for each deployment, or not. */
  doctor(request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]>
  /**
   * Resolves when the machines that a look has found are gone, according to the cloud itself; rejects if it can no longer tell. Absent: the
   * engine looks again.
   */
  emptied?(of: Reference, signal: AbortSignal): Promise<void>
  /** Called first by every verb: cleans up what a crash of tpi's own processes left here. Quiet if there is nothing. */
  recover?(): Promise<readonly string[]>
}

export type CommandOutput = (stream: 'out' | 'err', bytes: Uint8Array) => void

/** What is left of a deployment whose records have removed themselves: it costs nothing, and the cloud removes it in time. */
export interface Tombstone {
  readonly tags: DeploymentTags
  readonly text: string
}

/** What makes up the store of a deployment: the bucket that its records share with others, or a store of its own. */
export interface StoreSetup {
  /** As `blueprint`. */
  readonly stages: Resource[][]
  /** Present if it may take a while after that until the store answers. */
  readonly starting?: StoreStart
  /**
   * The group at its full size, if it does not have to wait for the store. It is started as soon as this run has made the very first
   * resource, because then nobody else can have anything of this deployment. A maker that starts it here does not make another one.
   */
  readonly ahead?: () => Promise<Resource[][]>
}

export interface StoreStart {
  /** What keeps it from answering, according to the cloud. */
  events(): Promise<readonly CloudEvent[]>
  /** Whether it runs, and can be asked; `undefined`: not known. Costs no call. */
  runs(): boolean | undefined
  /** The usual reason if it runs, and cannot be reached. */
  readonly unreached: string
}

export interface CredentialVariable {
  readonly env: string
  readonly help: string
  readonly secret: boolean
}

/** Static facts of a cloud: always loaded, costs nothing. */
export interface CloudDescriptor {
  readonly id: string
  readonly title: string
  /** Machines cost money while they exist. */
  readonly billed: boolean
  readonly credentials: readonly CredentialVariable[]
  /** Options of this cloud only. */
  readonly options?: Rows
  /** Other names that users know it by. */
  readonly aliases?: readonly string[]
  readonly can: {
    readonly spot: boolean
    readonly gpu: boolean
    readonly exec: boolean
    /** It can rehearse reclaims by itself. */
    readonly rehearse: boolean
    /** The folder of a machine that has left can be kept without blocking anything else (`MachineSpec.keep`). */
    readonly keep: boolean
    /** Slot = index: a machine knows its slot. */
    readonly numbered: boolean
    /**
     * Machines run a whole operating system, which the agent sets up: local disks, containers. They reach the storage with an identity of their
     * own, not with the command's credentials.
     */
    readonly wholeSystem: boolean
  }
  /**
   * What a machine runs that is made only as a probe (`doctor --probe`): it prints each finding as a line of JSON (`Finding`). Absent: this cloud
   * makes no probe, and the option is refused.
   */
  readonly probe?: readonly string[]
  /**
   * Types that fit such a request, the best first, as far as that is known without asking the cloud; `undefined`: none fits. Absent: the
   * cloud has no types.
   */
  machineTypes?(request: SizeRequest, spot: boolean): Promise<readonly string[] | undefined>
  /** The smallest set of rights that a caller needs, as text to hand to an administrator. */
  permissions(values: Readonly<Record<string, unknown>>, env: Env): Promise<string>
  load(): Promise<{ open(context: CloudContext): Promise<Cloud> }>
}
