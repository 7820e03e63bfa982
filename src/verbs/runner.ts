/** `tpi runner`: checks the request, registers runners, starts their machines, and waits until the forge says that they are online. */

import { describeError, InputError, refuse } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import type { Forge, ForgeDescriptor } from '../core/forge.ts'
import { deploymentId } from '../core/identity.ts'
import { changeRecord } from '../engine/change-record.ts'
import { differences, fingerprint } from '../engine/create/fingerprint.ts'
import { type Deployment, isOwn, noteOnline, type Place, readSpec, recorded } from '../engine/deployment.ts'
import { again } from '../engine/destroy/compute.ts'
import { destroy } from '../engine/destroy/destroy.ts'
import { abandoned, currentOf, untilOurs } from '../engine/owner/silence.ts'
import { areTwins, twins } from '../engine/owner/twin-jobs.ts'
import { orLate } from '../lib/abort.ts'
import { listed, messageOf, plural } from '../lib/text.ts'
import { progress } from '../report/progress.ts'
import { fetchArchive, staysAtForge } from '../runner/archive.ts'
import { type CreateParts, createRunners, machineRequest, runnerDraft } from '../runner/create.ts'
import { runnerName } from '../runner/names.ts'
import { untilOnline } from '../runner/online.ts'
import { slotsWithCauses } from '../runner/outgrown-machines.ts'
import { openWarning } from '../runner/public-access.ts'
import { removeRegistrations } from '../runner/remove-registrations.ts'
import { comparable, labelsFor, type RunnerModeRequest } from '../runner/request.ts'
import { undecidedJobs } from '../runner/rerun.ts'
import { currentKey } from '../wire/layout.ts'
import { CURRENT, type Registry, type Relaunch } from '../wire/records.ts'
import type { EarlierJobs } from '../wire/runner.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import type { StoreAccess } from '../wire/store.ts'
import { isAtWork, stayWords } from './runner/at-work.ts'
import { hostWarnings, refuseUnsupported } from './runner/fit.ts'
import { chosenForge, maskCredentials, openForge } from './runner/forge.ts'
import { tellAll } from './runner/launch-report.ts'
import { isVouched } from './runner/recorded-forge.ts'
import { platformOf, runnerRequest } from './runner/request-from-options.ts'
import { reused } from './runner/reuse.ts'
import { HURRIED, unregister, unregisterAround } from './runner/unregister.ts'
import { warnOfClock } from './shared/clock-here.ts'
import { undisturbed, type VerbContext } from './shared/context.ts'
import { nameInUse } from './shared/name-in-use.ts'
import { priceIn } from './shared/price.ts'
import { probeGiven, warnOfExpiry } from './shared/probe-store.ts'
import { output } from './shared/set-outputs.ts'
import { storageFor } from './shared/storage.ts'
import { present } from './status.ts'

export async function runner(context: VerbContext): Promise<number> {
  const { host } = context
  const descriptor = chosenForge(context)
  const [found] = await context.clouds()
  if (!found) throw new InputError('cloud: none is available')
  if ((found.cloud.regions?.length ?? 0) > 1)
    throw new InputError([{ option: 'region', message: 'region: runners are in one region; several are for tasks', hint: 'name one' }])
  const request = runnerRequest(context, platformOf(context, { here: !context.billed(found.id) }))
  refuseUnsupported(request, descriptor, context.values)
  for (const warning of hostWarnings(context, found.id)) host.warn(warning)
  const id = deploymentId(context.owner, request.name)
  maskCredentials(context)
  // Before the first call that makes anything, so that if this command is killed, the next one finds what it may have made.
  output(host, { id, name: request.name })
  host.state.set('id', id)
  // Asked in parallel with everything else, so that it costs no extra round of calls.
  const shown = nameInUse(context, id)
  const forge = await openForge(context, descriptor, { until: context.engine.clock.now() + request.onlineTimeout * 1000 })
  const { place, access } = await host.section('Plan', async () => {
    const account = await forge.whoami(request)
    for (const warning of account.warnings) host.warn(warning)
    const audience = openWarning(account, { jobs: request.jobs, allowed: context.values['allow-public'] })
    if (audience !== undefined) host.warn(audience)
    if (account.advice !== undefined) host.info(account.advice)
    const storeAccess = await storageFor(context, found.cloud, id)
    host.info(`${plural(request.count, 'runner')} ${request.name} (${id}) on ${found.id}, for ${forge.title}`)
    const where: Place = { cloudId: found.id, cloud: found.cloud, store: await context.access(storeAccess), id, name: request.name }
    warnOfExpiry(context, found.id, storeAccess, request.timeout)
    await probeGiven(context, where.store)
    warnOfClock(context)
    return { place: where, access: storeAccess }
  })
  await context.note({ id, name: request.name, cloud: found.id })
  let left: Pick<Launch, 'earlier' | 'label'> = {}
  const meeting: Meeting = { place, request, descriptor, forge, keep: (one) => (left = one ?? left) }
  return untilOurs(request.name, async () => {
    const met = await meetExisting(context, meeting)
    if (met === 'reused' || (!met && (await reused(context, request, forge)))) return EXIT.ok
    try {
      const launched = met ?? (await launch(context, { place, access, request, descriptor, forge, shown, ...left }))
      if (!launched) return undefined
      host.state.set('begun', met ? 'attached' : 'created')
      host.state.set('made', launched.spec.createdAt)
      return await arrive(context, launched, forge, { attached: met !== undefined, seconds: request.onlineTimeout, quiet: false })
    } catch (error) {
      if (left.earlier && !(await currentOf(place).catch(() => undefined))) tellForgotten(context, left.earlier)
      throw error
    }
  })
}

/** The records of an earlier launch are gone, and this launch, which failed, could not take over which of its jobs are to run again. */
function tellForgotten({ host }: VerbContext, { jobs }: EarlierJobs): void {
  const runs = [...new Set(jobs.flatMap(({ facts, interrupted }) => (interrupted ? (facts['run'] ?? []) : [])))]
  if (runs.length > 0)
    host.warn(
      `jobs of earlier runners of this name were cut off, and \`tpi retry\` no longer knows of them: run them again yourself, in ${listed(runs, 'and')}`,
    )
}

interface Meeting extends Pick<Launch, 'place' | 'request' | 'descriptor' | 'forge'> {
  /** Called before the records of earlier runners are removed: with the jobs that `tpi retry` has not decided on yet, and their unique label. */
  keep(left: Pick<Launch, 'earlier' | 'label'> | undefined): void
}

/** The same deployment, if it exists and works. What is left of one that has ended is removed. */
async function meetExisting(context: VerbContext, meeting: Meeting): Promise<{ d: Deployment; spec: RunnerSpec } | 'reused' | undefined> {
  const { engine, host } = context
  const { place, request, descriptor, forge } = meeting
  const current = await currentOf(place)
  if (!current) return undefined
  const { state } = current.value
  const dead = state === 'making' ? await abandoned(engine, place, current, request.lease.ttl) : undefined
  if (state === 'making' && !dead) return meetExisting(context, meeting)
  const d = recorded(place, current.value)
  const spec = await readSpec(d)
  if (spec && state === 'open') {
    if (spec.mode !== 'runner') throw new InputError(`name: "${request.name}" is a ${spec.mode}`, { hint: 'use another name' })
    if ((await present(context, d)).outcome === 'running') {
      // Another job has started them for its own jobs, and they serve a fixed number: they are not shared unless somebody says so.
      if (context.values.name === undefined && areTwins(context.owner.origin, spec.origin))
        throw twins(request, 'the same one if they should share its runners')
      const different = differences(spec.fingerprint, fingerprint(d.id, comparable(request, descriptor.id, forge.scope)))
      if (different.length > 0)
        throw new InputError(`name: "${request.name}" has existed since ${spec.createdAt} and differs in: ${different.join(', ')}`, {
          hint: `use another name, or end it first: \`tpi destroy ${request.name} --discard\``,
        })
      host.annotate('notice', `${request.name} has existed since ${spec.createdAt} and is running: nothing new was started`)
      return { d, spec }
    }
    // Other runners serve instead. The records of these stay, because `tpi retry` still needs them.
    if (await reused(context, request, forge)) return 'reused'
    const { forge: id, scope, labels, relaunch: again } = spec.runner
    const slots = await slotsWithCauses(engine, d, spec, context.signals.first)
    const earlier = await undecidedJobs(engine.clock, { d, spec, slots })
    if (earlier) meeting.keep(await vouched(context, d, { forge: id, scope }, { labels, request: again, earlier }))
    await unregister(context, d, spec.runner)
  }
  // An unfinished start or removal. If it was being started again, its record has the label that jobs wait for.
  else meeting.keep(await vouched(context, d, current.value.registry, current.value.relaunch))
  host.info(`removing what is left of an earlier ${request.name}`)
  if (!spec) await removeRegistrations(forge, runnerName(d.id), [])
  await destroy(engine, d, dead ? { why: 'rollback', judged: dead } : { judged: current })
  return undefined
}

/**
 * The undecided jobs and the label in a record. `undefined` if its machines could have written it: the label may be that of somebody else's
 * runners.
 */
async function vouched(
  context: VerbContext,
  d: Deployment,
  registry: Registry | undefined,
  again: (Pick<Relaunch, 'labels' | 'request'> & { readonly earlier?: EarlierJobs | undefined }) | undefined,
): Promise<Pick<Launch, 'earlier' | 'label'> | undefined> {
  if (!registry || !again || !(await isVouched(context, d, { ...registry, again }))) return undefined
  return { label: again.labels[0], earlier: again.earlier }
}

interface Launch {
  readonly place: Place
  readonly access: StoreAccess
  readonly request: RunnerModeRequest
  readonly descriptor: ForgeDescriptor
  readonly forge: Forge
  /** Settings of runners that are started again, with the labels that waiting jobs name. */
  readonly relaunch?: Relaunch
  readonly earlier?: CreateParts['earlier']
  /** That of the earlier launch: its jobs name it when they run again. */
  readonly label?: string | undefined
  /** See `CreateParts`. */
  readonly shown?: CreateParts['shown']
}

/** `undefined`: another command was faster; it is its deployment now. */
export async function launch(
  context: VerbContext,
  { place, access, request, descriptor, forge, relaunch, earlier, label, shown }: Launch,
): Promise<{ d: Deployment; spec: RunnerSpec } | undefined> {
  const { engine, host, signals, owner } = context
  const agent = await context.agent()
  const all = relaunch?.labels ?? labelsFor(request, descriptor, label)
  const drafted = { request, origin: owner.origin, agent, forge, forgeId: descriptor.id, usualImage: descriptor.image }
  const draft = runnerDraft({ id: place.id, name: place.name, incarnation: '' }, drafted, engine.clock.date().toISOString())
  refuse(await place.cloud.faults(machineRequest(draft, { ...drafted, storeAccess: access, labels: all })))
  const download = await forge.download(request)
  if (download.warning !== undefined) host.warn(download.warning)
  const own = isOwn(place.cloud, access)
  const there = staysAtForge(download, { own, image: request.image, usual: descriptor.image })
  const archive = there ? Promise.resolve(there) : fetchArchive(engine, download, signals.first)
  // Awaited where it is needed; a failure before that must not be reported as unhandled.
  archive.catch(() => undefined)
  const afterwards = async (): Promise<Forge> => openForge(undisturbed(context), descriptor, { scope: forge.scope })
  const parts: CreateParts = {
    ...drafted,
    storeAccess: access,
    labels: all,
    archive,
    signal: signals.first,
    ...(relaunch ? { relaunch } : {}),
    earlier,
    ...(shown && { shown }),
    afterwards,
  }
  return host.section(`Create (${place.cloudId})`, async () => createRunners(engine, place, parts))
}

/** Milliseconds after an interrupt for asking whether a runner has a job. A CI host kills this process about 10 s after it has cancelled its job. */
const ASKING = 3000

interface Arrival {
  readonly attached: boolean
  /** Seconds to wait. */
  readonly seconds: number
  /** The caller reports the result. */
  readonly quiet: boolean
  /** For runners that jobs wait for: their settings stay on record if they do not come. */
  readonly relaunch?: Relaunch
}

/** Waits until all are online; if they cannot come, everything is given back, unless one of them has a job already. */
export async function arrive(
  context: VerbContext,
  { d, spec }: { readonly d: Deployment; readonly spec: RunnerSpec },
  forge: Forge,
  { attached, seconds, quiet, relaunch }: Arrival,
): Promise<number> {
  const { engine, host, signals, values } = context
  const watcher = progress(host, { count: spec.count, clock: engine.clock, verbose: values.verbose })
  try {
    const price = priceIn(context, d)
    // If runners are started again because jobs wait for them, some are better than none.
    const limits = { seconds, signal: signals.first, some: relaunch !== undefined }
    const online = await host.section('Wait for runners', async () => untilOnline(engine, d, spec, forge, watcher, limits))
    host.status('')
    if (online.missing) host.warn(`${describeError(online.missing)}; the others stay, and serve the jobs that wait`)
    else {
      // Says that the launch is complete, which machines show to their jobs. If one is missing, it is not.
      await noteOnline(d, engine.clock.date().toISOString(), await price()).catch((error: unknown) => host.debug(describeError(error)))
    }
    if (!quiet) await tellAll(context, d, spec, online, attached)
    return EXIT.ok
  } catch (error) {
    host.status('')
    if (attached) throw error
    if (await orLate(isAtWork(context, d, spec), signals.first, ASKING).catch(() => false)) {
      host.warn(stayWords(d, spec))
      host.state.set('ended', 'true')
      throw error
    }
    await host.section('Clean up', async () => {
      const warn = (problem: unknown): void => host.warn(`${d.name}: ${describeError(problem)}`)
      if (relaunch) await changeRecord(CURRENT, d.store, currentKey(d.id), (now) => now && { ...now, relaunch }).catch(warn)
      const end = async (): Promise<unknown> => destroy(engine, d, { leave: relaunch !== undefined })
      const given = unregisterAround(undisturbed(context), d, spec.runner, end, HURRIED)
      await given.then(
        () => {
          host.info(`${d.name}: everything is given back`)
          host.state.set('ended', 'true')
        },
        // Only a warning, because the command ends with the reason why the runners did not come.
        (problem: unknown) => {
          const rest = relaunch ? again(d, true) : `run: \`tpi destroy ${d.id} --discard\``
          host.warn(`${d.name}: ${messageOf(problem)}; ${rest}`)
        },
      )
    })
    throw error
  }
}
