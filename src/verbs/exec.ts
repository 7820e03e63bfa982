/** `tpi exec NAME -- CMD`: runs a command beside the program, in its work directory. */
import { InputError, RemoteError } from '../core/errors.ts'
import { machineOf, needSpec, readSlots } from '../engine/deployment.ts'
import { execByStore } from '../engine/exec.ts'
import { readUntil } from '../engine/read-until.ts'
import { orAborted } from '../lib/abort.ts'
import { MOST_OUTPUT } from '../wire/exec.ts'
import { isTerminal } from '../wire/slot.ts'
import type { VerbContext } from './shared/context.ts'
import { checkedSlot, slotEnded } from './shared/find-run.ts'
import { meantToAct } from './shared/undo-killed-start.ts'

export async function exec(context: VerbContext): Promise<number> {
  const { engine, signals, host } = context
  const d = await orAborted(meantToAct(context), signals.first)
  const read = readUntil(d, signals.first)
  const spec = await needSpec(read)
  if (!context.parsed.command?.length) throw new InputError('exec: no command given', { hint: `tpi exec ${d.name} -- ls -l` })
  const slots = await readSlots(read, spec.count)
  const slot = slots[checkedSlot(context.values.slot, spec.count) ?? 0]
  if (!slot) throw new InputError(`exec: "${d.name}" has no slot`)
  if (isTerminal(slot.record.state)) throw slotEnded('exec', d, slot.record, slots)
  const machine = await orAborted(machineOf(d, slot), signals.first)
  if (d.cloud.exec) {
    signals.handOver()
    return d.cloud.exec(d, machine, context.parsed.command, (stream, bytes) => host.command(stream, bytes))
  }
  const target = { slot: slot.record.index, machine, count: spec.count }
  const answer = await execByStore(engine, d, target, context.parsed.command, signals.first)
  host.command('out', Buffer.from(answer.out, 'base64'))
  host.command('err', Buffer.from(answer.err, 'base64'))
  if (answer.cut) host.warn(`exec: it wrote more than ${MOST_OUTPUT} bytes; the rest is left out`)
  if (answer.code === undefined) throw new RemoteError(`exec: ${answer.problem ?? 'it did not run to its end'}`)
  return answer.code
}
