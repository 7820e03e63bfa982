/**
 * What later steps, jobs and people get from a run, in addition to its log and an exit code: outputs, a summary, a comment, its log as an
 * artifact.
 */
import { describeError } from '../../core/errors.ts'
import type { Delivery } from '../../engine/deliver/collect.ts'
import type { Finish } from '../../engine/deliver/finish.ts'
import type { Deployment } from '../../engine/deployment.ts'
import { readSamples } from '../../engine/follow/samples.ts'
import { resultOf, type Status } from '../../engine/follow/status.ts'
import { tryToRemember } from '../../engine/history.ts'
import { maskedCopy } from '../../engine/masked-copy.ts'
import { messageOf, quoted } from '../../lib/text.ts'
import { OUTPUTS } from '../../options/rows/outputs.ts'
import { outputsLine } from '../../report/closing.ts'
import type { Tail } from '../../report/last-output.ts'
import { outputsOf, ownOutputs } from '../../report/outputs.ts'
import { costFacts, type RunReport } from '../../report/run.ts'
import { commentOf, summaryOf } from '../../report/summary.ts'
import type { Sample } from '../../wire/sample.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { VerbContext } from '../shared/context.ts'
import { openDiscussion, say } from '../shared/discussion.ts'
import { fleetingStore } from '../shared/fleeting-host.ts'
import { freeOf, priceOf } from '../shared/price.ts'
import { type RunLog, readLog } from '../shared/run-log.ts'
import { doubtfulNeedles } from './doubtful-values.ts'
import type { KeptResults } from './keep-artifact.ts'

/** What is read from the store before it is removed after a success. */
export interface Evidence {
  readonly tails: ReadonlyMap<number, Tail>
  readonly samples: ReadonlyMap<number, readonly Sample[]>
  readonly price: number | undefined
  /** Tells this run apart from others of the same command. */
  readonly label: string | undefined
}

/** `heard`: the log, if it was followed anyway; otherwise it is read. */
export async function gather(
  context: VerbContext,
  d: Deployment,
  spec: TaskSpec,
  slots: readonly SlotRecord[],
  { heard, label }: { readonly heard?: RunLog; readonly label?: string | undefined } = {},
): Promise<Evidence> {
  const { engine } = context
  const price = await priceOf(context, d)
  const ended = slots.every((slot) => isTerminal(slot.state))
  const printed = heard ?? (await readLog(engine, d, spec, slots, ended))
  // Before anything is given back, so that the log is there even if this process is killed later.
  await (ended ? printed.keep() : printed.drop())
  return { price, tails: printed.tails.end(), samples: await readSamples(d, spec.count), label }
}

export interface EndedTask {
  readonly status: Status
  readonly delivery?: Delivery | undefined
  readonly keptUntil?: string | undefined
  readonly attached: boolean
  readonly evidence?: Evidence
  readonly kept?: KeptResults
  /** A run that is going on has no evidence yet. */
  readonly price?: number | undefined
}

export async function publish(context: VerbContext, ended: EndedTask, how: 'ended' | 'detached'): Promise<void> {
  const run = publishValues(context, ended)
  const { status, delivery, price } = run
  if (how === 'ended' && delivery)
    await tryToRemember(context.engine, { ...status, price, results: outputsLine(delivery, run.keptUntil !== undefined) })
  const log = how === 'ended' ? await keepLog(context, status, ended.evidence?.label) : undefined
  await context.host.summary(summaryOf({ ...run, log }))
  await context.ciJob?.reported?.(run, how)
  if (context.values.comment) await discuss(context, run, ended.kept?.paths ?? [])
}

/** What `--json` says of a run that has ended. `price`: USD per hour and machine. */
export function endFacts({ status, delivery, keptUntil }: Finish, price: number | undefined) {
  return { ...status, ...costFacts(status, price), result: resultOf(status.slots), delivery, keptUntil: keptUntil ?? null }
}

/** Uploads a masked copy: GitHub masks the log of a job, but not artifacts, and not everybody who may read these may know the secrets. */
async function keepLog(context: VerbContext, status: Status, label: string | undefined): Promise<RunReport['log']> {
  const { ciJob } = context
  if (!ciJob?.log) return undefined
  try {
    const copy = await maskedCopy(context.engine.home, status, doubtfulNeedles(context))
    try {
      return await ciJob.log(status.name, copy, label)
    } finally {
      await copy.remove()
    }
  } catch (error) {
    // This does not change how the run has ended.
    context.host.warn(`the log of ${status.name} is not in an artifact: ${messageOf(error)}`)
    return undefined
  }
}

/** A comment that cannot be made is only a warning: run and report are complete without it. */
async function discuss(context: VerbContext, run: RunReport, results: readonly string[]): Promise<void> {
  const { host } = context
  try {
    const place = await openDiscussion(context)
    if (!place) return host.info('comment: not made, since this job does not belong to a pull or merge request')
    const pictures = run.delivery && run.delivery.folder !== '' ? { folder: run.delivery.folder, of: new Set(results) } : undefined
    const { url, how } = await say(context, place, run.status.name, commentOf(run, place.most), pictures)
    host.info(`${place.title}: comment ${how}: ${url}`)
  } catch (error) {
    if (context.signals.first.aborted) return
    host.warn(`comment: not made: ${describeError(error)}`)
  }
}

/** Sets the outputs, and nothing else. Returns what a report is made of. */
export function publishValues(context: VerbContext, ended: EndedTask): RunReport {
  const { host, engine } = context
  const run: RunReport = {
    status: ended.status,
    attached: ended.attached,
    result: resultOf(ended.status.slots),
    delivery: ended.delivery,
    keptUntil: ended.keptUntil,
    fleeting: fleetingStore(context, ended.status.store),
    artifact: ended.kept?.artifact,
    tails: ended.evidence?.tails ?? new Map(),
    samples: ended.evidence?.samples ?? new Map(),
    price: ended.evidence ? ended.evidence.price : (ended.price ?? freeOf(context, ended.status.cloud)),
    now: engine.clock.date(),
  }
  for (const [name, value] of Object.entries(outputsOf(run))) host.output(name, value)
  const own = ownOutputs(run, Object.keys(OUTPUTS))
  for (const [name, value] of Object.entries(own.values)) host.output(name, value)
  for (const [name, why] of own.refused)
    host.warn(`value ${quoted(name)} of the program is not an output of its own, because ${why}; it is part of "result"`)
  return run
}
