/** `tpi collect` and `tpi pull`: results of a run that has ended, or of its last checkpoint. */
import { describeError, Interruption } from '../core/errors.ts'
import { EXIT, type Outcome } from '../core/exit-codes.ts'
import { type Delivery, deliver } from '../engine/deliver/collect.ts'
import { cutShort, uncollected } from '../engine/deliver/cut-short.ts'
import { type Finish, finish } from '../engine/deliver/finish.ts'
import { type Deployment, needSpec, readCollected, readSpec, slotRecords, taskOnly } from '../engine/deployment.ts'
import { isRemoved, TooLate, tooLate } from '../engine/destroy/removed.ts'
import { resolveMove } from '../engine/follow/moved-run.ts'
import { look, lookAndClose } from '../engine/follow/one-look.ts'
import { resultOf } from '../engine/follow/status.ts'
import { enterUntil, type Presence } from '../engine/owner/presence.ts'
import { PARTING, readUntil } from '../engine/read-until.ts'
import { orAborted, orLate } from '../lib/abort.ts'
import { listed, quoted } from '../lib/text.ts'
import { broughtLine, closingReport, lastLine, outcomeTones } from '../report/closing.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { checkedSlot } from './shared/find-run.ts'
import { fleetingStore } from './shared/fleeting-host.ts'
import { ownedBy, sameHouse } from './shared/ownership.ts'
import { Losses } from './shared/partial-failures.ts'
import { output } from './shared/set-outputs.ts'
import { KilledStarts, meantToAct } from './shared/undo-killed-start.ts'
import { ArtifactStep } from './task/keep-artifact.ts'
import { needPlace, workspaceOf } from './task/output-place.ts'
import { endFacts, gather, publish } from './task/publish.ts'

/**
 * Delivers the results of a run that has ended, and gives it back. Of one that is still running it delivers what is there now, and the exit code
 * says that these are not the final results.
 */
export async function collect(context: VerbContext): Promise<number> {
  const { values, host } = context
  if (values.finished || values.mine) return collectMany(context)
  const { exitCode, fact } = await collectOne(context, await orAborted(meantToAct(context), context.signals.first))
  if (values.json) host.facts(fact)
  return exitCode
}

/**
 * A run that cannot be delivered does not hold up the others; its error is that of the command. Each gets a folder of its own, even if there is
 * only one: so the same command, run again for the rest, delivers to the same places.
 */
async function collectMany(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, 'several')
  const killed = new KilledStarts(context)
  const targets = await orAborted(toCollect(context, losses, killed), context.signals.first)
  const done: Collected[] = []
  if (targets.length > 0) host.info('each is delivered into a folder of its own: NAME, below the output folder')
  for (const [d, label] of labelled(targets)) {
    const collected = await losses.heed(d.name, () => collectOne(context, d, label).catch(orGone(context)))
    if (collected) done.push(collected)
  }
  if (values.json) host.facts(done.map(({ fact }) => fact))
  if (targets.length === 0 && losses.code === EXIT.ok && !values.json) host.print(`nothing to collect${await checkedClouds(context)}`)
  const worst = done.toSorted((a, b) => b.exitCode - a.exitCode)[0]
  const code = worst?.exitCode ?? EXIT.ok
  const result = JSON.stringify(Object.fromEntries(done.map((one) => [one.name, one.result])))
  output(host, { ...(worst && { outcome: worst.outcome }), 'exit-code': String(code), result })
  await killed.undo()
  losses.throwWorst()
  // The last line is that of the command, not that of the run that happened to come last.
  if (worst && !values.json && code !== done.at(-1)?.exitCode) host.print(lastLine(worst.outcome, code), outcomeTones(worst.outcome))
  return code
}

/** With `--finished`, a run that another command has collected in the meantime is no error: this one did not name it. */
function orGone({ values, host }: VerbContext): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof TooLate) || !values.finished) throw error
    host.info(describeError(error))
  }
}

/** Each run with its name or, if several have the same, with its id, which tells them apart. */
export function labelled<D extends Pick<Deployment, 'id' | 'name'>>(targets: readonly D[]): [D, string][] {
  return targets.map((d) => {
    const alone = targets.filter(({ name }) => name === d.name).length === 1
    return [d, alone ? d.name : d.id.replace(/^tpi-/, '')]
  })
}

interface Collected {
  readonly name: string
  readonly exitCode: number
  readonly outcome: Outcome
  readonly result: unknown
  readonly fact: unknown
}

/** `label`: given if it is one of several; its folder and artifact get this name. */
async function collectOne(context: VerbContext, d: Deployment, label?: string): Promise<Collected> {
  const { engine } = context
  const { first } = context.signals
  const read = readUntil(d, first)
  const found = await readSpec(read)
  if (!found && (await isRemoved(read))) {
    const there = await orAborted(resolveMove(engine, d, { ttl: context.values['lease-ttl'] * 1000, undo: false }), first)
    if (there && there.incarnation !== d.incarnation) return collectOne(context, there, label)
    throw await tooLate(engine, read)
  }
  const spec = taskOnly(found ?? (await needSpec(read)))
  const presence = await enterUntil(engine, d, spec.lease, first)
  try {
    return await collectPresent(context, d, spec, presence, label)
  } catch (error) {
    throw cutShort(first, error, () => uncollected(d, spec))
  } finally {
    await orLate(presence.leave(), first, PARTING).catch(() => undefined)
  }
}

/** This command is registered as a reader: another one that removes the run waits for it. */
async function collectPresent(
  context: VerbContext,
  d: Deployment,
  spec: TaskSpec,
  presence: Presence,
  label: string | undefined,
): Promise<Collected> {
  const { values, host, engine } = context
  const { first: signal } = context.signals
  const read = readUntil(d, signal)
  const now = await orAborted(lookAndClose(engine, read, signal), signal)
  const slots = await slotRecords(read, spec.count)
  const evidence = await orAborted(gather(context, read, spec, slots, { label }), signal)
  const artifact = new ArtifactStep(context, d.name, label)
  const optional = values['if-no-files-found'] === 'ignore'
  const request = { to: folderOf(context), below: label, here: workspaceOf(context), optional, beforeCollected: artifact.keep, signal }
  if (now.outcome === 'running') {
    const delivery = await deliver(engine, d, spec, request)
    if (!values.json)
      host.print(`${d.name} is still running; from its last checkpoint: ${summary(delivery)}\n${lastLine('running', EXIT.running)}`)
    await publish(context, { status: now, delivery, attached: true, evidence, kept: artifact.kept }, 'detached')
    return { name: d.name, exitCode: EXIT.running, outcome: now.outcome, result: resultOf(now.slots), fact: { ...now, delivery } }
  }
  const end: Finish = await finish(engine, d, spec, slots, presence, request)
  const { price } = evidence
  if (!values.json)
    host.print(closingReport({ ...end, price, fleeting: fleetingStore(context, end.status.store) }), outcomeTones(end.status.outcome))
  await publish(context, { ...end, attached: true, evidence, kept: artifact.kept }, 'ended')
  const fact = endFacts(end, price)
  // As with an attached run, the exit code is that of the task, even if this command has collected everything.
  return { name: d.name, exitCode: end.status.exitCode ?? EXIT.ok, outcome: end.status.outcome, result: fact.result, fact }
}

function folderOf(context: VerbContext): string | undefined {
  const { to } = context.values
  return to === undefined ? undefined : needPlace(context, 'to', to)
}

async function toCollect(context: VerbContext, losses: Losses, killed: KilledStarts): Promise<Deployment[]> {
  const { values, owner } = context
  const own = (await losses.seen()).filter(({ found }) =>
    values.mine ? ownedBy(owner, found.tags.origin) : sameHouse(owner, found.tags.origin),
  )
  return losses.read(own, async (d, sighting) => {
    if (await killed.isStart(d, sighting)) return undefined
    const spec = await readSpec(d)
    const wanted =
      spec?.mode === 'task' &&
      (await readCollected(d)) === undefined &&
      (!values.finished || (await look(context.engine, d, context.signals.first)).outcome !== 'running')
    return wanted ? d : undefined
  })
}

/** `tpi pull NAME [GLOB]`: any files of the newest snapshots. Stops nothing, and marks nothing as collected. */
export async function pull(context: VerbContext): Promise<number> {
  const { values, host, engine } = context
  const { first: signal } = context.signals
  const d = await orAborted(meantToAct(context), signal)
  const spec = taskOnly(await needSpec(readUntil(d, signal)))
  const slot = checkedSlot(values.slot, spec.count)
  const delivery = await deliver(engine, d, spec, {
    to: folderOf(context),
    here: workspaceOf(context),
    globs: values.glob.length > 0 ? values.glob : ['**'],
    slots: slot === undefined ? undefined : [slot],
    signal,
  }).catch((error: unknown) => {
    throw cutShort(signal, error, () => notHere(d))
  })
  if (values.json) host.facts({ id: d.id, name: d.name, delivery })
  else host.print(summary(delivery))
  return EXIT.ok
}

function notHere({ name }: Deployment): Interruption {
  return new Interruption(`interrupted before the files of ${name} were here`, {
    hint: 'none of them was put in its place; run the same command again',
  })
}

function summary(delivery: Delivery): string {
  if (delivery.unreturned) return 'no outputs were asked for'
  const { files, same, saved, unmatched } = delivery
  if (files.length + same > 0) return broughtLine(delivery)
  if (!saved) return 'nothing has been saved yet that differs from what was uploaded'
  return unmatched.length > 0
    ? `of what has been saved, no file matches ${listed(unmatched.map(quoted))}`
    : 'every file that matches is as it was uploaded'
}
