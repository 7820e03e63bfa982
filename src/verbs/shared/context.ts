/** What a verb is given, and how it finds the deployment that is meant. */
import type { AgentBundle, CloudDescriptor } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { Host } from '../../core/host.ts'
import { deploymentId, isId, isRunId, type Owner } from '../../core/identity.ts'
import type { Deployment, Engine } from '../../engine/deployment.ts'
import { type OpenAccess, type OpenCloud, openSighting, pick, pickHistory, sightings } from '../../engine/find.ts'
import { onlyStored } from '../../engine/find-by-record.ts'
import type { Past } from '../../engine/history.ts'
import type { Env } from '../../lib/env.ts'
import type { Parsed } from '../../options/parse.ts'
import type { OptionValues } from '../../options/rows/table.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { CiJob } from './ci-job.ts'
import type { Signals } from './signals.ts'

export interface VerbContext {
  readonly values: OptionValues
  /** Everything the parser made of the command: program, set-up, environment, what stands after `--`. */
  readonly parsed: Parsed
  readonly engine: Engine
  readonly host: Host
  readonly owner: Owner
  /** The folder in which the command was given; paths are relative to it. */
  readonly cwd: string
  readonly userHome: string
  readonly env: Env
  readonly signals: Signals
  /** A person sits at a terminal. */
  readonly interactive: boolean
  /** Prints to that person, even if the host's output goes elsewhere. */
  readonly toTerminal?: (text: string) => void
  /** Every cloud. */
  readonly descriptors: readonly CloudDescriptor[]
  /** Machines of this cloud cost money while they exist. */
  billed(cloud: string): boolean
  /** The cloud that was named; or, for verbs that look for what exists, every cloud that can be checked from here. */
  clouds(): Promise<readonly OpenCloud[]>
  /** Notes where a deployment is made, so that later commands of this home look there. Before the first cloud call. */
  note(place: { readonly id: string; readonly name: string; readonly cloud: string }): Promise<void>
  readonly access: OpenAccess
  /** The store that was asked for by option, with this controller's credentials for it. */
  storage(): Promise<StoreAccess | undefined>
  agent(): Promise<AgentBundle>
  /** Present if the command runs in a CI job. */
  readonly ciJob?: CiJob
}

/** Resolves to the exit code. */
export type VerbRun = (context: VerbContext) => Promise<number>

export type Meant = { readonly alive: Deployment } | { readonly gone: Past }

/** The deployment called NAME: one that exists, one that was never finished, or what the history knows about it. */
export async function meant(context: VerbContext, name: string): Promise<Meant> {
  const past = isRunId(name) ? await pickHistory(context.engine.home, name) : undefined
  if (past) return { gone: past }
  const sighting = await pick(name, await sightings(await context.clouds()), async () => context.storage())
  if (sighting) return { alive: await openSighting(sighting, context.access) }
  const stored = await onlyStored(
    await context.clouds(),
    context.access,
    [isId(name) ? name : deploymentId(context.owner, name)],
    await context.storage(),
  )
  if (stored) return { alive: stored }
  const gone = await pickHistory(context.engine.home, name)
  if (gone) return { gone }
  throw new InputError(`name: there is no run "${name}"`, { hint: '`tpi list --all` shows all runs, those that are gone too' })
}

/** The same, but only one that exists. */
export async function meantAlive(context: VerbContext): Promise<Deployment> {
  const found = await meant(context, nameOf(context))
  if ('alive' in found) return found.alive
  throw new InputError(`name: run "${found.gone.name}" is gone; it ended as ${found.gone.outcome} and everything was given back`, {
    hint: `\`tpi status ${found.gone.name}\` shows how it went`,
  })
}

export function nameOf(context: VerbContext): string {
  const { name } = context.values
  if (!name) throw new InputError('name: give the name or the id of a run')
  return name
}

/** `tpi logs --slot 7` of a task with three slots. */
export function checkedSlot(slot: number | undefined, count: number): number | undefined {
  if (slot !== undefined && slot >= count)
    throw new InputError(`slot: ${slot} is not one of its ${count} slots`, {
      hint: count === 1 ? 'it has only slot 0' : `allowed: 0 to ${count - 1}`,
    })
  return slot
}
