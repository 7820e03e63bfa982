/**
 * The credentials of a slot in the store. Most are good for one job: a machine records in slot.json that it takes one, and removes its
 * object once the job has begun. Until then, the next start of the runner takes the same one, here or on the next machine.
 */
import { isLasting } from '../../wire/registrations.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { RunnerContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import type { Holder } from '../slot/holder.ts'

export interface Credential {
  /** Empty: the machine is registered already. */
  readonly value: string
  /** Name of the runner that it registers. */
  readonly name: string
  /** Its number among those of the slot, from 0; absent: it is good for any number of jobs. */
  readonly k?: number
  /** Present if the machine is registered already: the files that make it this runner. */
  readonly files?: Readonly<Record<string, string>>
}

/** Whether another machine could still register for this slot, although the last credential that was taken is used up. */
export function hasCredentials({ spec }: RunnerContext, record: SlotRecord): boolean {
  return isLasting(spec) || (record.claimed ?? 0) < spec.runner.supply
}

export function nameOf({ spec, index }: RunnerContext, k: number): string {
  return spec.runner.enrolled.find((one) => one.slot === index && one.k === k)?.name ?? `${spec.id}-${index}`
}

/**
 * Takes the next credential of this slot; `undefined`: all are used. `inherit`: starts with the one that was taken last, whose object still
 * exists if the previous machine had no job with it.
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
  for (let k = inherit ? Math.max(0, claimed - 1) : claimed; k < context.spec.runner.supply; k++) {
    if (k >= claimed) await holder.update((record) => ({ ...record, claimed: k + 1 }), signal)
    const value = await readCredential(context, k, signal)
    if (value !== undefined) return { value, name: nameOf(context, k), k }
  }
  return undefined
}

/** Removes a credential that has had its job, or that the forge does not know any more. */
export async function useUp({ store, keys, index }: RunnerContext, { k }: Credential, signal: AbortSignal): Promise<void> {
  if (k !== undefined) await persist(async () => store.remove([keys.once(index, k)]), signal)
}

/**
 * Takes the only credential of a slot, which stays in the store for the next holder. That is recorded before it is used, so a machine that
 * has lost the slot does not register.
 */
export async function lastingCredential(context: RunnerContext, holder: Holder, signal: AbortSignal): Promise<string | undefined> {
  await holder.update((record) => ({ ...record, claimed: context.spec.runner.supply }), signal)
  return await readCredential(context, 0, signal)
}

async function readCredential({ store, keys, index }: RunnerContext, k: number, signal: AbortSignal): Promise<string | undefined> {
  const object = await persist(async (limit) => store.read(keys.once(index, k), undefined, limit), signal)
  return object && Buffer.from(object.bytes).toString('utf8')
}
