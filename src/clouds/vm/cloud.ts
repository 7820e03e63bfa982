/** What each cloud of whole machines does alike: it asks once where a request could start, and refuses before anything is made. */
import { type Architecture, runtimeFor } from '../../boot/runtime.ts'
import type { AgentBundle, CloudContext, Ground, MachineRequest, MachineSpec } from '../../core/cloud.ts'
import { type Fault, InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Arch } from '../../core/size.ts'
import { messageOf } from '../../lib/text.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { warnOfFar } from './data.ts'
import { Once } from './once.ts'
import type { VmSettings } from './settings.ts'

/** Milliseconds between two looks: a quiet hour of following is to cost a few hundred calls, and each look is two or three. */
const CALM = 30_000
/** Characters of a console's end. */
const CONSOLE = 4000

/** What differs from vendor to vendor. `P`: where machines of a request can start. */
export interface Vendor<P> {
  /** Asks the account. */
  readonly place: (request: MachineRequest) => Promise<P>
  readonly archOf: (placement: P) => Arch
  /** What shows without asking: of a whole specification, and of a request alone. */
  readonly faultsOf: (spec: Omit<MachineSpec, 'store' | 'agent'>) => readonly Fault[]
  readonly requestFaults: (request: MachineRequest) => readonly Fault[]
  /** Where a bucket or an account of this vendor's is, as far as the vendor says. */
  readonly regionOf: (host: string) => Promise<string | undefined>
  /** That of the account, which all deployments share. */
  readonly bucket: (host: string) => Resource
}

export abstract class MachineCloud<S extends VmSettings, P> {
  readonly calm = CALM
  protected readonly context: CloudContext
  protected readonly settings: S
  readonly #vendor: Vendor<P>
  readonly #placements = new Once<P>()

  constructor(context: CloudContext, settings: S, vendor: Vendor<P>) {
    this.context = context
    this.settings = settings
    this.#vendor = vendor
  }

  get region(): string {
    return this.settings.region
  }

  get regions(): readonly string[] {
    return this.settings.regions
  }

  abstract store(id: string): Promise<StoreAccess>

  /** What shows without asking, else what the account says when it is asked where such machines could start. */
  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): Promise<readonly Fault[]> {
    const plain = this.#vendor.faultsOf(spec)
    await warnOfFar(this.settings, this.#vendor.regionOf, this.context.log)
    if (plain.length > 0) return plain
    try {
      await this.placement(spec)
      return []
    } catch (error) {
      if (error instanceof InputError) return error.faults
      throw error
    }
  }

  /** Nothing, where the user named a store. */
  async ground(): Promise<Ground> {
    if (this.settings.storage !== undefined) return { stages: [] }
    const { url } = await this.store('')
    return { stages: [[this.#vendor.bucket(new URL(url).host)]] }
  }

  async programs(spec: MachineSpec): Promise<readonly AgentBundle[]> {
    const arch = this.#vendor.archOf(await this.placement(spec))
    return Promise.all([this.context.agent(), runtimeOf(this.context, arch)])
  }

  foresee(request: MachineRequest): void {
    if (this.#vendor.requestFaults(request).length === 0) void this.placement(request).catch(() => undefined)
  }

  protected async placement(request: MachineRequest): Promise<P> {
    const key = JSON.stringify([request.size, request.image, request.permissionSet, request.spot.want])
    return this.#placements.get(key, async () => this.#vendor.place(request))
  }
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/** As `Promise.all`, with the faults of all that fail for the input's sake. */
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

/** As runtimes are called. */
export const architectureOf = (arch: Arch): Architecture => ARCHITECTURES[arch]

/** The program that the agent runs on. */
async function runtimeOf({ home, signal, env }: Pick<CloudContext, 'home' | 'signal' | 'env'>, arch: Arch): Promise<AgentBundle> {
  const registry = env['npm_config_registry']
  try {
    return await runtimeFor(architectureOf(arch), { home, signal, fetch, ...(registry && { registry }) })
  } catch (error) {
    signal.throwIfAborted()
    throw new RemoteError(messageOf(error), { cause: error, hint: 'a mirror of the package registry goes into npm_config_registry' })
  }
}

/** What a console shows, for people. */
export function consoleSays(text: string): string {
  const said = text.trim()
  return said === '' ? 'its console says nothing yet' : `its console ends: ${said.slice(-CONSOLE)}`
}

/** What has become of an identity that machines are, for people. */
export function established(what: string, made: Ensured): string {
  return `${what}: ${made === 'created' ? 'made' : 'there, and its rights are up to date'}`
}
