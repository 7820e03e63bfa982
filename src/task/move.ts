/**
 * Moves a run on which no machine has worked yet to another region: a new incarnation replaces it there, with everything that it was given. Its
 * records stay in the same store, and its deadline does not change.
 */
import type { Cloud } from '../core/cloud.ts'
import { RemoteError } from '../core/errors.ts'
import { createDeployment, type DeploymentParts } from '../engine/create/create.ts'
import { readReceipt, writeReceipt } from '../engine/deliver/destination.ts'
import { type Deployment, type Engine, readControl, readSlots, slotRecords } from '../engine/deployment.ts'
import { tryToClearFormer } from '../engine/destroy/destroy.ts'
import { currentOf } from '../engine/owner/silence.ts'
import { isDamage } from '../snapshot/errors.ts'
import { manifestKey, readManifest } from '../snapshot/format/manifest.ts'
import type { NamedRef } from '../snapshot/types.ts'
import { BASE } from '../wire/layout.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { isStoreError } from '../wire/store.ts'
import { machineRequest } from './create.ts'
import type { TaskRequest } from './request.ts'
import { Copies, plantAsItIs } from './resume.ts'
import { entrust } from './secrets.ts'

export interface MoveParts extends Pick<DeploymentParts, 'storeAccess' | 'agent' | 'signal'> {
  /** In the terms of the existing run, except the budget, which is counted at the prices of the other region. */
  readonly request: TaskRequest
}

export interface Moving {
  readonly d: Deployment
  readonly spec: TaskSpec
}

/** The run has to stay in its region, because a machine has come, or a stop was requested. */
export class Stays extends RemoteError {}

/**
 * `to`: the other region, with the same store. Does not remove what is left in the former one (see `clearBehind`). `undefined`: another command has
 * taken the id meanwhile. Throws `Stays`, or the reason why the run could not be made there: then it waits where it was.
 */
export async function move(engine: Engine, { d, spec }: Moving, to: Cloud, parts: MoveParts): Promise<Moving | undefined> {
  const { request, storeAccess, agent, signal } = parts
  const current = await currentOf(d)
  if (current?.value.incarnation !== d.incarnation || current.value.state !== 'open') return undefined
  const { origin, moved } = current.value
  const { cloudId, store, id, name } = d
  const place = { cloudId, cloud: to, store, id, name }
  return createDeployment<TaskSpec, TaskSpec, readonly SlotRecord[]>(
    engine,
    place,
    { origin, storeAccess, agent, signal },
    {
      draft: ({ incarnation }) => ({ ...spec, incarnation, agent: agent.digest, ...(request.budget && { budget: request.budget }) }),
      machines: (draft) => machineRequest(draft, request, storeAccess),
      facts: { moved: { ...moved, [d.incarnation]: regionOf(d) } },
      former: async () => {
        // Checked again, because the decision to move it may be half a minute old.
        await refuseIfNeeded(d, spec)
        return current
      },
      agree: async () => refuseIfNeeded(d, spec),
      supply: async (next) => carry(d, next, spec),
      async complete(next, draft, slots) {
        await passReceipt(engine, d, next)
        return { spec: draft, first: (index) => startOf(slots[index]) }
      },
      entrust: async (next, draft) => entrust(next, draft, request.secrets),
    },
  )
}

/**
 * Removes what is left in the former region. The caller is registered as a reader in the new one. Waits for commands that still follow the run in
 * the former region.
 */
export async function clearBehind(engine: Engine, d: Deployment): Promise<void> {
  await tryToClearFormer(engine, d, 'what it has left in its former region')
}

export const regionOf = ({ region, cloud }: Pick<Deployment, 'region' | 'cloud'>): string => region ?? cloud.region ?? 'elsewhere'

/**
 * Throws `Stays` if the run is needed where it is. Called before and after the id is taken: a machine that takes a slot later starts nothing, and
 * one that has taken it before is seen.
 */
async function refuseIfNeeded(d: Deployment, { count }: TaskSpec): Promise<void> {
  const [slots, control, seen] = await Promise.all([readSlots(d, count), readControl(d), d.cloud.observe(d)])
  if (control?.stop) throw new Stays(`${control.stop.by} has asked it to stop`)
  if (slots.some(({ record }) => record.epoch > 0)) throw new Stays(BEGUN)
  if (seen.machines.some(({ state }) => state !== 'gone')) throw new Stays('a machine has come')
}

const BEGUN = 'a machine has begun'
const hasBegun = ({ epoch, state }: SlotRecord): boolean => epoch > 0 && !isTerminal(state)

/**
 * Copies what was uploaded, and the checkpoints of a former run that slots start from; a checkpoint to fall back on is left out if it is damaged.
 * Resolves to the slots.
 */
async function carry(from: Deployment, to: Deployment, spec: TaskSpec): Promise<readonly SlotRecord[]> {
  const slots = await slotRecords(from, spec.count)
  // A slot may have been taken since the check, by a machine that does not belong to the next incarnation.
  if (slots.some(hasBegun)) throw new Stays(BEGUN)
  const copies = new Copies(from, to)
  const bring = async (ref: NamedRef): Promise<void> => plantAsItIs(copies, ref, await readManifest(from.store, from.keys.root, ref))
  const base = spec.base === undefined ? [] : [{ digest: spec.base, at: BASE }]
  const refs = new Map([...base, ...slots.flatMap(({ head }) => head ?? [])].map((ref) => [manifestKey(ref), ref]))
  for (const ref of refs.values()) await bring(ref)
  const carried: SlotRecord[] = []
  for (const { previous, ...slot } of slots) carried.push({ ...slot, ...(previous && (await isWhole(bring(previous))) && { previous }) })
  return carried
}

async function isWhole(bringing: Promise<void>): Promise<boolean> {
  return bringing.then(
    () => true,
    (error: unknown) => {
      if (isDamage(error) || isStoreError(error, 'full')) return false
      throw error
    },
  )
}

function startOf(slot: SlotRecord | undefined): Partial<SlotRecord> {
  if (!slot) return {}
  const { nonce: _nonce, lastQuiet: _quiet, ...start } = slot
  return start
}

/** Copies the receipt, which says where results go, if the run was started on this computer. */
export async function passReceipt(engine: Engine, from: Deployment, to: Deployment): Promise<void> {
  const receipt = await readReceipt(engine, from)
  if (receipt && !(await readReceipt(engine, to))) await writeReceipt(engine, to, receipt)
}

/** No machine has worked on it, and some slot is waiting for one. */
export const isUntouched = (slots: readonly Pick<SlotRecord, 'epoch' | 'state'>[]): boolean =>
  slots.every(({ epoch }) => epoch === 0) && slots.some(({ state }) => !isTerminal(state))
