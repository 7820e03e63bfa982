/** Single-use credentials: the claim is recorded in slot.json, then the object is removed, then it is used. */
import type { SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import type { Holder } from './holder.ts'
import type { SlotSite } from './site.ts'
import { persist } from './tries.ts'

export interface Credential {
  readonly value: string
  /** Name of the runner that it registers. */
  readonly name: string
}

type RunnerSite = SlotSite<RunnerSpec>

function supplyOf(site: RunnerSite): number {
  return site.spec.runner.supply
}

export function hasCredentials(site: RunnerSite, record: SlotRecord): boolean {
  return (record.claimed ?? 0) < supplyOf(site)
}

/** The next one of this slot; `undefined` when all are used. One whose object is gone was used by somebody who then died. */
export async function claimCredential(site: RunnerSite, holder: Holder, signal: AbortSignal): Promise<Credential | undefined> {
  for (;;) {
    const k = holder.record.claimed ?? 0
    if (k >= supplyOf(site)) return undefined
    await holder.update((record) => ({ ...record, claimed: k + 1 }), signal)
    const key = site.keys.once(site.index, k)
    const object = await persist(async (limit) => site.store.read(key, undefined, limit), signal)
    if (!object) continue
    await persist(async () => site.store.remove([key]), signal)
    const { enrolled } = site.spec.runner
    const runner = enrolled.find((one) => one.slot === site.index && one.k === k)
    return { value: Buffer.from(object.bytes).toString('utf8'), name: runner?.name ?? `${site.spec.id}-${site.index}` }
  }
}

/** What nobody will use any more. */
export async function removeCredentials(site: RunnerSite, record: SlotRecord): Promise<void> {
  const first = record.claimed ?? 0
  const left = Array.from({ length: Math.max(0, supplyOf(site) - first) }, (_, at) => site.keys.once(site.index, first + at))
  if (left.length > 0) await site.store.remove(left)
}
