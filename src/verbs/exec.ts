/** `tpi exec NAME -- CMD`: beside the program, in its work folder. */
import { InputError } from '../core/errors.ts'
import { machineOf, needSpec, readSlots } from '../engine/deployment.ts'
import { checkedSlot, meantAlive, type VerbContext } from './shared/context.ts'

export async function exec(context: VerbContext): Promise<number> {
  const d = await meantAlive(context)
  const spec = await needSpec(d)
  if (!d.cloud.exec) throw new InputError(`exec: cloud "${d.cloudId}" has no way to run a command beside the program`)
  if (!context.parsed.command?.length) throw new InputError('exec: no command given', { hint: `tpi exec ${d.name} -- ls -l` })
  const slot = (await readSlots(d, spec.count))[checkedSlot(context.values.slot, spec.count) ?? 0]
  if (!slot) throw new InputError(`exec: "${d.name}" has no slot`)
  return d.cloud.exec(d, await machineOf(d, slot), context.parsed.command)
}
