/** Checks a storage that a user names before anything is made in it. */
import { cloudById } from '../../clouds/registry.ts'
import { patiently } from '../../engine/outage.ts'
import { PROBES } from '../../wire/layout.ts'
import { probe } from '../../wire/probe-conditions.ts'
import type { Store, StoreAccess } from '../../wire/store.ts'
import type { VerbContext } from './context.ts'

/** Rejects if the storage that the user names cannot be used. The caller may await this later. */
export function probeGiven({ values, engine, signals }: VerbContext, store: Store): Promise<void> {
  if (values.storage === undefined) return Promise.resolve()
  const probed = patiently(engine, async () => probe(store, signals.first), signals.first)
  probed.catch(() => undefined)
  return probed
}

/** Warns if the run may outlive the credentials of its storage, where machines have no identity of their own and keep those. `cloud`: its id. */
export function warnOfExpiry(
  { engine, host }: Pick<VerbContext, 'engine' | 'host'>,
  cloud: string,
  { until, temporary = false }: StoreAccess,
  timeout: number,
): void {
  if (cloudById(cloud)?.can.wholeSystem || (until === undefined && !temporary)) return
  const end = new Date(engine.clock.date().getTime() + timeout * 1000).toISOString()
  if (until !== undefined && Date.parse(until) >= Date.parse(end)) return
  const when = until === undefined ? 'expire, and nobody says when: perhaps' : `expire at ${until},`
  host.warn(
    `storage: its credentials ${when} before "timeout" ends the run at ${end}. From then on nothing can be saved. Give credentials that last longer, or a shorter "timeout"`,
  )
}

/** Removes what checks that were killed have left in the storage. A check in progress, if it is disturbed by this, tries again. */
export async function removeProbes(context: VerbContext): Promise<void> {
  const place = await context.storage()
  if (!place) return
  const store = await context.access(place)
  const keys: string[] = []
  for await (const { key } of store.list(PROBES)) keys.push(key)
  await store.remove(keys)
}
