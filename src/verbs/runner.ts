/** `tpi runner`: checks the request, registers runners, starts their machines, and waits until the forge says that they are online. */

import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { deploymentId } from '../core/identity.ts'
import { differences, fingerprint } from '../engine/create/fingerprint.ts'
import { type Deployment, type Place, readSpec, recorded } from '../engine/deployment.ts'
import { destroy } from '../engine/destroy/destroy.ts'
import { lookAndClose } from '../engine/follow/one-look.ts'
import { abandoned, currentOf, untilOurs } from '../engine/owner/silence.ts'
import { areTwins, twins } from '../engine/owner/twin-jobs.ts'
import { listed, plural } from '../lib/text.ts'
import { runnerName } from '../runner/names.ts'
import { slotsWithCauses } from '../runner/outgrown-machines.ts'
import { openWarning } from '../runner/public-access.ts'
import { removeRegistrations } from '../runner/remove-registrations.ts'
import { comparable } from '../runner/request.ts'
import { undecidedJobs } from '../runner/rerun.ts'
import type { Registry, Relaunch } from '../wire/records.ts'
import type { EarlierJobs } from '../wire/runner.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { hostWarnings, refuseUnsupported } from './runner/fit.ts'
import { chosenForge, maskCredentials, openForge } from './runner/forge.ts'
import { arrive, type Launch, launch, refuseUnfit } from './runner/launch.ts'
import { isVouched } from './runner/recorded-forge.ts'
import { platformOf, runnerRequest } from './runner/request-from-options.ts'
import { reused } from './runner/reuse.ts'
import { unregister } from './runner/unregister.ts'
import { warnOfClock } from './shared/clock-here.ts'
import type { VerbContext } from './shared/context.ts'
import { nameInUse } from './shared/name-in-use.ts'
import { probeGiven, warnOfExpiry } from './shared/probe-store.ts'
import { output } from './shared/set-outputs.ts'
import { storageFor } from './shared/storage.ts'

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
  const check = async (): Promise<void> => refuseUnfit(context, { place, access, request, descriptor, forge })
  const meeting: Meeting = { place, request, descriptor, forge, check, keep: (one) => (left = one ?? left) }
  return untilOurs(request.name, async () => {
    const met = await meetExisting(context, meeting)
    if (met === 'reused' || (!met && (await reused(context, request, forge)))) return EXIT.ok
    try {
      if (!met) await check()
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
  /** Throws if no such machines can be started: then earlier runners are not removed either. */
  check(): Promise<void>
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
    if ((await lookAndClose(engine, d, context.signals.first)).outcome === 'running') {
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
    await meeting.check()
    const { forge: id, scope, labels, relaunch: again } = spec.runner
    const slots = await slotsWithCauses(engine, d, spec, context.signals.first)
    const earlier = await undecidedJobs(engine.clock, { d, spec, slots })
    if (earlier) meeting.keep(await vouched(context, d, { forge: id, scope }, { labels, request: again, earlier }))
    await unregister(context, d, spec.runner)
  }
  // An unfinished start or removal. If it was being started again, its record has the label that jobs wait for.
  else {
    await meeting.check()
    meeting.keep(await vouched(context, d, current.value.registry, current.value.relaunch))
  }
  host.info(`removing what is left of an earlier ${request.name}`)
  if (!spec) await removeRegistrations(forge, runnerName(d.id), [])
  await destroy(engine, d, dead ? { why: 'rollback', judged: dead } : { why: 'unneeded', judged: current })
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
