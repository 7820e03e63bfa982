/**
 * Credentials that are good for one job each: the claim is recorded in slot.json, and the object is removed when the job is seen. Until
 * then another start, here or on the next machine, takes the same.
 */
import { isLasting, unusedRegistrations } from '../../wire/registrations.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import type { MachineContext, SlotContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import type { Holder } from '../slot/holder.ts'

export interface Credential {
  /** Empty: the machine is registered already. */
  readonly value: string
  /** Name of the runner that it registers. */
  readonly name: string
  /** Of a slot, numbered from 0; absent: it is good for any number of jobs. */
  readonly k?: number
  /** The files that make a machine that is already registered the runner. */
  readonly files?: Readonly<Record<string, string>>
}

type RunnerContext = SlotContext<RunnerSpec>

function supplyOf(context: RunnerContext): number {
  return context.spec.runner.supply
}

/** Whether another machine could register in place of this one, whose registration has had no job (`unused`). */
export function hasCredentials(context: RunnerContext, record: SlotRecord, unused: boolean): boolean {
  return isLasting(context.spec) || unused || (record.claimed ?? 0) < supplyOf(context)
}

export function nameOf({ spec, index }: RunnerContext, k: number): string {
  return spec.runner.enrolled.find((one) => one.slot === index && one.k === k)?.name ?? `${spec.id}-${index}`
}

/**
 * The next one of this slot; `undefined` when all are used. `inherit`: the last one again, if the previous machine had no job with it, so
 * that its object still exists.
 */
export async function claimCredential(
  context: RunnerContext,
  holder: Holder,
  inherit: boolean,
  signal: AbortSignal,
): Promise<Credential | undefined> {
  if (context.spec.runner.machine.reusable) {
    const value = await lastingCredential(context, holder, signal)
    return value === undefined ? undefined : { value, name: nameOf(context, 0) }
  }
  const claimed = holder.record.claimed ?? 0
  for (let k = inherit ? Math.max(0, claimed - 1) : claimed; k < supplyOf(context); k++) {
    if (k >= claimed) await holder.update((record) => ({ ...record, claimed: k + 1 }), signal)
    const value = await readCredential(context, k, signal)
    if (value !== undefined) return { value, name: nameOf(context, k), k }
  }
  return undefined
}

/** It has had its job, or the forge does not know it any more. */
export async function useUp({ store, keys, index }: RunnerContext, { k }: Credential, signal: AbortSignal): Promise<void> {
  if (k !== undefined) await persist(async () => store.remove([keys.once(index, k)]), signal)
}

/** It is kept for the next holder. Recorded before it is used, so that a machine that has lost the slot does not register. */
export async function lastingCredential(context: RunnerContext, holder: Holder, signal: AbortSignal): Promise<string | undefined> {
  await holder.update((record) => ({ ...record, claimed: supplyOf(context) }), signal)
  return await readCredential(context, 0, signal)
}

async function readCredential({ store, keys, index }: RunnerContext, k: number, signal: AbortSignal): Promise<string | undefined> {
  const object = await persist(async (limit) => store.read(keys.once(index, k), undefined, limit), signal)
  return object && Buffer.from(object.bytes).toString('utf8')
}

/** Removes what nobody will use any more. */
export async function removeCredentials({ keys, spec, store }: MachineContext, record: SlotRecord): Promise<void> {
  const unused = unusedRegistrations(spec, keys, record)
  if (unused.length > 0) await store.remove(unused)
}
