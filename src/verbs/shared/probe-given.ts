/** A storage that a user names is looked at before anything is made in it. */
import { patiently } from '../../engine/patience.ts'
import { PROBES } from '../../wire/layout.ts'
import { probe } from '../../wire/probe.ts'
import type { Store } from '../../wire/store.ts'
import type { VerbContext } from './context.ts'

/** Rejects for one that cannot be used. May be waited for later. */
export function probeGiven({ values, engine, interrupts }: VerbContext, store: Store): Promise<void> {
  if (values.storage === undefined) return Promise.resolve()
  const probed = patiently(engine, async () => probe(store, interrupts.first), interrupts.first)
  probed.catch(() => undefined)
  return probed
}

/** What looks left behind that were killed. One that is under way looks again. */
export async function removeProbes(context: VerbContext): Promise<void> {
  const place = await context.storage()
  if (!place) return
  const store = await context.access(place)
  const keys: string[] = []
  for await (const { key } of store.list(PROBES)) keys.push(key)
  await store.remove(keys)
}
