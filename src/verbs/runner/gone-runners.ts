/** Runners that have left, and whose store has ended itself: they are started again for re-run jobs that wait for them. */
import { deploymentOf, type Place } from '../../engine/deployment.ts'
import { removeStages } from '../../engine/destroy/stages.ts'
import { sightings } from '../../engine/find.ts'
import { unlocate } from '../../engine/locators.ts'
import { patiently } from '../../engine/outage.ts'
import { forgeById } from '../../forges/registry.ts'
import { repositoryOf } from '../../runner/rerun.ts'
import { type RunnersTombstone, readTombstone } from '../../runner/tombstone.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { VerbContext } from '../shared/context.ts'
import { isMeant } from '../shared/ownership.ts'
import { forgeOf } from './recorded-forge.ts'
import { beginRelaunch, prepareRelaunch, tellRelaunch } from './relaunch.ts'
import type { Retried } from './retried.ts'
import { unregister, unregisterOrWarn } from './unregister.ts'

export interface GoneRunners {
  readonly place: Place
  readonly access: StoreAccess
  readonly incarnation: string
  readonly kept: RunnersTombstone
  /** Repositories in which jobs may wait for them. */
  readonly repositories: readonly string[]
}

/** Those that the command names, or all of this repository. Runners that exist again are not among them. */
export async function goneRunners(context: VerbContext): Promise<GoneRunners[]> {
  const clouds = await context.clouds()
  const found: GoneRunners[] = []
  for (const { id: cloudId, cloud } of clouds) {
    const tombstones = (await cloud.tombstones?.()) ?? []
    const alive = new Set(tombstones.length === 0 ? [] : (await sightings([{ id: cloudId, cloud }])).map((one) => one.found.tags.id))
    for (const tombstone of tombstones) {
      const { tags } = tombstone
      const kept = readTombstone(tombstone)
      if (!kept || !isMeant(context, tags) || alive.has(tags.id)) continue
      const access = await cloud.store(tags.id)
      const place: Place = { cloudId, cloud, store: await context.access(access), id: tags.id, name: tags.name }
      // Runners of an organization may have served the asking repository, too.
      const repositories = [...new Set([tags.origin, context.owner.origin].flatMap((origin) => repositoryOf(origin) ?? []))]
      found.push({ place, access, incarnation: tags.incarnation, kept, repositories })
    }
  }
  return found
}

/** Starts them if jobs wait for them. The record of the old ones is kept until the new ones are on record. */
export async function startGone(context: VerbContext, { place, access, incarnation, kept, repositories }: GoneRunners): Promise<Retried> {
  const { registry, labels, request } = kept
  const d = deploymentOf({ ...place, incarnation })
  const forge = await forgeOf(context, d, { ...registry, again: { labels, request } })
  const waiting = await forge.waiting(labels, repositories)
  const descriptor = forgeById(registry.forge)
  if (waiting > 0 && descriptor) {
    tellRelaunch(context, d, waiting)
    const facts = { since: context.engine.clock.date().toISOString(), labels, request: { ...request }, repositories }
    const again = { d, facts, registry, forge, waiting }
    const prepared = await prepareRelaunch(context, again, access, descriptor)
    await unregister(context, d, registry)
    await beginRelaunch(context, again, prepared)
  }
  return { name: d.name, id: d.id, runs: [], waiting, alive: 0, relaunched: waiting > 0 }
}

/** Removes their registrations and what was kept of them. `false`: there are none of that name. */
export async function forgetGone(context: VerbContext): Promise<boolean> {
  const gone = await patiently(context.engine, async () => goneRunners(context), context.signals.first)
  for (const { place, incarnation, kept } of gone) {
    const { cloud, id } = place
    await unregisterOrWarn(context, deploymentOf({ ...place, incarnation }), kept.registry)
    await removeStages(
      context.engine,
      ((await cloud.remainingStore?.({ id, incarnation })) ?? []).reverse(),
      `run again: \`tpi destroy ${id}\``,
    )
    await unlocate(context.engine.home, id)
  }
  return gone.length > 0
}
