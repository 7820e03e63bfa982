/** What a cloud is to us: a place that keeps a group of N machines, each running one boot program, found again by tag. */
import type { DeploymentFacts } from '../wire/spec.ts'
import type { StoreAccess, StorePlace } from '../wire/store.ts'
import type { Check } from './check.ts'
import type { Rows } from './option.ts'
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

/** Everything a cloud may know of its surroundings is handed to it. */
export interface CloudContext {
  readonly env: Readonly<Record<string, string | undefined>>
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

/**
 * One incarnation of a deployment. Names and tags of everything in a cloud carry both, and a cloud is asked by both: a process that is late, frozen or
 * second can touch only its own.
 */
export interface Reference {
  readonly id: string
  readonly incarnation: string
  /** Where it was made, if that is on record. Without it a cloud looks where it has seen it, else where it makes new ones. */
  readonly region?: string | undefined
}

/** What every cloud must remember with its group, so that a deployment is found and understood without any local file. */
export interface DeploymentTags extends DeploymentFacts {
  /** Where the store is; never a credential. */
  readonly store: StorePlace
  /** Vouches for what records say of where outputs go, and which, or of where runners register: machines cannot write tags. */
  readonly promise?: string
  /** The user's own tags. */
  readonly user: Readonly<Record<string, string>>
}

/** What each machine should be like. */
export interface MachineRequest {
  readonly size: SizeRequest
  readonly diskBytes?: number
  readonly image?: string
  /** Where machines are containers and no image is asked for: one that has what runs there. */
  readonly usualImage?: string
  readonly region?: string
  readonly spot: SpotRequest
  readonly permissionSet?: string
  /** Programs run in a container of this image: the machine is to have what runs it (`can.wholeSystem`). */
  readonly container?: string
  /** What runs there wants no root: where a machine has another user to be, it is that one. */
  readonly unprivileged?: boolean
}

/** Cloud-neutral request for a group of machines. Plain data. */
export interface MachineSpec extends MachineRequest {
  readonly tags: DeploymentTags
  /** Digest of the agent bundle to boot. */
  readonly agent: string
  /** The store with the credentials a machine needs for it. */
  readonly store: StoreAccess
  /** The folder of a machine that has left stays as it is (`can.keep`); for looking into a failure. */
  readonly keep?: boolean
  /** What is to be known of it once its records are gone, where a cloud ends them before their time. Small; it may hold secrets. */
  readonly tombstone?: string
  /** Its machines may be up before it is complete, and wait for it: a cloud whose store takes a while may start them meanwhile. */
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
  /** Slot number in numbered groups; elsewhere absent, and the slot's record names its machine. */
  readonly index?: number
  readonly state: 'starting' | 'running' | 'leaving' | 'gone'
  readonly address?: string
  readonly startedAt?: string
  /** How a machine that is gone ended, for people. */
  readonly reason?: string
  /** It has been starting for a while, or running without a word, and nothing will come of it without help from outside: what holds it up, for people. */
  readonly stuck?: string
  /** Present where the cloud knows more exactly why the whole machine went, the agent included. */
  readonly cause?: 'out-of-memory' | 'disk-full'
  /** The end of its boot log, where one is to be had. */
  readonly bootLog?: string
  /** What `whySilent` told of it, where somebody has asked. */
  readonly said?: string
}

/** `capacity` try elsewhere · `quota` ask for more · `denied` a permission · `failure` a machine or image · `notice` reclaim · `advice` good to know, nothing waits for it · `info` the rest */
export type EventKind = 'info' | 'advice' | 'notice' | 'capacity' | 'quota' | 'denied' | 'failure'

/** Kinds that keep nothing from running. */
export const HARMLESS: ReadonlySet<string> = new Set(['info', 'advice', 'notice'] satisfies EventKind[])

export interface CloudEvent {
  /** ISO. */
  readonly at: string
  readonly kind: EventKind
  /** In plain words, naming the reason as the cloud gave it. */
  readonly text: string
  readonly index?: number
  /** Its machine, which has come to its end or soon will: if that holds a slot, the end of its attempt tells the same. */
  readonly machine?: string
  /** Waiting for it to pass has been tried: it needs help from outside. */
  readonly hopeless?: boolean
  /** Present where it is a request that cannot be met here: the option that it came by. */
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
  /** Why the group makes no more machines, where the cloud has ended it by itself. */
  readonly ended?: string
}

export interface Account {
  /** For people: account, project, cluster, host. */
  readonly name: string
}

/** USD that one machine costs per hour. */
export interface Quote {
  /** As it is now. */
  readonly hour: number
  /** Whatever the market does; absent where that is not known. */
  readonly most?: number
  /** How its machines reach others: that costs besides. */
  readonly reach?: Reach
}

export interface Reach {
  /** Each has a public address; else they go out by what their network has for that. */
  readonly addressed: boolean
  /** USD per hour of each address, and per gigabyte of what goes through a gateway; absent where that is not known. */
  readonly address?: number
  readonly gateway?: number
  /** In which they may be. */
  readonly zones: number
}

/** What a deployment left in a cloud looks like from outside. */
export interface Found {
  readonly tags: DeploymentTags
  readonly phase: Observation['phase']
}

/**
 * A living, authenticated cloud. No method sleeps or polls: waiting is the engine's. A failed or throttled query throws and is never read
 * as "not there". Errors leaving here are those of `errors.ts`.
 */
export interface Cloud {
  /** Where its new groups are made. Absent: it has only one place. */
  readonly region?: string
  /** Where they may be made, by the names that the vendor has: as the user named them. The first one keeps the store. */
  readonly regions?: readonly string[]
  /** The same cloud, with the same store, which makes new groups in another one of `regions`. */
  inRegion?(region: string): Cloud
  /** `regions`, those first in which such machines are most likely to be had at the moment. Absent: nobody knows. */
  likeliest?(request: MachineRequest): Promise<readonly string[]>
  /** Cheap proof of credentials. */
  whoami(): Promise<Account>
  /** Begins to look up what `faults` will ask for, where that takes calls: beside others, and whatever goes wrong with it shows there. */
  foresee?(request: MachineRequest): void
  /** All faults of a request that only this cloud can see (unknown machine type, …). Creates nothing. */
  faults(spec: Omit<MachineSpec, 'store' | 'agent'>): Promise<readonly { option: string; message: string; hint?: string }[]>
  /** Where the store of a deployment goes unless the user named one, with credentials for the controller and for the machines. */
  store(id: string): Promise<StoreAccess>
  /**
   * Where else stores of deployments are that no user named: those of its other regions that have one. One that cannot be looked at is told to
   * `lost` and hides no other.
   */
  otherStores?(lost: (where: string, error: unknown) => void): Promise<readonly StoreAccess[]>
  /**
   * This place is the store of one deployment alone: it goes with that, last of all, and is reached by `store(id)`. Absent: no store is, but all
   * deployments of an account share one, so that one that is `gone` is one that nobody has needed yet.
   */
  isOwn?(place: StorePlace): boolean
  /** What makes up the store, which a deployment needs before it can have its name. Creates nothing itself. Absent: nothing. */
  storeSetup?(spec: MachineSpec): Promise<StoreSetup>
  /**
   * What exists of a store that belongs to this deployment alone; removed in reverse. It is the place of all incarnations: what somebody has come to use since this was asked stays
   * there, whatever the caller removes. So it is asked for before the last record goes, and removed after it. Absent: nothing is.
   */
  remainingStore?(of: Reference): Promise<Resource[][]>
  /** What is left of deployments whose records have ended themselves, and of those to which that may happen. Absent: it never does. */
  tombstones?(): Promise<readonly Tombstone[]>
  /** What its machines fetch from the store by digest: the agent, the runtime that it runs on. Absent: they have it otherwise. */
  programs?(spec: MachineSpec): Promise<readonly AgentBundle[]>
  /** Stages in order, members of a stage in parallel: … → group at 0 → dead-man's switch. Creates nothing itself. */
  blueprint(spec: MachineSpec): Promise<Resource[][]>
  /** Everything of this incarnation that exists, found by tag or name; removed in reverse. Includes nothing of the store, and nothing of another incarnation. */
  leftovers(of: Reference): Promise<Resource[][]>
  /** Whether what there is of it does not depend on its machines, so that it may be asked for while they go. Absent: only once they are gone. */
  steadyLeftovers?(of: Reference): boolean
  /** The group with its machines, where taking it away ends them all and is over only once the last is gone. Absent: it goes when it is empty. */
  wholeGroup?(of: Reference): Resource
  /** Sets the wanted size; returns at once. A group that is gone is fine when `count` is 0. */
  scale(of: Reference, count: number): Promise<void>
  /** As `scale`, of a group that somebody else may have made, and that has begun to be short of machines: what starts at the full price beside it, too. Absent: `scale` does it. */
  resume?(of: Reference, count: number): Promise<void>
  /** `absent` when there is no such group; throws only when it cannot tell. */
  observe(of: Reference): Promise<Observation>
  /** Milliseconds between two looks while nothing moves, where each costs calls that are counted. Absent: as often as one likes. */
  readonly calm?: number
  /**
   * Milliseconds after a change for which `observe` may still answer as before it, or wrongly: no single look is then trusted that says
   * `stopped` or `absent`. Absent: answers are exact.
   */
  readonly settling?: number
  /**
   * Every incarnation of every deployment of tpi in this account, this cluster, this home. If that means several places (regions), one that does
   * not answer is reported to `lost` and does not hide the others; without `lost`, it throws. `id`: only those of this deployment.
   */
  list(lost?: (where: string, error: unknown) => void, id?: string): Promise<readonly Found[]>
  /** Gives notice of a reclaim to one machine (by its id) or to all, as the cloud itself would. Absent: machines hear of it by the store. */
  interrupt?(of: Reference, machine: string | undefined): Promise<void>
  /** Runs a command beside the script on a living machine; resolves to its exit code. What it writes goes to `output`, unless the machine is this host: then our own streams are its. */
  exec?(of: Reference, machine: string, argv: readonly string[], output: CommandOutput): Promise<number>
  /** Why a machine that runs, or ran, has not reported: what its own log says, and what may keep it from that. */
  whySilent?(of: Reference, machine: string): Promise<string>
  /** USD that one machine of the group costs per hour now, as this cloud tells it; `undefined` where it cannot tell. */
  price?(of: Reference): Promise<number | undefined>
  /** The same before there is a group. `undefined` where it cannot tell. */
  quote?(request: MachineRequest): Promise<Quote | undefined>
  /**
   * Makes the identity that machines have where their caller may make none, once for an account; said again, its rights are as they are now.
   * Resolves to what it did, for people. Absent: that is somebody else's to do.
   */
  establish?(): Promise<string>
  /** Looks at all that can be wrong here before anything is made. Creates nothing. `store`: the cloud's own for each deployment, or another one. */
  doctor(request: MachineRequest, store: 'own' | 'given'): Promise<readonly Check[]>
  /** Resolves when the machines that a look has found are gone, as the cloud itself tells; rejects where it can tell no more. Absent: it is looked at again. */
  emptied?(of: Reference, signal: AbortSignal): Promise<void>
  /** First thing of every verb: recovers what a crash of our own processes left here. Quiet when there is nothing. */
  recover?(): Promise<readonly string[]>
}

export type CommandOutput = (stream: 'out' | 'err', bytes: Uint8Array) => void

/** What is left of a deployment whose records have ended themselves: it costs nothing, and the cloud removes it in time. */
export interface Tombstone {
  readonly tags: DeploymentTags
  readonly text: string
}

/** What makes up the store of a deployment: the bucket that its records share with others, or a store of its own. */
export interface StoreSetup {
  /** As `blueprint`. */
  readonly stages: Resource[][]
  /** Present where it may take a while after that until the store answers. */
  readonly starting?: StoreStart
  /**
   * The group at its full size, where it need not wait for the store: begun as soon as this run has made the first resource of all, for then nobody
   * else can have anything of this deployment. A maker that begins it makes no other.
   */
  readonly ahead?: () => Promise<Resource[][]>
}

export interface StoreStart {
  /** What keeps it from answering, as the cloud tells it. */
  events(): Promise<readonly CloudEvent[]>
  /** Whether it is worth asking. Costs no call. */
  mayAnswer(): boolean
}

export interface Credential {
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
  readonly credentials: readonly Credential[]
  /** Options of this cloud only. */
  readonly options?: Rows
  /** Other names that users know it by. */
  readonly aliases?: readonly string[]
  readonly can: {
    readonly spot: boolean
    readonly gpu: boolean
    readonly exec: boolean
    /** Delivers rehearsed reclaims of its own. */
    readonly rehearse: boolean
    /** The folder of a machine that has left can stay, and holds up nothing else (`MachineSpec.keep`). */
    readonly keep: boolean
    /** Slot = index: a machine knows its slot. */
    readonly numbered: boolean
    /** Machines are whole operating systems of their own, which the agent sets up: local disks, containers. */
    readonly wholeSystem: boolean
  }
  /**
   * What a machine runs that is made only to be looked at (`doctor --probe`): it prints each finding as a line of JSON (`Finding`). Absent: this cloud
   * makes none, and the option is refused.
   */
  readonly probe?: readonly string[]
  /** Types that such a machine may be, the best first, as far as that is known without asking the cloud; `undefined`: no type is like that. Absent: it has none. */
  machineTypes?(request: SizeRequest, spot: boolean): Promise<readonly string[] | undefined>
  /** The least rights a caller needs, as text to hand to an administrator. */
  permissions(values: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string | undefined>>): Promise<string>
  load(): Promise<{ open(context: CloudContext): Promise<Cloud> }>
}
