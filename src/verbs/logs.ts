/** `tpi logs NAME`: what the program printed, across all attempts. */
import { EXIT, InputError } from '../core/errors.ts'
import { enter } from '../engine/create/presence.ts'
import { type Deployment, needSpec, readSlots } from '../engine/deployment.ts'
import { isRemoved } from '../engine/destroy/removed.ts'
import { follow } from '../engine/follow/follow.ts'
import { type LogPiece, LogReader } from '../engine/follow/logs.ts'
import { type Past } from '../engine/history.ts'
import { hasLog, readKept } from '../engine/kept-log.ts'
import { WARNING } from '../wire/log.ts'
import type { Spec } from '../wire/spec.ts'
import { checkedSlot, meant, nameOf, type VerbContext } from './shared/context.ts'

export async function logs(context: VerbContext): Promise<number> {
  const { values } = context
  const found = await meant(context, nameOf(context))
  if ('gone' in found) return past(context, found.gone)
  const d = found.alive
  const spec = await needSpec(d)
  const only = checkedSlot(values.slot, spec.count)
  const show = shower(context, spec.count, only)
  if (values.follow) {
    await goOn(context, d, spec, show)
    return EXIT.ok
  }
  const slots = await readSlots(d, spec.count)
  for (const { record } of slots.filter((slot) => only === undefined || slot.record.index === only)) {
    for await (const piece of new LogReader(d, record.index).next(record)) show(piece)
  }
  return EXIT.ok
}

/** What the history has of it. */
async function past(context: VerbContext, gone: Past): Promise<number> {
  const { home } = context.engine
  if (!(await hasLog(home, gone)))
    throw new InputError(`name: deployment "${gone.name}" is gone, and no log of it was kept`, {
      hint: `tpi status ${gone.name} shows how it went`,
    })
  const show = shower(context, gone.slots.length, checkedSlot(context.values.slot, gone.slots.length))
  for await (const piece of readKept(home, gone)) show(piece)
  return EXIT.ok
}

/** Until the task ends. Whoever ends it waits for us, so that the last lines are still there to be read. */
async function goOn({ engine, host, interrupts }: VerbContext, d: Deployment, spec: Spec, show: (piece: LogPiece) => void): Promise<void> {
  const event = (text: string, kind: string): void => (kind === 'info' ? host.debug(text) : host.info(text))
  const presence = await enter(engine, d, spec.lease)
  try {
    await follow(engine, d, spec, { slot() {}, log: show, event }, { signal: interrupts.first })
  } catch (error) {
    if (!(await isRemoved(d))) throw error
    host.info(`${d.name}: another command removed it`)
  } finally {
    await presence.leave().catch(() => undefined)
  }
}

function shower(context: VerbContext, count: number, only: number | undefined): (piece: LogPiece) => void {
  const { values, host } = context
  const labelled = count > 1 && only === undefined
  return (piece) => {
    if (only !== undefined && piece.slot !== only) return
    if (piece.stream === 'agent') {
      const text = Buffer.from(piece.bytes).toString('utf8').trimEnd()
      if (text.startsWith(WARNING)) host.warn(text.slice(WARNING.length))
      else if (values.verbose) host.debug(`machine: ${text}`)
      return
    }
    const label = labelled ? `[${piece.slot}] ` : ''
    if (values.raw) host.raw(piece.bytes)
    else host.script(piece.bytes, { slot: piece.slot, label: values.timestamps ? `${label}${piece.at.slice(0, 19)}Z ` : label })
  }
}
