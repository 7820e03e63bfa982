/** `tpi destroy NAME`: everything given back. */
import { RemoteError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { REMAINS, refuseUnlessDiscard } from '../engine/destroy/destroy.ts'
import { afterMove } from '../engine/follow/moved-run.ts'
import { lookAndClose } from '../engine/follow/one-look.ts'
import { patiently } from '../engine/outage.ts'
import { forgetGone } from './runner/gone-runners.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { destroyOne } from './shared/destroy-one.ts'
import { chosenRuns, meant, nameOf } from './shared/find-run.ts'
import { Losses } from './shared/partial-failures.ts'

export async function destroy(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, values.mine ? 'several' : 'one')
  if (!values.mine && (await forgetGone(context))) {
    if (values.json) host.facts({ name: nameOf(context), destroyed: true })
    else host.print(`${nameOf(context)}: its runners had left; what was kept of them is removed`)
    return EXIT.ok
  }
  // Waits for a cloud that is out of reach, as everything below does: an outage must not decide what is removed.
  const found = values.mine
    ? undefined
    : await patiently(context.engine, async () => meant(context, nameOf(context)), context.signals.first)
  if (found && 'gone' in found) {
    if (values.json) host.facts({ ...found.gone, destroyed: true })
    else host.print(`${found.gone.name}: was already given back; its record and log stay in the history`)
    return EXIT.ok
  }
  const facts: unknown[] = []
  for (const called of found ? [found.alive] : await chosenRuns(context, losses))
    await losses.heed(called.name, async () => {
      // A run that is waiting to move is still needed.
      const d = values.discard ? called : await afterMove(context.engine, called, values['lease-ttl'] * 1000)
      // Closes slots that have lost their machines: otherwise the run would count as still running, and be refused.
      if (!values.discard) await lookAndClose(context.engine, d, context.signals.first)
      const how = await refuseUnlessDiscard(context.engine, d, values.discard, values['lease-ttl'] * 1000)
      const { fact, remains } = await destroyOne(context, d, how)
      if (remains === 'kept') throw new RemoteError(`${d.name}: ${REMAINS.kept}`)
      facts.push(fact)
      if (!values.json) host.print(`${d.name}: ${remains === 'nothing' || remains === 'mark' ? 'everything given back' : REMAINS[remains]}`)
    })
  if (values.json) host.facts(values.mine ? facts : facts[0])
  else if (values.mine && facts.length === 0 && losses.code === EXIT.ok) host.print(`nothing to destroy${await checkedClouds(context)}`)
  return losses.end()
}
