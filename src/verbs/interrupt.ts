/** `tpi interrupt NAME`: rehearses a spot reclaim. */
import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { machineOf, needSpec, readSlots, requestInterrupt } from '../engine/deployment.ts'
import { isTerminal } from '../wire/slot.ts'
import type { VerbContext } from './shared/context.ts'
import { checkedSlot } from './shared/find-run.ts'
import { meantToAct } from './shared/undo-killed-start.ts'

export async function interrupt(context: VerbContext): Promise<number> {
  const { values, host, engine } = context
  const d = await meantToAct(context)
  const spec = await needSpec(d)
  const slot = checkedSlot(values.slot, spec.count)
  const open = (await readSlots(d, spec.count)).filter(
    ({ record }) => !isTerminal(record.state) && (slot === undefined || record.index === slot),
  )
  if (open.length === 0) throw new InputError(`interrupt: nothing of "${d.name}" is running any more`)
  const [one] = open
  if (d.cloud.interrupt) await d.cloud.interrupt(d, slot === undefined || !one ? undefined : await machineOf(d, one))
  else await requestInterrupt(d, slot, engine.clock.date().toISOString())
  const slots = open.map(({ record }) => record.index)
  if (values.json) host.facts({ id: d.id, name: d.name, interrupted: slots })
  else host.print(`${d.name}: notice of a reclaim given to slot ${slots.join(', ')}; a replacement will resume from the last checkpoint`)
  return EXIT.ok
}
