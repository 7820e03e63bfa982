/** `tpi task`: create or attach, follow, deliver, give back. */
import { HARMLESS } from '../core/cloud.ts'
import { InputError } from '../core/errors.ts'
import { deploymentId } from '../core/identity.ts'
import { EXIT } from '../core/outcome.ts'
import { FolderError } from '../engine/deliver/delivery-failure.ts'
import { finish } from '../engine/deliver/finish.ts'
import type { Deployment } from '../engine/deployment.ts'
import { isRemoved, lastWord, TooLate, tooLate } from '../engine/destroy/removed.ts'
import { RemovalError } from '../engine/destroy/stages.ts'
import { follow, type Watcher } from '../engine/follow/follow.ts'
import { resultOf } from '../engine/follow/status.ts'
import { enter, type Presence } from '../engine/owner/presence.ts'
import { abortIn } from '../lib/clock.ts'
import { formatDuration } from '../lib/duration.ts'
import { closingReport, outcomeTones } from '../report/closing.ts'
import { progress } from '../report/progress.ts'
import { costFacts } from '../report/run.ts'
import { type Begun, begin } from '../task/begin.ts'
import { machineRequest } from '../task/create.ts'
import type { TaskRequest } from '../task/request.ts'
import type { Budget } from '../wire/budget.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import { lifetimeOf, softDeadline } from '../wire/spec.ts'
import type { VerbContext } from './shared/context.ts'
import { priceOf } from './shared/price.ts'
import { probeGiven, warnOfExpiry } from './shared/probe-store.ts'
import { budgetOf, quoteOf } from './shared/quote.ts'
import { originHere } from './shared/repository-here.ts'
import { RunLog } from './shared/run-log.ts'
import { output } from './shared/set-outputs.ts'
import { shownAs } from './shared/shown-as.ts'
import { leave } from './task/detach.ts'
import { ArtifactStep } from './task/keep-artifact.ts'
import { warnOfLocalFiles } from './task/local-files.ts'
import { warnOfOutputsOutOfReach } from './task/out-of-reach.ts'
import { workspaceOf } from './task/output.ts'
import { gather, publish } from './task/publish.ts'
import { taskRequest } from './task/request.ts'
import { uploadPlan } from './task/select-upload.ts'

export async function task(context: VerbContext): Promise<number> {
  const { host, engine, signals } = context
  const request = taskRequest(context)
  for (const secret of Object.values(request.secrets)) host.mask(secret)
  // Before the first call to any cloud: whoever comes after a killed process finds what it may have made.
  const id = deploymentId(context.owner, request.name)
  output(host, { id, name: request.name })
  host.state.set('id', id)
  const { place, upload, budget, shown } = await host.group('Plan', async () => {
    // Asked while all else is: no round of calls of its own.
    const shown = shownAs(context, id)
    const found = await preflight(context, request)
    // While the rest is looked at.
    const probed = probeGiven(context, found.store)
    warnOfExpiry(context, found.access, request.timeout)
    const plan = await uploadPlan(context, request, found.store)
    await warnOfLocalFiles(context, request)
    warnOfOutputsOutOfReach(context, request)
    if (plan && request.output.length === 0) host.info('  no `output` is given: no files will be brought back')
    host.info(`task ${request.name} (${id}) on ${found.cloudId}`)
    await probed
    return { place: found, upload: plan, budget: found.budget, shown }
  })
  const parts = {
    request: budget ? { ...request, budget } : request,
    origin: await originHere(context, request.workdir),
    storeAccess: place.access,
    agent: await context.agent(),
    upload,
    here: workspaceOf(context),
    shown,
    signal: signals.first,
  }
  await context.note({ id, name: request.name, cloud: place.cloudId })
  const begun = await host.group(`Create (${place.cloudId})`, () => begin(engine, place, parts))
  host.state.set('begun', begun.attached ? 'attached' : 'created')
  output(host, { attached: String(begun.attached), 'started-at': begun.spec.createdAt })
  return follows(context, request, begun)
}

interface Preflight extends Omit<Deployment, 'keys' | 'incarnation'> {
  readonly access: Awaited<ReturnType<Deployment['cloud']['store']>>
  readonly budget?: Budget
}

/** Everything that can be wrong is found here, before anything is created. */
export async function preflight(context: VerbContext, request: TaskRequest): Promise<Preflight> {
  const [found] = await context.clouds()
  if (!found) throw new InputError('cloud: none is available')
  const { id: cloudId, cloud } = found
  const id = deploymentId(context.owner, request.name)
  cloud.foresee?.(request)
  await cloud.whoami()
  const access = (await context.storage()) ?? (await cloud.store(id))
  const createdAt = context.engine.clock.date().toISOString()
  const draft = {
    id,
    name: request.name,
    incarnation: '',
    mode: 'task' as const,
    createdAt,
    origin: context.owner.origin,
    count: request.count,
    lifetime: lifetimeOf(createdAt, request),
  }
  const place = { cloudId, cloud, store: await context.access(access), id, name: request.name }
  const faults = await cloud.faults(machineRequest(draft, request, access))
  if (faults.length > 0) throw new InputError(faults.map((fault) => ({ ...fault, message: `${fault.option}: ${fault.message}` })))
  const budget =
    request.maxCost === undefined ? undefined : budgetOf(await quoteOf(context, { cloudId, cloud }, request), request.maxCost, request.spot)
  return { ...place, access, ...(budget && { budget }) }
}

/** Follows as long as asked, then ends the run or leaves it. */
async function follows(context: VerbContext, request: TaskRequest, begun: Begun): Promise<number> {
  const { engine, host, signals } = context
  const { d, spec } = begun
  if (request.wait === false) return leave(context, begun, 'asked')
  const patience = await patienceOf(context, request.wait)
  using limit = patience === undefined ? undefined : abortIn(engine.clock, patience)
  const signal = limit ? AbortSignal.any([signals.first, limit.signal]) : signals.first
  host.debug(`deadline in ${formatDuration(Math.round((softDeadline(spec.lifetime) - engine.clock.date().getTime()) / 1000))}`)
  const heard = new RunLog(engine, spec)
  const seen: Seen = { slots: new Map(), trouble: undefined }
  let price: number | undefined
  if (context.interactive) void priceOf(context, d).then((known) => (price = known))
  const watcher = remembering(
    progress(host, {
      count: spec.count,
      clock: engine.clock,
      verbose: context.values.verbose,
      run: { name: d.name, createdAt: spec.createdAt, deadline: spec.lifetime.deadline, live: context.interactive, price: () => price },
    }),
    heard,
    seen,
  )
  let presence: Presence | undefined
  try {
    presence = await enter(engine, d, spec.lease, !begun.attached)
    const slots = await follow(engine, d, spec, watcher, { signal })
    host.status('')
    if (slots.length > 0 && slots.every((slot) => isTerminal(slot.state)))
      return await conclude(context, request, begun, slots, { presence, heard })
  } catch (error) {
    // Our own giving back is no other command's, nor is our own folder.
    if (error instanceof RemovalError || error instanceof FolderError || !(error instanceof TooLate || (await isRemoved(d)))) throw error
    return await removedMeanwhile(context, begun, [...seen.slots.values()])
  } finally {
    await presence?.leave().catch(() => undefined)
    await heard.drop()
  }
  return await leave(context, begun, signals.first.aborted ? 'interrupted' : 'waited', whyNotStarted(seen))
}

async function removedMeanwhile(context: VerbContext, { d, spec, attached }: Begun, slots: readonly SlotRecord[]): Promise<number> {
  const { host, values } = context
  const status = await lastWord(context.engine, d, spec, slots)
  host.status('')
  // What nobody has brought here is no success of this command.
  if (status.exitCode === EXIT.ok && spec.output.length > 0) throw await tooLate(context.engine, d)
  host.info(`${d.name}: another command removed it; it ended as ${status.outcome}`)
  if (values.json) host.facts({ ...status, attached, result: resultOf(status.slots) })
  await publish(context, { status, attached }, 'ended')
  return status.exitCode ?? EXIT.stopped
}

interface Seen {
  /** As they were last. */
  readonly slots: Map<number, SlotRecord>
  /** What the cloud complained of last. */
  trouble: string | undefined
}

/** Why nothing runs yet; `undefined`: something does, or did. */
function whyNotStarted({ slots, trouble }: Seen): string | undefined {
  return [...slots.values()].some(({ epoch }) => epoch > 0) ? undefined : (trouble ?? 'it is on its way')
}

/** Also keeps what was last seen, and the log. */
function remembering(watcher: Watcher, heard: RunLog, seen: Seen): Watcher {
  return {
    ...watcher,
    slot(record, before) {
      seen.slots.set(record.index, record)
      watcher.slot(record, before)
    },
    log(piece) {
      heard.hear(piece)
      watcher.log(piece)
    },
    event(text, kind) {
      if (!HARMLESS.has(kind)) seen.trouble = text
      watcher.event(text, kind)
    },
  }
}

/** Milliseconds to follow: as asked, but never into the end of the CI job around us. */
async function patienceOf({ ciJob, host }: VerbContext, wait: number | true): Promise<number | undefined> {
  const asked = wait === true ? undefined : Math.ceil(wait * 1000)
  const timeLeft = await ciJob?.timeLeft?.()
  if (timeLeft === undefined || (asked !== undefined && asked <= timeLeft)) return asked
  host.debug(`this job ends in ${formatDuration(Math.round(timeLeft / 1000))}: following no longer than that`)
  return timeLeft
}

interface Company {
  readonly presence: Presence
  readonly heard: RunLog
}

async function conclude(
  context: VerbContext,
  request: TaskRequest,
  { d, spec, attached }: Begun,
  slots: readonly SlotRecord[],
  { presence, heard }: Company,
): Promise<number> {
  const { host, values } = context
  const evidence = await gather(context, d, spec, slots, { heard })
  const artifact = new ArtifactStep(context, d.name)
  // A second run of a job has a checkout of its own: results belong there, not where the first one had asked for them.
  const here = workspaceOf(context)
  const where = attached ? { to: request.outputDir ?? request.workdir, workdir: request.workdir, asked: request.output, here } : { here }
  const optional = values['if-no-files-found'] === 'ignore'
  const end = await host.group('Collect', () =>
    finish(context.engine, d, spec, slots, presence, { ...where, optional, beforeCollected: artifact.keep }),
  )
  await host.close()
  const { status } = end
  const result = resultOf(status.slots)
  if (values.json)
    host.facts({
      ...status,
      ...costFacts(status, evidence.price),
      attached,
      result,
      delivery: end.delivery,
      keptUntil: end.keptUntil ?? null,
    })
  else host.info(closingReport({ ...end, price: evidence.price }), outcomeTones(status.outcome))
  await publish(context, { ...end, attached, evidence, kept: artifact.kept }, 'ended')
  return status.exitCode ?? EXIT.bug
}
