/** What all clouds of whole machines have in common: they ask once where a request could start, and refuse a bad one before anything is made. */
import { type Architecture, RUNTIMES, runtimeFor } from '../../boot/runtime.ts'
import {
  type Cloud,
  type CloudContext,
  type MachineRequest,
  type MachineSpec,
  type Program,
  type StoreSetup,
  withValues,
} from '../../core/cloud.ts'
import { type Fault, InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Arch } from '../../core/size.ts'
import { leftOut } from '../../core/tags.ts'
import { messageOf } from '../../lib/text.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { warnOfFar } from './data.ts'
import { Once } from './once.ts'
import type { VmSettings } from './settings.ts'

/** Milliseconds between two looks: following for a quiet hour should cost a few hundred calls, and each look makes two or three. */
const CALM = 30_000
/** Characters of a console that are shown, from its end. */
const CONSOLE = 4000

/** The differences between vendors. `A`: the calls of one region. `S`: its settings. `P`: where machines of a request can start. */
export interface Vendor<A, S, P> {
  /** Asks the account where machines can start. */
  readonly place: (api: A, settings: S, request: MachineRequest) => Promise<P>
  readonly archOf: (placement: P) => Arch
  /**
   * Faults that are clear without asking: of a whole specification (`storage`: as the user gave it), of a request alone, and of a request
   * for reserved machines.
   */
  readonly faultsOf: (spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined) => readonly Fault[]
  readonly requestFaults: (request: MachineRequest) => readonly Fault[]
  readonly reservedFaults: (settings: S, request: MachineRequest) => readonly Fault[]
  /** The region of a bucket or storage account, if the vendor tells it. */
  readonly regionOf: (api: A, host: string) => Promise<string | undefined>
  /** The account's storage, which all deployments share. */
  readonly bucket: (keeper: A, host: string, signal: AbortSignal) => Resource
  readonly access: (keeper: A, context: CloudContext) => Promise<StoreAccess>
}

/** Calls in the region of this command, and in the region that keeps the storage. */
export interface Apis<A> {
  readonly api: A
  readonly keeper: A
}

type ApiClass<A, S> = new (context: CloudContext, settings: S) => A

/** If both regions are the same, one object serves for both. */
export function apisOf<A, S extends VmSettings>(context: CloudContext, settings: S, Api: ApiClass<A, S>): Apis<A> {
  const api = new Api(context, settings)
  const [first] = settings.regions
  return { api, keeper: first === settings.region ? api : new Api(context, { ...settings, region: first }) }
}

export abstract class MachineCloud<A, S extends VmSettings, P> {
  readonly calm = CALM
  protected readonly context: CloudContext
  protected readonly settings: S
  protected readonly api: A
  protected readonly keeper: A
  protected readonly leftOut: ReturnType<typeof leftOut>
  readonly #vendor: Vendor<A, S, P>
  readonly #placements = new Once<P>()

  constructor(context: CloudContext, settings: S, vendor: Vendor<A, S, P>, { api, keeper }: Apis<A>) {
    this.context = context
    this.settings = settings
    this.#vendor = vendor
    this.api = api
    this.keeper = keeper
    this.leftOut = leftOut(context.log)
  }

  get region(): string {
    return this.settings.region
  }

  get regions(): readonly string[] {
    return this.settings.regions
  }

  /** The same account, for other settings. `region`: absent if the options say it. */
  protected abstract reopened(context: CloudContext, region?: string): Cloud

  inRegion(region: string): Cloud {
    return this.reopened(this.context, region)
  }

  withOptions(options: CloudContext['values']): Cloud {
    return this.reopened(withValues(this.context, options))
  }

  /** The account's storage, in whichever region the deployment is. */
  async store(_id: string): Promise<StoreAccess> {
    return this.#vendor.access(this.keeper, this.context)
  }

  /** Faults that are clear without asking; if there are none, those that the account reports when it is asked where such machines could start. */
  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): Promise<readonly Fault[]> {
    const plain = [...this.#vendor.faultsOf(spec, this.settings.storage), ...this.#vendor.reservedFaults(this.settings, spec)]
    await warnOfFar(this.settings, async (host) => this.#vendor.regionOf(this.api, host), this.context.log)
    if (plain.length > 0) return plain
    try {
      await this.placement(spec)
      return []
    } catch (error) {
      if (error instanceof InputError) return error.faults
      throw error
    }
  }

  /** Nothing is set up if the user named a store. */
  async storeSetup(): Promise<StoreSetup> {
    if (this.settings.storage !== undefined) return { stages: [] }
    const { url } = await this.store('')
    return { stages: [[this.#vendor.bucket(this.keeper, new URL(url).host, this.context.signal)]] }
  }

  /**
   * The account's own storage keeps the runtime once for all deployments, and expires it. In a storage that the user named, each deployment has its
   * own copy, so that nothing stays there.
   */
  async programs(spec: MachineSpec): Promise<readonly Program[]> {
    const architecture = architectureOf(this.#vendor.archOf(await this.placement(spec)))
    const { digest, bytes } = await this.context.agent()
    const runtime = { digest: RUNTIMES[architecture].digest, bytes: async () => runtimeOf(this.context, architecture) }
    return [
      { digest, bytes: async () => bytes },
      { ...runtime, shared: this.settings.storage === undefined },
    ]
  }

  foresee(request: MachineRequest): void {
    if (this.#vendor.requestFaults(request).length === 0) void this.placement(request).catch(() => undefined)
  }

  protected async placement(request: MachineRequest): Promise<P> {
    const key = JSON.stringify([request.size, request.image, request.permissionSet, request.spot.want])
    return this.#placements.get(key, async () => this.#vendor.place(this.api, this.settings, request))
  }
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/** Like `Promise.all`, but collects the faults of all promises that fail because of the input. */
export async function allFaults<const T extends readonly Promise<unknown>[]>(asked: T): Promise<Settled<T>> {
  const ended = await Promise.allSettled(asked)
  const errors = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const faults = errors.flatMap((error): readonly Fault[] => (error instanceof InputError ? error.faults : []))
  const other = errors.find((error) => !(error instanceof InputError))
  if (other !== undefined) throw other
  if (faults.length > 0) throw new InputError(faults)
  return Promise.all(asked)
}

const ARCHITECTURES: Readonly<Record<Arch, Architecture>> = { x86_64: 'x86_64', arm64: 'aarch64' }

/** The name of the architecture in names of runtimes. */
export const architectureOf = (arch: Arch): Architecture => ARCHITECTURES[arch]

/** The program that the agent runs on. */
async function runtimeOf(
  { home, signal, env }: Pick<CloudContext, 'home' | 'signal' | 'env'>,
  architecture: Architecture,
): Promise<Uint8Array> {
  const registry = env['npm_config_registry']
  try {
    return await runtimeFor(architecture, { home, signal, fetch, ...(registry && { registry }) })
  } catch (error) {
    signal.throwIfAborted()
    throw new RemoteError(messageOf(error), { cause: error, hint: 'set npm_config_registry to a mirror of the package registry' })
  }
}

/** The end of a machine's console, as a message for people. */
export function consoleSays(text: string): string {
  const said = text.trim()
  return said === '' ? 'its console says nothing yet' : `its console ends: ${said.slice(-CONSOLE)}`
}

/** For people: whether the identity of machines was made or found. */
export function established(what: string, made: Ensured): string {
  return `${what}: ${made === 'created' ? 'made' : 'there, and its rights are up to date'}`
}
