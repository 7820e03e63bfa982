/** `tpi logs NAME`: what the program printed, across all attempts. */
import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, needSpec, readSlots } from '../engine/deployment.ts'
import { isRemoved } from '../engine/destroy/removed.ts'
import { follow } from '../engine/follow/follow.ts'
import { resolveMove } from '../engine/follow/moved-run.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import type { Status } from '../engine/follow/status.ts'
import type { Past } from '../engine/history.ts'
import { hasLog, readKept } from '../engine/kept-log.ts'
import { type LogPiece, LogReader } from '../engine/log-reader.ts'
import { enterUntil, type Presence } from '../engine/owner/presence.ts'
import { PARTING, readUntil } from '../engine/read-until.ts'
import { orAborted, orLate } from '../lib/abort.ts'
import { plainJson } from '../lib/control-characters.ts'
import { oneLine } from '../lib/text.ts'
import { machineChange } from '../report/attempt-end.ts'
import { lastLine } from '../report/closing.ts'
import { LastLines, Lines, tellOfAgent } from '../report/log-lines.ts'
import { isOfAgent } from '../wire/log.ts'
import { type Attempt, hasSaved, type SlotRecord } from '../wire/slot.ts'
import type { Spec } from '../wire/spec.ts'
import type { VerbContext } from './shared/context.ts'
import { checkedSlot, meant, nameOf } from './shared/find-run.ts'
import { exitOfSignal, type Signals } from './shared/signals.ts'

export async function logs(context: VerbContext): Promise<number> {
  const { signals } = context
  try {
    return await show(context)
  } catch (error) {
    // `tpi logs … | head` has all that it wanted.
    if (signals.kind() === 'unread' && error === signals.first.reason) return EXIT.ok
    throw error
  }
}

async function show(context: VerbContext): Promise<number> {
  const { values, signals } = context
  const found = await orAborted(meant(context, nameOf(context)), signals.first)
  if ('gone' in found) return past(context, found.gone)
  const d = readUntil(found.alive, signals.first)
  const spec = await needSpec(d)
  const only = checkedSlot(values.slot, spec.count)
  const printer = new Printer(context, spec.count, only)
  if (values.follow) {
    await goOn(context, found.alive, spec, printer)
    return endOfFollowing(signals)
  }
  const slots = await readSlots(d, spec.count)
  for (const { record } of slots.filter((slot) => only === undefined || slot.record.index === only)) {
    printer.know(record)
    for await (const piece of new LogReader(d, record.index).next(record)) printer.push(piece)
  }
  printer.end()
  return EXIT.ok
}

/** No success if a signal has ended it: `tpi logs NAME --follow && …` waits for the run. It names no outcome, because the run has none yet. */
function endOfFollowing(signals: Signals): number {
  const kind = signals.kind()
  if (kind === undefined || kind === 'unread') return EXIT.ok
  if (kind === 'full') signals.first.throwIfAborted()
  return exitOfSignal(signals)
}

/** Prints the log that the history has of a run that is gone. */
async function past(context: VerbContext, gone: Past): Promise<number> {
  const { engine, signals } = context
  const { home } = engine
  if (!(await hasLog(home, gone)))
    throw new InputError(`name: run "${gone.name}" is gone, and no log of it was kept`, {
      hint: `\`tpi status ${gone.name}\` shows how it went`,
    })
  const printer = new Printer(context, gone.slots.length, checkedSlot(context.values.slot, gone.slots.length))
  gone.slots.forEach((slot) => printer.know(slot))
  for await (const piece of readKept(home, gone)) {
    signals.first.throwIfAborted()
    printer.push(piece)
  }
  printer.end()
  return EXIT.ok
}

/** Follows until the task ends. The command that ends it waits for this one, so that the last lines can still be read. */
async function goOn(context: VerbContext, d: Deployment, spec: Spec, printer: Printer, before?: Presence): Promise<void> {
  const { engine, host, signals } = context
  // If the run moves on before this command has registered here, it stays registered where it was.
  let presence = before
  let there: Deployment | undefined
  const watcher = {
    slot: (record: SlotRecord) => printer.know(record),
    log: (piece: LogPiece) => printer.push(piece),
    event: (text: string, kind: string) => (kind === 'info' ? host.debug(text) : host.info(text)),
    // With the first look, everything that was printed before it has arrived.
    tick: () => printer.live(),
  }
  try {
    presence = await enterUntil(engine, d, spec.lease, signals.first)
    await before?.leave().catch(() => undefined)
    await follow(engine, d, spec, watcher, { signal: signals.first })
    printer.end()
    if (spec.mode === 'task' && !signals.first.aborted) host.info(ended(await readStatus(d, spec)))
  } catch (error) {
    if (!(await isRemoved(d))) throw error
    there = await resolveMove(engine, d, { ttl: spec.lease.ttl, undo: false })
    if (!there) host.info(`${d.name}: another command removed it`)
  } finally {
    printer.end()
    // If the run has moved, this command leaves only once it has registered in the other region: what moved it waits for that.
    if (!there && presence) await orLate(presence.leave(), signals.first, PARTING).catch(() => undefined)
  }
  if (there) await goOn(context, there, await needSpec(there), printer, presence)
}

/** How the run ended, and how to get its results: this command has only watched. */
function ended({ name, outcome, exitCode, collected }: Status): string {
  return `${name}: ${lastLine(outcome, exitCode)}${collected ? '' : `; \`tpi collect ${name}\` brings the results`}`
}

/** What is known of a slot. One in the history has no checkpoint. */
type Known = Pick<SlotRecord, 'index' | 'attempts' | 'head'>

/** Prints what was asked for: of one slot or all, since a time, the last lines, as text or as JSON. */
class Printer {
  readonly #context: VerbContext
  readonly #labelled: boolean
  readonly #only: number | undefined
  /** ISO: earlier lines are left out. */
  readonly #since: string
  #last: LastLines | undefined
  readonly #lines = new Lines()
  readonly #attempts = new Map<number, readonly Attempt[]>()
  /** By slot: an epoch, and the time (ISO) of the checkpoint that it started from. */
  readonly #from = new Map<number, readonly [epoch: number, savedAt: string]>()
  readonly #epochs = new Map<number, number>()

  constructor(context: VerbContext, count: number, only: number | undefined) {
    const { tail, since } = context.values
    this.#context = context
    this.#only = only
    this.#labelled = count > 1 && only === undefined
    this.#since = since === undefined ? '' : new Date(context.engine.clock.date().getTime() - since * 1000).toISOString()
    this.#last = tail === undefined ? undefined : new LastLines(tail)
  }

  /** Takes the record of a slot, which says why machines changed. */
  know(slot: Known): void {
    const { index, attempts } = slot
    const before = this.#attempts.get(index)?.at(-1)?.epoch
    const epoch = attempts.at(-1)?.epoch ?? 0
    // Only if the attempt began after the first look: otherwise the checkpoint may be its own.
    if (before !== undefined && epoch > before && hasSaved(slot)) this.#from.set(index, [epoch, slot.head.savedAt])
    this.#attempts.set(index, attempts)
  }

  push(piece: LogPiece): void {
    if ((this.#only !== undefined && piece.slot !== this.#only) || piece.at < this.#since) return
    // tpi's own lines do not count among the requested number of lines.
    if (this.#last && !isOfAgent(piece.stream)) this.#last.push(piece)
    else if (!this.#last) this.#show(piece)
  }

  /** From now on everything is shown as it comes. */
  live(): void {
    const last = this.#last?.take() ?? []
    this.#last = undefined
    for (const piece of last) this.#show(piece)
  }

  /** Prints what has been held back. */
  end(): void {
    this.live()
    for (const line of this.#lines.end()) this.#context.host.print(plainJson(line, 0))
  }

  #show(piece: LogPiece): void {
    const { values, host } = this.#context
    const before = this.#epochs.get(piece.slot) ?? piece.epoch
    this.#epochs.set(piece.slot, Math.max(before, piece.epoch))
    const label = this.#labelled ? `[${piece.slot}] ` : ''
    if (piece.epoch > before) {
      const [epoch, savedAt] = this.#from.get(piece.slot) ?? []
      const known = epoch === piece.epoch ? savedAt : undefined
      host.info(oneLine(`── ${label}${machineChange(this.#attempts.get(piece.slot) ?? [], before, piece.epoch, known)}`))
    }
    if (isOfAgent(piece.stream)) tellOfAgent(host, piece, label, values.verbose)
    else if (values.json) for (const line of this.#lines.push(piece)) host.print(plainJson(line, 0))
    else if (values.raw) host.raw(piece.bytes)
    else host.script(piece.bytes, { slot: piece.slot, label: values.timestamps ? `${label}${piece.at.slice(0, 19)}Z ` : label })
  }
}
