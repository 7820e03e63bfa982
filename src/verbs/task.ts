/** `tpi task`: create or attach, follow, deliver, give back. */
import { HARMLESS } from '../core/cloud.ts'
import { Interruption } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { deploymentId } from '../core/identity.ts'
import type { CollectParams } from '../engine/deliver/collect.ts'
import { cutShort, LeftoverError, uncollected } from '../engine/deliver/cut-short.ts'
import { FolderError } from '../engine/deliver/delivery-failure.ts'
import { type Finish, finish } from '../engine/deliver/finish.ts'
import { needSpec, readSpec, slotRecords, taskOnly } from '../engine/deployment.ts'
import { isRemoved, lastWord, TooLate, tooLate } from '../engine/destroy/removed.ts'
import { follow, type Watcher } from '../engine/follow/follow.ts'
import { movedTo, resolveMove } from '../engine/follow/moved-run.ts'
import { resultOf } from '../engine/follow/status.ts'
import { enter, type Presence } from '../engine/owner/presence.ts'
import { PARTING, readUntil } from '../engine/read-until.ts'
import { orAborted, orLate } from '../lib/abort.ts'
import { abortIn } from '../lib/clock.ts'
import { formatDuration } from '../lib/duration.ts'
import { closingReport, lastLine, outcomeTones } from '../report/closing.ts'
import { progress } from '../report/progress.ts'
import type { Begun } from '../task/begin.ts'
import { clearBehind, passReceipt, regionOf } from '../task/move.ts'
import type { TaskRequest } from '../task/request.ts'
import { softDeadline } from '../wire/lifetime.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import { warnOfClock } from './shared/clock-here.ts'
import type { VerbContext } from './shared/context.ts'
import { fleetingStore } from './shared/fleeting-host.ts'
import { nameInUse } from './shared/name-in-use.ts'
import { priceOf } from './shared/price.ts'
import { probeGiven, warnOfExpiry } from './shared/probe-store.ts'
import { originHere } from './shared/repository-here.ts'
import { RunLog } from './shared/run-log.ts'
import { output } from './shared/set-outputs.ts'
import { warnOfWords } from './task/command-words.ts'
import { leave } from './task/detach.ts'
import { ArtifactStep } from './task/keep-artifact.ts'
import { warnOfOutputsOutOfReach, workspaceOf } from './task/output-place.ts'
import { uploadPlan } from './task/plan-upload.ts'
import { preflight } from './task/preflight.ts'
import { type Evidence, endFacts, gather, publish } from './task/publish.ts'
import { beginIn, type Drought, Refill, Regions } from './task/regions.ts'
import { taskRequest } from './task/request-from-options.ts'

export async function task(context: VerbContext): Promise<number> {
  const { host, signals } = context
  const request = taskRequest(context)
  for (const secret of Object.values(request.secrets)) host.mask(secret)
  // Before the first call to any cloud, so that if this command is killed, the next one finds what it may have made.
  const id = deploymentId(context.owner, request.name)
  output(host, { id, name: request.name })
  host.state.set('id', id)
  const { places, upload, shown } = await host.section('Plan', async () => {
    // Asked in parallel with everything else, so that it costs no extra round of calls.
    const shown = nameInUse(context, id)
    const places = await preflight(context, request)
    const [found] = places
    // In parallel with the other checks.
    const probed = probeGiven(context, found.store)
    warnOfExpiry(context, found.cloudId, found.access, request.timeout)
    const plan = await uploadPlan(context, request, found.store)
    await warnOfWords(context, request)
    warnOfOutputsOutOfReach(context, request)
    if (plan && request.output.length === 0) host.info('  no `output` is given: no files will be brought back')
    host.info(`task ${request.name} (${id}) on ${found.cloudId}`)
    await probed
    warnOfClock(context)
    return { places, upload: plan, shown }
  })
  const parts = {
    request,
    origin: await originHere(context, request.workdir),
    agent: await context.agent(),
    upload,
    here: workspaceOf(context),
    shown,
    signal: signals.first,
    keep: keepReplaced(context, request.name),
  }
  await context.note({ id, name: request.name, cloud: places[0].cloudId })
  const begun = await beginIn(context, places, parts)
  host.state.set('begun', begun.attached ? 'attached' : 'created')
  host.state.set('made', begun.spec.createdAt)
  output(host, { attached: String(begun.attached), 'started-at': begun.spec.createdAt })
  return follows(context, request, begun, new Regions(context, request, places))
}

/** In CI, results of a run that is replaced get an artifact of their own: they would otherwise be only on this job's disk. */
function keepReplaced({ ciJob }: VerbContext, name: string): CollectParams['beforeCollected'] {
  return async (delivery, paths) => {
    if (paths.length > 0) await ciJob?.artifact?.(name, delivery, paths, `${name}-replaced`)
  }
}

interface Following {
  /** This command's registration as a reader. As long as it is there, a command that removes results waits. */
  presence?: Presence
  /** Settles once nothing of a moved run is left in its former region. */
  clearing?: Promise<void>
  /** Aborts when the wait is over. */
  readonly until: AbortSignal
  readonly regions: Regions
}

/** Follows as long as requested, in whatever region the run is, then ends it or leaves it. */
async function follows(context: VerbContext, request: TaskRequest, begun: Begun, regions: Regions): Promise<number> {
  const { engine, signals } = context
  // There is nothing to wait for if it has ended: then its results are delivered, although the command asked not to wait.
  if (request.wait === false && !(begun.attached && (await hasEnded(begun)))) return leave(context, begun, 'asked')
  const patience = await patienceOf(context, request.wait === false ? true : request.wait)
  using limit = patience === undefined ? undefined : abortIn(engine.clock, patience)
  const following: Following = { until: limit ? AbortSignal.any([signals.first, limit.signal]) : signals.first, regions }
  try {
    for (let there = begun; ; ) {
      const end = await followThere(context, request, there, following)
      if (typeof end === 'number') return end
      there = end
    }
  } finally {
    await stopReading(following, signals.first)
    // A person who interrupts the command does not want to wait for anything.
    if (!signals.first.aborted) await following.clearing
  }
}

async function hasEnded({ d, spec }: Begun): Promise<boolean> {
  return (await slotRecords(d, spec.count)).every(({ state }) => isTerminal(state))
}

/** After an interrupt it waits only briefly: a slow store must not delay what the interrupt is to do. */
async function stopReading(following: Following, signal: AbortSignal): Promise<void> {
  const leaving = following.presence?.leave()
  if (leaving) await orLate(leaving, signal, PARTING).catch(() => undefined)
  delete following.presence
}

/** Resolves to the exit code, or to the same run in the region where it goes on. */
async function followThere(context: VerbContext, request: TaskRequest, begun: Begun, following: Following): Promise<number | Begun> {
  const { engine, host, signals } = context
  const { until, regions } = following
  const { d, spec } = begun
  host.debug(`deadline in ${formatDuration(Math.round((softDeadline(spec.lifetime) - engine.clock.date().getTime()) / 1000))}`)
  const heard = new RunLog(engine, spec)
  const seen: Seen = { slots: new Map(), trouble: undefined }
  let price: number | undefined
  if (context.interactive) void priceOf(context, d).then((known) => (price = known))
  const drought = await regions.watch(begun)
  const watcher = remembering(
    progress(host, {
      count: spec.count,
      clock: engine.clock,
      verbose: context.values.verbose,
      run: { name: d.name, createdAt: spec.createdAt, deadline: spec.lifetime.deadline, live: context.interactive, price: () => price },
    }),
    heard,
    seen,
    [drought, begun.back ? new Refill(engine, d) : undefined],
  )
  try {
    const before = following.presence
    const presence = await enter(engine, d, spec.lease, { isNew: !begun.attached && !before })
    following.presence = presence
    // The command that clears the former region waits until this one has stopped reading there.
    await before?.leave().catch(() => undefined)
    // The command that moved the run may have been killed before it had cleared the former region.
    if (begun.moved || begun.attached) following.clearing = Promise.all([following.clearing, clearBehind(engine, d)]).then(() => undefined)
    const signal = drought ? AbortSignal.any([until, drought.over]) : until
    const slots = await follow(engine, d, spec, watcher, { signal })
    host.status('')
    if (slots.length > 0 && slots.every((slot) => isTerminal(slot.state)))
      return await conclude(context, request, begun, slots, { presence, heard })
  } catch (error) {
    // These are failures of this command itself: no other command has removed the run.
    const own = error instanceof LeftoverError || error instanceof FolderError || error instanceof Interruption
    if (own || !(error instanceof TooLate || (await isRemoved(d)))) throw error
    const there = await elsewhere(context, begun)
    return there ?? (await removedMeanwhile(context, begun, [...seen.slots.values()]))
  } finally {
    await heard.drop()
  }
  if (drought?.over.aborted && !until.aborted) {
    await stopReading(following, signals.first)
    return regions.moveOn(begun)
  }
  const there = await whereItIs(begun)
  if (signals.first.aborted) {
    await stopReading(following, signals.first)
    return leave(context, there, 'interrupted')
  }
  // Still registered as a reader: a command that moves the run removes nothing of what `leave` reads.
  return leave(context, there, 'waited', whyNotStarted(seen))
}

/** Another command may have moved the run at the last moment. */
async function whereItIs(begun: Begun): Promise<Begun> {
  // If it cannot be read, the last known state is kept.
  const d = await movedTo(begun.d).catch(() => undefined)
  const spec = d && (await readSpec(d).catch(() => undefined))
  return d && spec ? { ...begun, d, spec: taskOnly(spec) } : begun
}

/** The run in the region where it goes on, if another command has moved it or was about to; `undefined`: it was removed. */
async function elsewhere({ engine, host }: VerbContext, { d, spec, attached }: Begun): Promise<Begun | undefined> {
  const there = await resolveMove(engine, d, { ttl: spec.lease.ttl, undo: true })
  if (!there) return undefined
  const back = there.incarnation === d.incarnation
  if (!back) host.info(`${d.name} goes on in ${regionOf(there)}`)
  await passReceipt(engine, d, there)
  return { d: there, spec: taskOnly(await needSpec(there)), attached, ...(back ? { back } : { moved: true }) }
}

async function removedMeanwhile(context: VerbContext, { d, spec, attached }: Begun, slots: readonly SlotRecord[]): Promise<number> {
  const { host, values } = context
  const status = await lastWord(context.engine, d, spec, slots)
  // Ends a line that the script has begun, because the outcome must be the last line.
  await host.close()
  // If this command has not delivered the results, it has not succeeded.
  if (status.exitCode === EXIT.ok && spec.output.length > 0) throw await tooLate(context.engine, d, { createdAt: spec.createdAt })
  host.info(`${d.name}: another command removed it; it ended as ${status.outcome}`)
  const exitCode = status.exitCode ?? EXIT.stopped
  if (values.json) host.facts({ ...status, attached, result: resultOf(status.slots) })
  else host.info(lastLine(status.outcome, exitCode), outcomeTones(status.outcome))
  await publish(context, { status, attached }, 'ended')
  return exitCode
}

interface Seen {
  /** Each as it was last seen. */
  readonly slots: Map<number, SlotRecord>
  /** The cloud's last complaint. */
  trouble: string | undefined
}

/** Why no machine has taken any slot yet; `undefined`: one has. */
function whyNotStarted({ slots, trouble }: Seen): string | undefined {
  return [...slots.values()].some(({ epoch }) => epoch > 0) ? undefined : (trouble ?? 'it is on its way')
}

/** A watcher that also keeps the last state and the log. `others` are called at each look. */
function remembering(watcher: Watcher, heard: RunLog, seen: Seen, others: readonly (Drought | Refill | undefined)[]): Watcher {
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
    tick(slots, observed, load) {
      for (const other of others) other?.look(slots, observed)
      watcher.tick?.(slots, observed, load)
    },
    event(text, kind) {
      if (!HARMLESS.has(kind)) seen.trouble = text
      watcher.event(text, kind)
    },
  }
}

/** Milliseconds to follow: as requested, but not beyond the end of this CI job. */
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
  begun: Begun,
  slots: readonly SlotRecord[],
  company: Company,
): Promise<number> {
  const { host, values } = context
  const { d, spec, attached } = begun
  const { evidence, artifact, end } = await bringHome(context, request, begun, slots, company).catch((error: unknown) => {
    // The run has ended, so an interrupt has nothing to stop. Its results stay in the store until somebody collects them.
    throw cutShort(context.signals.first, error, () => uncollected(d, spec))
  })
  await host.close()
  const { status } = end
  if (values.json) host.facts({ ...endFacts(end, evidence.price), attached })
  else
    host.info(
      closingReport({ ...end, price: evidence.price, fleeting: fleetingStore(context, status.store) }),
      outcomeTones(status.outcome),
    )
  await publish(context, { ...end, attached, evidence, kept: artifact.kept }, 'ended')
  return status.exitCode ?? EXIT.bug
}

interface Home {
  readonly evidence: Evidence
  readonly artifact: ArtifactStep
  readonly end: Finish
}

async function bringHome(
  context: VerbContext,
  request: TaskRequest,
  { d, spec, attached }: Begun,
  slots: readonly SlotRecord[],
  { presence, heard }: Company,
): Promise<Home> {
  const { host, values, engine } = context
  const { first: signal } = context.signals
  const evidence = await orAborted(gather(context, readUntil(d, signal), spec, slots, { heard }), signal)
  const artifact = new ArtifactStep(context, d.name)
  // A re-run of a job has its own checkout, so results go where this command wants them, not where the first one did.
  const here = workspaceOf(context)
  const where = attached ? { to: request.outputDir ?? request.workdir, workdir: request.workdir, asked: request.output, here } : { here }
  const optional = values['if-no-files-found'] === 'ignore'
  const params = { ...where, optional, beforeCollected: artifact.keep, signal }
  const end = await host.section('Collect', () => finish(engine, d, spec, slots, presence, params))
  return { evidence, artifact, end }
}
