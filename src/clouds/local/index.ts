/** The cloud that needs no account: machines are processes of this host, kept by a supervisor that outlives the command. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Check } from '../../core/check.ts'
import {
  ABSENT,
  type Cloud,
  type CloudContext,
  type Found,
  type Lost,
  type MachineRequest,
  type MachineSpec,
  type Observation,
  type Reference,
} from '../../core/cloud.ts'
import { DeadlineError, InputError, LONGER, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { leftOut } from '../../core/tags.ts'
import { bootNow, pause } from '../../lib/clock.ts'
import { parseDuration } from '../../lib/duration.ts'
import { writeJson } from '../../lib/files.ts'
import { messageOf } from '../../lib/text.ts'
import { ownUser } from '../../lib/user.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { hardDue } from './deadline.ts'
import { examine } from './doctor.ts'
import { execBeside } from './exec.ts'
import { faultsOf, shortfallOf } from './faults.ts'
import { GOING, localRoot, type ReclaimRecord, type Settings } from './folder.ts'
import { groupOf, incarnations, type KnownGroup, knownGroup, knownGroups, machinesOf } from './home.ts'
import { baseOf } from './launch.ts'
import { observeGroup } from './observe.ts'
import { agentLives } from './reap.ts'
import { recoverGroup } from './recover.ts'
import { deploymentResource, ensureSupervisor, groupResource, machinesResource, supervisorResource } from './resources.ts'
import { tagFaults } from './tags.ts'

/** Milliseconds that a supervisor may take to record the process of a machine that it has just started, and that may be at work already. */
const STARTING = 5000
/** Milliseconds between two tries of one follower to recover a group. */
const RECOVER_AGAIN = 10_000

export async function open(context: CloudContext): Promise<Cloud> {
  return new LocalCloud(context)
}

class LocalCloud implements Cloud {
  readonly #context: CloudContext
  /** When a group was last recovered, or could not be, by its folder. */
  readonly #recovered = new Map<string, number>()
  /** Warnings that were given already. */
  readonly #said = new Set<string>()
  readonly #leftOut: ReturnType<typeof leftOut>

  constructor(context: CloudContext) {
    this.#context = context
    this.#leftOut = leftOut(context.log)
  }

  async whoami(): Promise<{ name: string }> {
    return { name: `${ownUser().username}@${hostname()}` }
  }

  async faults(spec: Omit<MachineSpec, 'store' | 'agent'>): ReturnType<Cloud['faults']> {
    const faults = faultsOf(spec, this.#context.home)
    const shortfall = faults.length === 0 ? shortfallOf(spec) : undefined
    if (shortfall !== undefined) this.#warnOnce(shortfall)
    return [...faults, ...tagFaults(spec.tags)]
  }

  async store(_id: string): Promise<StoreAccess> {
    return { url: pathToFileURL(join(this.#context.home, 'store')).href.replace(/^file:/, 'dir:') }
  }

  async blueprint(spec: MachineSpec): Promise<Resource[][]> {
    const group = groupOf(this.#context.home, spec.tags)
    const { env, signal } = this.#context
    const request = { spec, settings: settingsOf(env), base: baseOf(env), agent: async () => this.#context.agent(), signal }
    return [[groupResource(group, request)], [supervisorResource(group, signal)]]
  }

  async leftovers({ id, incarnation }: Reference): Promise<Resource[][]> {
    const all = await incarnations(this.#context.home, id)
    const groups = all.filter(({ folder }) => [incarnation, incarnation + GOING].includes(basename(folder)))
    // Removed from the last stage to the first: supervisors, which would start machines again, then machines, then folders.
    const folder = join(localRoot(this.#context.home), id)
    const empty = existsSync(folder) && all.every((group) => !existsSync(group.path('group.json')))
    const stages = [
      groups.length === 0 && empty ? [deploymentResource(folder)] : [],
      groups.map((group) => groupResource(group)),
      groups.map(machinesResource),
      groups.map((group) => supervisorResource(group)),
    ]
    return stages.filter((stage) => stage.length > 0)
  }

  async start({ tags: { id, incarnation, count } }: MachineSpec): Promise<void> {
    const known = await knownGroup(this.#context.home, { id, incarnation })
    if (!known) throw new RemoteError(`group ${id} (${incarnation}) does not exist`)
    this.#context.signal.throwIfAborted()
    if (bootNow() >= hardDue(known.record))
      throw new DeadlineError(`group ${id} is past its hard deadline ${known.record.hardDeadline}`, { hint: LONGER })
    if (!(await known.group.want({ count }))) throw new RemoteError(`group ${id} (${incarnation}) is being removed`)
    await ensureSupervisor(known.group, known.record)
  }

  async end(of: Reference): Promise<void> {
    const known = await knownGroup(this.#context.home, of)
    if (known && (await known.group.want({ count: 0 }))) await this.#recover(known)
  }

  async observe(of: Reference): Promise<Observation> {
    const known = await knownGroup(this.#context.home, of)
    if (!known) return ABSENT
    await this.#recoverNowAndThen(known)
    return observeGroup(known)
  }

  async list(lost?: Lost, id?: string): Promise<readonly Found[]> {
    const known = await knownGroups(this.#context.home, { ofUser: this.#leftOut(undefined, id), ofVersion: this.#leftOut(lost, id) }, id)
    return Promise.all(known.map(async (group) => ({ tags: group.record.tags, phase: (await observeGroup(group)).phase })))
  }

  async interrupt(of: Reference, machine: string | undefined): Promise<void> {
    const known = await this.#present(of)
    const { index } = (await this.#living(known, machine)).record.config
    const request: ReclaimRecord = machine === undefined || index === undefined ? {} : { index }
    await writeJson(known.group.path(`reclaim-${randomBytes(6).toString('hex')}.json`), request)
  }

  async doctor(request: MachineRequest): Promise<readonly Check[]> {
    return examine(request, this.#context.home, this.#context.env['PATH'] ?? '')
  }

  async exec(of: Reference, machine: string, argv: readonly string[]): Promise<number> {
    const known = await this.#present(of)
    return execBeside((await this.#living(known, machine)).folder, known.record, argv)
  }

  /** That machine, or any living one. */
  async #living({ group, record: { tags } }: KnownGroup, machine: string | undefined) {
    for (const end = bootNow() + STARTING; ; await pause(100)) {
      const machines = await machinesOf(group)
      const found = machines.find(
        ({ folder, record }) => (machine === undefined || folder.name === machine) && !record.exit && agentLives(record),
      )
      if (found) return found
      if (bootNow() >= end || machines.every(({ record }) => record.exit ?? record.process)) break
    }
    const what = machine === undefined ? `${tags.name} has no machine` : `${tags.name} has no machine ${machine} any more`
    throw new InputError(what, { hint: `see: \`tpi status ${tags.name}\`` })
  }

  async recover(): Promise<readonly string[]> {
    const done: string[] = []
    // The commands of other users, and of other versions, do the same for theirs.
    const others = (): void => undefined
    for (const known of await knownGroups(this.#context.home, { ofUser: others, ofVersion: others }))
      done.push(...((await this.#recover(known)) ?? []))
    return done
  }

  async #present(of: Reference): Promise<KnownGroup> {
    const known = await knownGroup(this.#context.home, of)
    if (!known) throw new InputError(`run ${of.id} has no machines`)
    return known
  }

  /**
   * Resolves to what was done. `undefined`: the group cannot be recovered now (a process that cannot be killed, a full disk). That is reported once
   * and is no error, so that it cannot keep anybody from removing the group.
   */
  async #recover(known: KnownGroup): Promise<readonly string[] | undefined> {
    try {
      return await recoverGroup(known)
    } catch (error) {
      this.#warnOnce(`${known.record.tags.name} cannot be recovered yet: ${messageOf(error)}`)
      return undefined
    }
  }

  #warnOnce(text: string): void {
    if (!this.#said.has(text)) this.#context.log.warn(text)
    this.#said.add(text)
  }

  /** If a supervisor dies while a command follows, the command replaces it at its next look. */
  async #recoverNowAndThen(known: KnownGroup): Promise<void> {
    const { folder } = known.group
    if (bootNow() - (this.#recovered.get(folder) ?? Number.NEGATIVE_INFINITY) < RECOVER_AGAIN) return
    const done = await this.#recover(known)
    if (done?.length !== 0) this.#recovered.set(folder, bootNow())
    for (const line of done ?? []) this.#context.log.debug(line)
  }
}

/** Shorter times for rehearsals and tests: `TPI_LOCAL_NOTICE`, `TPI_LOCAL_TERM`, `TPI_LOCAL_SILENCE` (durations). */
function settingsOf(env: CloudContext['env']): Settings {
  const seconds = (name: string, usual: number): number => {
    const text = env[name]
    if (text === undefined || text === '') return usual
    const value = parseDuration(text)
    if (value === undefined) throw new InputError(`${name}: "${text}" is not a duration`, { hint: 'write it like 30s' })
    return value
  }
  return { notice: seconds('TPI_LOCAL_NOTICE', 30), term: seconds('TPI_LOCAL_TERM', 2), silence: seconds('TPI_LOCAL_SILENCE', 60) }
}
