/** Single-use credentials: the claim is recorded in slot.json, then the object is removed, then it is used. */
import type { SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import type { Holder } from './holder.ts'
import type { SlotSite } from './site.ts'
import { persist } from './tries.ts'

export interface Credential {
  /** Empty: the machine is registered already. */
  readonly value: string
  /** Name of the runner that it registers. */
  readonly name: string
}

type RunnerSite = SlotSite<RunnerSpec>

/** What its slot has is good for whoever comes. */
function isLasting({ spec }: RunnerSite): boolean {
  const { registration, reusable } = spec.runner.machine
  return registration !== undefined || reusable === true
}

function supplyOf(site: RunnerSite): number {
  return site.spec.runner.supply
}

/** Whether another machine could register in the place of this one. */
export function hasCredentials(site: RunnerSite, record: SlotRecord): boolean {
  return isLasting(site) || (record.claimed ?? 0) < supplyOf(site)
}

export function nameOf({ spec, index }: RunnerSite, k: number): string {
  return spec.runner.enrolled.find((one) => one.slot === index && one.k === k)?.name ?? `${spec.id}-${index}`
}

/** The next one of this slot; `undefined` when all are used. One whose object is gone was used by somebody who then died. */
export async function claimCredential(site: RunnerSite, holder: Holder, signal: AbortSignal): Promise<Credential | undefined> {
  if (site.spec.runner.machine.reusable) {
    const value = await lastingCredential(site, holder, signal)
    return value === undefined ? undefined : { value, name: nameOf(site, 0) }
  }
  for (;;) {
    const k = holder.record.claimed ?? 0
    if (k >= supplyOf(site)) return undefined
    await holder.update((record) => ({ ...record, claimed: k + 1 }), signal)
    const key = site.keys.once(site.index, k)
    const object = await persist(async (limit) => site.store.read(key, undefined, limit), signal)
    if (!object) continue
    await persist(async () => site.store.remove([key]), signal)
    return { value: Buffer.from(object.bytes).toString('utf8'), name: nameOf(site, k) }
  }
}

/** It stays for whoever comes after. On record before it is used: whoever has lost the slot registers nothing. */
export async function lastingCredential(site: RunnerSite, holder: Holder, signal: AbortSignal): Promise<string | undefined> {
  await holder.update((record) => ({ ...record, claimed: supplyOf(site) }), signal)
  const object = await persist(async (limit) => site.store.read(site.keys.once(site.index, 0), undefined, limit), signal)
  return object && Buffer.from(object.bytes).toString('utf8')
}

/** What nobody will use any more. */
export async function removeCredentials(site: RunnerSite, record: SlotRecord): Promise<void> {
  const { index, keys, spec } = site
  // One that is good for many is not gone by being taken.
  const first = isLasting(site) ? 0 : (record.claimed ?? 0)
  const left = Array.from({ length: Math.max(0, supplyOf(site) - first) }, (_, at) => keys.once(index, first + at))
  const all = spec.runner.machine.registration ? [...left, keys.registration(index)] : left
  if (all.length > 0) await site.store.remove(all)
}
