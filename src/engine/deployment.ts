/** A deployment as a controller handles it, and plain reads and writes of its records. */

import type { Clock, Cloud } from '../core/cloud.ts'
import { InputError, RemoteError } from '../core/errors.ts'
import type { Host } from '../core/host.ts'
import { newNonce } from '../core/identity.ts'
import { currentKey, type Layout, layout } from '../wire/layout.ts'
import { VERSION } from '../wire/parse.ts'
import {
  COLLECTED,
  CONTROL,
  type CollectedRecord,
  type ControlRecord,
  CURRENT,
  type CurrentRecord,
  type InterruptRequest,
  type StopRequest,
} from '../wire/records.ts'
import { SLOT, type SlotRecord } from '../wire/slot.ts'
import { SPEC, type Spec, type TaskSpec } from '../wire/spec.ts'
import { isStoreError, type Store, type StoreAccess, StoreError, type StorePlace, type Version } from '../wire/store.ts'
import { type Read, readRecord } from '../wire/swap.ts'
import { changeRecord } from './change-record.ts'

export interface Deployment {
  readonly cloudId: string
  readonly cloud: Cloud
  readonly store: Store
  readonly id: string
  readonly name: string
  readonly incarnation: string
  readonly keys: Layout
  /** As the tags of its group have it (`DeploymentTags.promise`). */
  readonly promise?: string | undefined
  /** As its record has it (`Reference.region`). */
  readonly region?: string | undefined
}

/** Where a deployment is, or would be, whatever its incarnation. */
export type Place = Omit<Deployment, 'keys' | 'incarnation' | 'promise' | 'region'>

/** What the engine needs from its surroundings. */
export interface Engine {
  readonly host: Host
  readonly clock: Clock
  /** `$TPI_HOME`, absolute: history and delivery notes live there. */
  readonly home: string
  /** Who acts, for people: `user@host` or the CI run. */
  readonly actor: string
  /** The mark of the process that acts (`writerMark`); absent: this one. */
  readonly process?: string
}

export interface SlotRead {
  readonly record: SlotRecord
  readonly version: Version
}

export function deploymentOf(parts: Omit<Deployment, 'keys'>): Deployment {
  return { ...parts, keys: layout(parts.id, parts.incarnation) }
}

/**
 * The incarnation that is on record, or a former one, where the record says that it is. Throws InputError if that is another cloud: from this one it
 * would look as if it were gone.
 */
export function recorded(place: Place, { where, incarnation: living }: CurrentRecord, incarnation = living): Deployment {
  const found = where?.[incarnation]
  if (found && found.cloud !== place.cloudId)
    throw new InputError(`name: run "${place.name}" is on cloud ${found.cloud}, and this command is for ${place.cloudId}`, {
      hint: `give \`cloud: ${found.cloud}\`, or use another name`,
    })
  return deploymentOf({ ...place, incarnation, promise: undefined, region: found?.region })
}

/** At this place there is a store of a single deployment (`Cloud.isOwn`). */
export function isOwn(cloud: Cloud, place: StorePlace): boolean {
  return cloud.isOwn?.(place) === true
}

/** Where the cloud keeps deployments if no user names a storage. Empty if each has a store of its own: that is found with its deployment. */
export async function commonStores(cloud: Cloud): Promise<readonly StoreAccess[]> {
  const usual = await cloud.store('')
  return isOwn(cloud, usual) ? [] : [usual]
}

/** The store belongs to this deployment alone: it is removed as a whole, after everything else. */
export function ownsStore(d: Pick<Deployment, 'cloud' | 'store'>): boolean {
  return isOwn(d.cloud, { url: d.store.url })
}

/**
 * A text that is the same for the same store. The same id in two stores means two deployments, each with its own record. Stores of single deployments
 * all have the same text, because such a store may have another URL each time.
 */
export function storeKey(cloud: Cloud, place: StorePlace): string {
  return isOwn(cloud, place) ? 'its own' : place.url
}

/** The error says that the deployment's own store does not answer, or is gone. Such a store can be removed nevertheless. */
export function hasNoStore(d: Pick<Deployment, 'cloud' | 'store'>, error: unknown): boolean {
  return ownsStore(d) && (isStoreError(error, 'unavailable') || isStoreError(error, 'gone'))
}

/** The record that says which incarnation has the id, in the version in which it was read. */
export type CurrentRead = Read<CurrentRecord>

export async function readCurrent(store: Store, id: string): Promise<CurrentRead | undefined> {
  return readRecord(CURRENT, store, currentKey(id))
}

export async function readSpec(d: Deployment): Promise<Spec | undefined> {
  const spec = (await readRecord(SPEC, d.store, d.keys.spec))?.value
  if (spec && (spec.id !== d.id || spec.incarnation !== d.incarnation)) throw ofAnother(d.keys.spec, `run ${spec.id}`)
  return spec
}

/** The error for a record that belongs to another deployment or slot: somebody has put it there, so it must not be used. */
const ofAnother = (key: string, whose: string): StoreError =>
  new StoreError('corrupt', `record "${key}" is of ${whose}: this program did not put it there`)

/** The specification of a deployment that should be complete. If there is none, throws an error that says why, and what to do. */
export async function needSpec(d: Deployment): Promise<Spec> {
  const spec = await readSpec(d)
  if (spec) return spec
  const current = (await readCurrent(d.store, d.id))?.value
  if (current?.incarnation === d.incarnation && current.state === 'making')
    // The hint does not name `tpi destroy --discard`, because that would also remove the run that this one is to replace.
    throw new RemoteError(`run "${d.name}" is being created, and not complete yet`, {
      hint: 'run the same command again in a minute; if the command that was creating it was killed, `tpi sweep --yes` undoes that',
    })
  // A removal takes the specification first and the name last, and then another run may get the name.
  if (!current) throw gone(d, '`tpi list` shows whether anything is left of it, and `tpi sweep --yes` removes that')
  if (current.incarnation !== d.incarnation) throw gone(d)
  if (current.state === 'destroying') throw gone(d, `if that command was killed, \`tpi destroy ${d.name}\` does the rest`)
  throw new RemoteError(`run "${d.name}" has no specification: its creation was never finished`, {
    hint: `run: \`tpi destroy ${d.id} --discard\``,
  })
}

/** For verbs that need what only a task has, such as results or a work directory: throws InputError for runners. */
export function taskOnly(spec: Spec): TaskSpec {
  if (spec.mode === 'task') return spec
  throw new InputError(`name: "${spec.name}" has no results: it is a run of mode "${spec.mode}"`, {
    hint: `see it with: \`tpi status ${spec.name}\`; or use another name`,
  })
}

const gone = ({ name }: Deployment, hint?: string): RemoteError =>
  new RemoteError(`run "${name}" is gone: another command removed it`, { ...(hint !== undefined && { hint }) })

/** All slots, by index. Throws if one does not exist: all are made before any machine, so the run was removed. */
export async function readSlots(d: Deployment, count: number): Promise<SlotRead[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { record: key } = d.keys.slot(index)
      const read = await readRecord(SLOT, d.store, key)
      if (!read) throw gone(d)
      if (read.value.index !== index) throw ofAnother(key, `slot ${read.value.index}`)
      return { record: read.value, version: read.version }
    }),
  )
}

/** The same without versions, for callers that change nothing. */
export async function slotRecords(d: Deployment, count: number): Promise<SlotRecord[]> {
  return (await readSlots(d, count)).map(({ record }) => record)
}

/** The id of the machine that holds a slot, or (in a numbered group) will take it. Throws InputError if there is none. */
export async function machineOf(d: Deployment, { record: { index, holder } }: SlotRead): Promise<string> {
  const present = (await d.cloud.observe(d)).machines.filter(({ state }) => state !== 'gone')
  const found = present.find(({ id }) => id === holder) ?? present.find((machine) => machine.index === index)
  if (found) return found.id
  throw new InputError(`slot ${index} of ${d.name} has no machine`, { hint: `see: \`tpi status ${d.name}\`` })
}

/**
 * Puts a request to stop on record. The first request stays, unless the new one gives the program less time. If the run is moving to another region,
 * the request also goes there: whoever moves it first takes the name and then looks for a request, so at least one of the two sees the other.
 */
export async function requestStop(d: Deployment, request: StopRequest): Promise<void> {
  await changeRecord(CONTROL, d.store, d.keys.control, (now) => {
    if (now?.stop && (request.grace === undefined || (now.stop.grace ?? Number.POSITIVE_INFINITY) <= request.grace)) return undefined
    return { ...now, v: VERSION, stop: request }
  })
  // If this cannot be read, the request is on record nevertheless, and whoever clears the run's former region passes it on (`clearFormer`).
  const current = (await readCurrent(d.store, d.id).catch(() => undefined))?.value
  if (current && current.state !== 'destroying' && wentOn(current, d)) await requestStop(recorded(d, current), request)
}

/** The incarnation on record is the same run as this one, after a move to another region. */
export function wentOn({ moved }: CurrentRecord, { incarnation }: Pick<Deployment, 'incarnation'>): boolean {
  return moved?.[incarnation] !== undefined
}

/** Rehearses a reclaim: of the machine that holds this slot, or (`undefined`) of all. `at`: ISO. */
export async function requestInterrupt(d: Deployment, slot: number | undefined, at: string): Promise<void> {
  const request: InterruptRequest = { id: newNonce(), at, ...(slot === undefined ? {} : { slot }) }
  await ask(d, (now) => ({ ...now, interrupts: [...(now.interrupts ?? []), request] }))
}

/**
 * Changes the record of requests. Throws if there is none: every deployment is made with one, so this one was removed, and must not be made again.
 */
export async function ask(d: Deployment, change: (now: ControlRecord) => ControlRecord): Promise<void> {
  if (!(await changeRecord(CONTROL, d.store, d.keys.control, (now) => now && change(now)))) throw gone(d)
}

/**
 * Tells the machines since when all runners of the launch are online (`at`, ISO), and what a machine costs (`price`, USD per hour): they cannot ask.
 * What was noted first stays.
 */
export async function noteOnline(d: Deployment, at: string, price?: number): Promise<void> {
  await changeRecord(CONTROL, d.store, d.keys.control, (now) =>
    now?.online === undefined ? { ...now, v: VERSION, online: at, ...(price ? { price } : {}) } : undefined,
  )
}

export async function readControl(d: Deployment): Promise<ControlRecord | undefined> {
  return (await readRecord(CONTROL, d.store, d.keys.control))?.value
}

export async function readCollected(d: Deployment): Promise<CollectedRecord | undefined> {
  return (await readRecord(COLLECTED, d.store, d.keys.collected))?.value
}
