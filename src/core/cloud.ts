/** What the rest of tpi needs from a cloud: it keeps a group of N machines, each of which runs one boot program, and finds it again by its tags. */
import type { Env } from '../lib/env.ts'
import type { DeploymentFacts } from '../wire/spec.ts'
import type { StoreAccess, StorePlace } from '../wire/store.ts'
import type { Check } from './check.ts'
import type { Fault } from './errors.ts'
import type { CloudRows } from './option.ts'
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
  agent(): Promise<AgentBundle>
}

/** With these option values in place of its own. */
export function withValues(context: CloudContext, values: CloudContext['values']): CloudContext {
  return { ...context, values: { ...context.values, ...values } }
}

/** The agent, as one file that machines run. */
export interface AgentBundle {
  /** SHA-256, hex. */
  readonly digest: string
  readonly bytes: Uint8Array
}

/** What machines fetch from the store. */
export interface Program {
  /** SHA-256, hex. */
  readonly digest: string
  /** May download it first. */
  bytes(): Promise<Uint8Array>
  /** It is large, and the same for all deployments: it is uploaded once, and the store copies it for each of them. */
  readonly shared?: boolean
}

/**
 * One incarnation of a deployment. Everything in a cloud has both in its name or tags, and every call names both, so a process that wakes up late can
 * change only what belongs to its own incarnation.
 */
export interface Reference {
  readonly id: string
  readonly incarnation: string
  /** Where it was made, if that is on record. Otherwise the cloud looks where it has seen it, or where it makes new groups. */
  readonly region?: string | undefined
}

/** What every cloud must remember with its group, so that a deployment is found and understood without any local file. */
export interface DeploymentTags extends DeploymentFacts {
  /** Where the store is; never a credential. */
  readonly store: StorePlace
  /**
   * A digest that confirms what records say: where outputs go and which they are, or where runners are registered. Machines can write records, but
   * not tags.
   */
  readonly promise?: string
  /** The user's own tags. */
  readonly user: Readonly<Record<string, string>>
}

/** What each machine should be like. */
export interface MachineRequest {
  readonly size: SizeRequest
  readonly diskBytes?: number
  readonly image?: string
  /** The image if machines are containers and the user named none: it has what the program needs. */
  readonly usualImage?: string
  readonly region?: string
  readonly spot: SpotRequest
  readonly permissionSet?: string
  /** Programs run in a container of this image, so the machine must have a container engine (`can.wholeSystem`). */
  readonly container?: string
  /** The program should not run as root, if the machine has another user. */
  readonly unprivileged?: boolean
}

/** Several machines. */
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
  /** The folder of a machine that has left is kept (`can.keep`), to look into a failure. */
  readonly keep?: boolean
  /** What must be known of the deployment even when its records are gone, if the cloud may remove these early. Small; it may hold secrets. */
  readonly tombstone?: string
  /** Machines may start before the deployment is complete, because they wait for it: saves time where a store takes a while to come up. */
  readonly ahead?: boolean
  /** Reclaims at random times, to rehearse them (`can.rehearse`): seconds between two of them on average, and the seed. */
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
  /** Its slot, in numbered groups. In others it is absent: the records of slots name their machines. */
  readonly index?: number
  readonly state: 'starting' | 'running' | 'leaving' | 'gone'
  readonly address?: string
  readonly startedAt?: string
  /** How a machine that is gone ended, for people. */
  readonly reason?: string
  /** It hangs while it starts, or runs without a sign of life, and will not recover by itself: why, for people. */
  readonly stuck?: string
  /** Milliseconds for which it has been seen to hang; absent: longer than anybody should wait. */
  readonly stuckFor?: number
  /** Present if the machine ended for lack of something, with its agent, and the cloud knows of what. */
  readonly cause?: 'out-of-memory' | 'disk-full'
  /** The end of its boot log, if there is one. */
  readonly bootLog?: string
  /** The answer of `whySilent`, if that was asked. */
  readonly said?: string
}

/** Compares machines: the oldest first, and before them those whose start is not known. */
export function byStart(a: Machine, b: Machine): number {
  return (a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1
}

/**
 * `capacity` no machine is available · `quota` the quota is used up · `denied` a permission is missing · `failure` something is wrong with a
 * machine or an image · `notice` a machine is being taken away, and the like · `advice` good to know, but nothing waits for it · `info` everything
 * else
 */
export type EventKind = 'info' | 'advice' | 'notice' | 'capacity' | 'quota' | 'denied' | 'failure'

/** Events of these kinds keep nothing from running. */
export const HARMLESS: ReadonlySet<string> = new Set(['info', 'advice', 'notice'] satisfies EventKind[])

export interface CloudEvent {
  /** ISO. */
  readonly at: string
  readonly kind: EventKind
  /** In plain words, with the reason that the cloud gives. */
  readonly text: string
  readonly index?: number
  /** The machine that has ended, or soon will: if it held a slot, the end of its attempt says the same. */
  readonly machine?: string
  /** Waiting has not helped, and will not. */
  readonly hopeless?: boolean
  /** Present if what an option asks for is not possible here: its name. */
  readonly option?: string
}

export interface Observation {
  /** `absent` there is no such group, as far as this cloud shows · `stopped` its size is 0, and it has no machine · `up` anything else */
  readonly phase: 'absent' | 'stopped' | 'up'
  /** Its size. */
  readonly wanted: number
  /** Machines that are there, and those that have ended lately. */
  readonly machines: readonly Machine[]
  /** All events so far, the oldest first: whoever tells of them counts how many were told. */
  readonly events: readonly CloudEvent[]
  /** Present if the cloud has ended the group by itself, so that it makes no more machines: why. */
  readonly ended?: string
}

export const ABSENT: Observation = { phase: 'absent', wanted: 0, machines: [], events: [] }

export interface Account {
  /** For people: the account, project, cluster or host. */
  readonly name: string
}

/** An incarnation of a deployment, as its cloud shows it. */
export interface Found {
  readonly tags: DeploymentTags
  readonly phase: Observation['phase']
}

/** Is told of a place that does not answer, or of a deployment that a list leaves out. */
export type Lost = (where: string, error: unknown) => void

/**
 * A cloud that is open, with a login. No method sleeps or polls: waiting is for the engine. A question that fails, or is refused for now, throws, and
 * does not count as "not there". All errors are those of `errors.ts`.
 */
export interface Cloud {
  /** The region in which new groups are made. Absent: the cloud has no regions. */
  readonly region?: string
  /** The regions in which they may be made, by the vendor's names, in the user's order. The first one has the store. */
  readonly regions?: readonly string[]
  /** The same cloud, with the same store, which makes new groups in another one of `regions`. */
  inRegion?(region: string): Cloud
  /** The same account or cluster, for machines with these values of the cloud's own options. Absent: it has none. */
  withOptions?(options: Readonly<Record<string, unknown>>): Cloud
  /** `regions`, first those in which such machines are most likely to be available now. Absent: nobody knows. */
  likeliest?(request: MachineRequest): Promise<readonly string[]>
  /** Proves by a cheap call that the credentials are valid. */
  whoami(): Promise<Account>
  /** Starts the calls that `faults` will need, so that they run beside others. If they fail, `faults` shows it. */
  foresee?(request: MachineRequest): void
  /** All faults of a request that only this cloud can see, such as an unknown machine type. Creates nothing. */
  faults(spec: Omit<MachineSpec, 'store' | 'agent'>): Promise<readonly Fault[]>
  /** Where the store of a deployment goes if the user names none, with credentials for the controller and the machines. */
  store(id: string): Promise<StoreAccess>
  /** The usual stores in the cloud's other regions. A region that cannot be checked is told to `lost`, and does not hide the others. */
  otherStores?(lost: Lost): Promise<readonly StoreAccess[]>
  /**
   * At this place there is the store of a single deployment: it is opened by `store(id)`, and removed with the deployment, last of all. Absent:
   * there are no such stores, and all deployments of an account share one; if that is `gone`, no deployment has needed it yet.
   */
  isOwn?(place: StorePlace): boolean
  /** What the store is made of, which a deployment needs before it can have its name. Creates nothing itself. Absent: nothing has to be made. */
  storeSetup?(spec: MachineSpec): Promise<StoreSetup>
  /**
   * What exists of a store that belongs to this deployment alone, in the order in which it was made. All incarnations use that store: a part that
   * one has begun to use since this call stays, even if the caller removes it. So call this before the last record is removed, and remove the parts
   * after that. Absent: there are no such stores.
   */
  remainingStore?(of: Reference): Promise<Resource[][]>
  /** Tombstones of deployments whose records have removed themselves, or may do so. Absent: records never do. */
  tombstones?(): Promise<readonly Tombstone[]>
  /** What machines fetch from the store by digest: the agent, and the runtime on which it runs. Absent: they get these in another way. */
  programs?(spec: MachineSpec): Promise<readonly Program[]>
  /** What a group is made of, in stages: … → group at size 0 → dead-man's switch. Creates nothing itself. */
  blueprint(spec: MachineSpec): Promise<Resource[][]>
  /**
   * Everything of this incarnation that exists, found by tag or name, in the order in which it was made. Nothing of the store, and nothing of another
   * incarnation.
   */
  leftovers(of: Reference): Promise<Resource[][]>
  /** `leftovers` is complete even while machines are ending. Absent: only once they are gone. */
  steadyLeftovers?(of: Reference): boolean
  /**
   * The group with its machines, if removing it ends all of them and takes until the last one is gone. Absent: it can only be removed once
   * it is empty.
   */
  wholeGroup?(of: Reference): Resource
  /** Requests all machines of a group that this process has made; does not wait for them. It also sets when its twin starts, if it has one. */
  start(spec: MachineSpec): Promise<void>
  /**
   * Requests machines again for a group that another command may have made, and that has lacked them for a while: its twin grows, too, if its time
   * has come. It undoes what a move has done, so it also works when this command is told to end. Absent: nothing moves, as there are no regions.
   */
  resume?(of: Reference, count: number): Promise<void>
  /** Sets the size of the group to 0, and of its twin; does not wait until machines are gone. A group that is gone is no error. */
  end(of: Reference): Promise<void>
  /** The group as it is now. Throws only if the cloud does not say. */
  observe(of: Reference): Promise<Observation>
  /**
   * Removes machines that the last `observe` has found and whose program has ended, if something else keeps them alive and they are in the way of new
   * ones. Only followers call it. Absent: there are no such machines.
   */
  clearDead?(of: Reference): Promise<void>
  /** Milliseconds between two looks while nothing changes, if each costs calls that count against a limit. Absent: looks cost nothing. */
  readonly calm?: number
  /**
   * Milliseconds after a change for which `observe` may still give an older answer: a single look that says `stopped` or `absent` is not trusted.
   * Absent: answers are exact.
   */
  readonly settling?: number
  /**
   * Every incarnation of every deployment of tpi in this account, cluster or home; with `id`, only those of this deployment. A region that does not
   * answer is told to `lost`, and does not hide the others; without `lost`, it throws. A deployment that another version of tpi has made is left
   * out, and also told to `lost`; without that, the user is warned.
   */
  list(lost?: Lost, id?: string): Promise<readonly Found[]>
  /** Gives notice of a reclaim to one machine (by its id) or to all, as the cloud itself would. Absent: machines get it through the store. */
  interrupt?(of: Reference, machine: string | undefined): Promise<void>
  /**
   * Runs a command beside the script on a running machine; resolves to its exit code. What it writes goes to `output`, unless the machine
   * is this host: then it uses this process's own streams.
   */
  exec?(of: Reference, machine: string, argv: readonly string[], output: CommandOutput): Promise<number>
  /** Why a machine that is or was running has given no sign of life: what its own log says, and what may be in its way. */
  whySilent?(of: Reference, machine: string): Promise<string>
  /** USD that one machine of the group costs per hour now; `undefined`: the cloud does not say. */
  price?(of: Reference): Promise<number | undefined>
  /** The same before there is a group. */
  quote?(request: MachineRequest): Promise<Quote | undefined>
  /**
   * Makes the identity of machines, once for an account, for callers that may not make one themselves; called again, it updates the rights of that
   * identity. Resolves to what it did, for people. Absent: users make it in another way.
   */
  establish?(): Promise<string>
  /** Checks everything that can be wrong before anything is made. Creates nothing. `store`: a store of the deployment's own, or a bucket. */
  doctor(request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]>
  /** Resolves when the cloud announces that the machines of the last look are gone; rejects if it cannot tell. Absent: the engine looks again. */
  emptied?(of: Reference, signal: AbortSignal): Promise<void>
  /** Called first by every verb: cleans up what a crash of tpi's own processes has left here. Resolves to what it did, for people. */
  recover?(): Promise<readonly string[]>
}

export type CommandOutput = (stream: 'out' | 'err', bytes: Uint8Array) => void

/** What is left of a deployment whose records have removed themselves. It costs nothing, and the cloud removes it in time. */
export interface Tombstone {
  readonly tags: DeploymentTags
  /** `MachineSpec.tombstone` */
  readonly text: string
}

/** What the store of a deployment is made of: the bucket that it shares with others, or a store of its own. */
export interface StoreSetup {
  /** As in `blueprint`. */
  readonly stages: Resource[][]
  /** Present if the store may take a while to answer once all of that is made. */
  readonly starting?: StoreStart
  /**
   * The group at its full size, if machines do not have to wait for the store. It is made as soon as this command has made the very first resource
   * of the store, because then nobody else can have anything of this deployment; it is not made again later.
   */
  readonly ahead?: () => Promise<Resource[][]>
}

/** A store that is coming up. */
export interface StoreStart {
  /** What keeps it from answering, according to the cloud. */
  events(): Promise<readonly CloudEvent[]>
  /** Whether it runs; `undefined`: that is not known. Costs no call. */
  runs(): boolean | undefined
  /** For people: the usual reason why one that runs cannot be reached. */
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
  readonly options?: CloudRows
  /** Other names by which users know it. */
  readonly aliases?: readonly string[]
  readonly can: {
    readonly spot: boolean
    readonly gpu: boolean
    readonly exec: boolean
    /** It can rehearse reclaims (`MachineSpec.rehearse`). */
    readonly rehearse: boolean
    /** It can keep the folder of a machine that has left (`MachineSpec.keep`). */
    readonly keep: boolean
    /** Machines are numbered, and each takes the slot of its number. */
    readonly numbered: boolean
    /**
     * Machines run a whole operating system, which the agent sets up: local disks, containers. They reach the storage by an identity of their own,
     * not with the command's credentials.
     */
    readonly wholeSystem: boolean
  }
  /**
   * What a machine runs that is only made as a check (`doctor --probe`): it prints each finding as a line of JSON (`Finding`). Absent: this cloud
   * makes no such machine, and the option is refused.
   */
  readonly probe?: readonly string[]
  /**
   * Types that fit such a request, the best first, as far as that is known without asking the cloud; `undefined`: none fits. Absent: the cloud has no
   * types.
   */
  machineTypes?(request: SizeRequest, spot: boolean): Promise<readonly string[] | undefined>
  /** The smallest set of rights that a caller needs, as text to hand to an administrator. */
  permissions(values: Readonly<Record<string, unknown>>, env: Env): Promise<string>
  load(): Promise<{ open(context: CloudContext): Promise<Cloud> }>
}
