/** `tpi interrupt NAME`: rehearses a spot reclaim. */
import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { machineOf, needSpec, readSlots, requestInterrupt } from '../engine/deployment.ts'
import { listed } from '../lib/text.ts'
import { isHeld, isTerminal } from '../wire/slot.ts'
import type { VerbContext } from './shared/context.ts'
import { checkedSlot, slotEnded } from './shared/find-run.ts'
import { meantToAct } from './shared/undo-killed-start.ts'

export async function interrupt(context: VerbContext): Promise<number> {
  const { values, host, engine } = context
  const d = await meantToAct(context)
  const spec = await needSpec(d)
  const slot = checkedSlot(values.slot, spec.count)
  const all = await readSlots(d, spec.count)
  const only = slot === undefined ? undefined : all[slot]
  if (only && isTerminal(only.record.state)) throw slotEnded('interrupt', d, only.record, all)
  // Without a way through the cloud, the request goes into the storage, where only a machine that holds a slot now heeds it.
  const open = (only ? [only] : all).filter(
    ({ record }) => !isTerminal(record.state) && (d.cloud.interrupt !== undefined || isHeld(record)),
  )
  if (open.length === 0) throw new InputError(`interrupt: no machine is at work on "${d.name}"`, { hint: `see: \`tpi status ${d.name}\`` })
  const [one] = open
  if (d.cloud.interrupt) await d.cloud.interrupt(d, slot === undefined || !one ? undefined : await machineOf(d, one))
  else await requestInterrupt(d, slot, engine.clock.date().toISOString())
  const slots = open.map(({ record }) => record.index)
  if (values.json) host.facts({ id: d.id, name: d.name, interrupted: slots })
  else {
    const which = slots.length === 1 ? `slot ${slots.join()}` : `slots ${listed(slots.map(String), 'and')}`
    const next =
      spec.mode === 'task'
        ? 'the next machine goes on from the last checkpoint, if there is one'
        : `\`tpi retry ${d.name}\` runs jobs again that are cut off, as often as \`retry\` allows`
    host.print(`${d.name}: notice of a reclaim given to ${which}; ${next}`)
  }
  return EXIT.ok
}
