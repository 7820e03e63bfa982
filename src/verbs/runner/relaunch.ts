/** Starts runners again that jobs wait for, from their record, which survives a kill or a failure in between. */
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Forge, ForgeDescriptor } from '../../core/forge.ts'
import { changeRecord } from '../../engine/change-record.ts'
import { commonStores, type Deployment, isOwn, readCurrent, recorded, storeKey } from '../../engine/deployment.ts'
import { destroy } from '../../engine/destroy/destroy.ts'
import { storedIds } from '../../engine/destroy/sweep.ts'
import { openSighting, sightings } from '../../engine/find.ts'
import { forgeById } from '../../forges/registry.ts'
import { messageOf, plural } from '../../lib/text.ts'
import { recordedRequest } from '../../runner/recorded-request.ts'
import type { RunnerModeRequest } from '../../runner/request.ts'
import { rerunEarlier, waitingJobs } from '../../runner/rerun.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord, type Registry, type Relaunch } from '../../wire/records.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { VerbContext } from '../shared/context.ts'
import { recordedOptions } from '../shared/machine-request.ts'
import { isMeant } from '../shared/ownership.ts'
import type { Losses } from '../shared/partial-failures.ts'
import { arrive, type Launch, launch, refuseUnfit } from './launch.ts'
import { forgeOf } from './recorded-forge.ts'
import type { Retried } from './retried.ts'
import { unregister } from './unregister.ts'

/** How often in a row runners may fail to start: each try costs machines, and jobs wait for a day. */
const MOST_TRIES = 3

export interface RelaunchParams {
  readonly d: Deployment
  readonly facts: Relaunch
  readonly registry: Registry
  readonly forge: Forge
  readonly waiting: number
}

/**
 * The same runners again, with the same labels, because the waiting jobs name those. Their settings are on record from before the first removal
 * until the new machines are requested, and again if they do not come, so that the next command can continue.
 */
export async function relaunch(context: VerbContext, again: RelaunchParams): Promise<boolean> {
  const { d, facts, registry, waiting } = again
  const descriptor = forgeById(registry.forge)
  if (!descriptor) return false
  tellRelaunch(context, d, waiting)
  const prepared = await prepareRelaunch(context, again, await sameAccess(context, d), descriptor)
  const now = await changeRecord(CURRENT, d.store, currentKey(d.id), (current) =>
    current?.incarnation === d.incarnation ? { ...current, registry, relaunch: facts } : undefined,
  )
  // Another command was faster: the registrations, and the jobs, belong to its runners.
  if (now && now.incarnation !== d.incarnation) {
    context.host.info(`${d.name}: another command has started it again`)
    return false
  }
  await unregister(context, d, registry, 'incarnation')
  await destroy(context.engine, d, { why: 'unneeded', leave: true })
  await beginRelaunch(context, again, prepared)
  return true
}

export function tellRelaunch({ host }: VerbContext, { name }: Pick<Deployment, 'name'>, waiting: number): void {
  host.info(`${name}: ${plural(waiting, 'job waits', 'jobs wait')} for runners that have left; starting them again`)
}

function requestOf({ name }: Pick<Deployment, 'name'>, { request }: Relaunch): RunnerModeRequest {
  try {
    return recordedRequest(request)
  } catch (cause) {
    throw new RemoteError(`${name}: its record does not say which runners to start again: ${messageOf(cause)}`, {
      cause,
      hint: `start them as new ones; \`tpi destroy ${name} --discard\` removes what is left of these`,
    })
  }
}

/**
 * The store that has the records of these runners: the new ones need the same. Throws, before anything is removed, if this command is for
 * another region or another store.
 */
async function sameAccess(context: VerbContext, { name, id, cloud, store, region = cloud.region }: Deployment): Promise<StoreAccess> {
  if (region !== cloud.region)
    throw new InputError(`region: the runners "${name}" were in ${region}, and this command would start new ones in ${cloud.region}`, {
      hint: `give \`region: ${region}\``,
    })
  const named = await context.storage()
  if (named?.url === store.url) return named
  const usual = await cloud.store(id)
  if (storeKey(cloud, usual) === storeKey(cloud, store)) return usual
  throw new InputError(
    `storage: the records of the runners "${name}" are in ${store.url}, and this command is for ${(named ?? usual).url}`,
    {
      hint: isOwn(cloud, store) ? 'leave out `storage`' : `give \`storage: ${store.url}\``,
    },
  )
}

/** What its record says to start. Throws, before anything is removed, if that is not possible any more. */
export async function prepareRelaunch(
  context: VerbContext,
  { d, facts, forge }: RelaunchParams,
  access: StoreAccess,
  descriptor: ForgeDescriptor,
): Promise<Launch> {
  const request = requestOf(d, facts)
  const { keys: _keys, incarnation: _incarnation, ...where } = d
  try {
    // Tags confirm the record, so the new machines get the cloud's options of the earlier ones.
    const place = { ...where, cloud: d.cloud.withOptions?.(recordedOptions(context, d.cloudId, request.ofCloud)) ?? d.cloud }
    const prepared = { place, access, request, descriptor, forge, relaunch: facts }
    await refuseUnfit(context, prepared)
    return prepared
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`the runners "${d.name}" cannot be started again as they were: ${messageOf(error)}`, {
      cause: error,
      hint: otherwise(facts),
    })
  }
}

const otherwise = ({ labels: [label] }: Pick<Relaunch, 'labels'>): string =>
  `start runners with other options, and add the label that the waiting jobs name: ${label}`

/** Creates it again, once nothing of the former one is in the way. */
export async function beginRelaunch(context: VerbContext, again: RelaunchParams, prepared: Launch): Promise<void> {
  const { d, facts, forge } = again
  const { request } = prepared
  try {
    const launched = await launch(context, prepared)
    if (!launched)
      throw new InputError(`name: "${d.name}" was just created by another command`, {
        hint: 'run the same command again to see what it is',
      })
    await arrive(context, launched, forge, { attached: false, seconds: request.onlineTimeout, quiet: true, relaunch: facts })
  } catch (error) {
    // A failure to count the try is not reported: why the runners did not come is the more useful error.
    if (!context.signals.first.aborted) await tried(context, again).catch((problem: unknown) => context.host.debug(String(problem)))
    throw error
  }
}

/** Counts a failed try; after the last one everything is removed. */
async function tried(context: VerbContext, { d, facts, registry, waiting }: RelaunchParams): Promise<void> {
  const { host, engine } = context
  const tries = (facts.tries ?? 0) + 1
  const now = await changeRecord(CURRENT, d.store, currentKey(d.id), (current) =>
    current?.relaunch?.since === facts.since ? { ...current, relaunch: { ...current.relaunch, tries } } : undefined,
  )
  // Another controller has started a new one.
  if (now?.relaunch?.since !== facts.since) return
  if (tries < MOST_TRIES)
    return host.warn(
      `${d.name}: its runners did not come (try ${tries} of ${MOST_TRIES}); their settings stay on record, and the next \`tpi retry\` starts them again. If they are the reason, ${otherwise(facts)}`,
    )
  host.warn(
    `${d.name}: its runners failed to come online ${MOST_TRIES} times in a row, so tpi gives up: ${plural(waiting, 'job waits', 'jobs wait')} until the forge gives up too`,
  )
  await unregister(context, d, registry)
  await destroy(engine, recorded(d, now), { why: 'unneeded' })
}

export interface UnfinishedRelaunch {
  readonly d: Deployment
  readonly current: CurrentRecord
}

/** Interrupted relaunches: in stores of clouds, in the one that was named, and in deployments' own stores. */
export async function unfinishedRelaunches(context: VerbContext, losses: Losses): Promise<UnfinishedRelaunch[]> {
  const found = new Map<string, UnfinishedRelaunch>()
  const consider = async (d: Omit<Deployment, 'keys' | 'incarnation' | 'name'>): Promise<void> => {
    const current = (await readCurrent(d.store, d.id))?.value
    if (current?.relaunch && isMeant(context, { ...current, id: d.id }) && !found.has(d.id))
      found.set(d.id, { d: recorded({ ...d, name: current.name }, current), current })
  }
  const clouds = await context.clouds()
  const storage = await context.storage()
  for (const { id: cloudId, cloud } of clouds) {
    const places = [...(await commonStores(cloud)), ...(storage ? [storage] : [])]
    for (const place of places)
      await losses.heed(`storage of ${cloudId}`, async () => {
        const store = await context.access(place)
        for (const id of await storedIds(store)) await losses.heed(id, () => consider({ cloudId, cloud, store, id }))
      })
  }
  for (const sighting of await sightings(clouds.filter(({ cloud }) => cloud.isOwn !== undefined))) {
    const { tags } = sighting.found
    if (isMeant(context, tags) && tags.mode === 'runner' && isOwn(sighting.cloud, tags.store))
      await losses.heed(tags.name, async () => consider(await openSighting(sighting, context.access)))
  }
  return [...found.values()]
}

/** Goes on with an interrupted relaunch, unless another controller is working on it. */
export async function finishRelaunch(
  context: VerbContext,
  d: Deployment,
  { nonce, registry, relaunch: facts }: CurrentRecord,
): Promise<Retried[]> {
  const { engine, host } = context
  if (!registry || !facts) return []
  const { lease } = requestOf(d, facts)
  await engine.clock.sleep(lease.ttl, context.signals.first)
  const now = await readCurrent(d.store, d.id)
  if (now?.value.nonce !== nonce) {
    host.info(`${d.name}: another command is starting it again`)
    return []
  }
  const forge = await forgeOf(context, d, { ...registry, again: facts })
  // Before the waiting jobs are counted: jobs that are re-run now wait for these runners, too.
  const { runs, left } = await rerunLeft(context, forge, facts)
  const waiting = await waitingJobs(engine.clock, forge, { ...facts, runs }, context.signals.first)
  const { earlier: _, ...rest } = facts
  let relaunched = false
  if (waiting > 0) relaunched = await relaunch(context, { d, facts: { ...rest, ...(left && { earlier: left }) }, registry, forge, waiting })
  else if (!left) {
    await unregister(context, d, registry)
    await destroy(engine, d, { why: 'unneeded' })
  }
  return [{ name: d.name, id: d.id, runs, waiting, alive: 0, relaunched }]
}

/** Jobs of the former launch that were cut off, and are not re-run yet. */
async function rerunLeft(
  { engine }: VerbContext,
  forge: Forge,
  { earlier, request, labels, repositories }: Relaunch,
): ReturnType<typeof rerunEarlier> {
  if (!earlier) return { runs: [], left: undefined }
  const { jobs } = recordedRequest(request)
  const asked = { forge, labels, repositories, lasting: jobs === null, runs: [], most: Number(request['retry'] ?? 0) }
  return rerunEarlier(engine.clock, earlier, asked)
}
