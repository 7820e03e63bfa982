/** `tpi stop NAME`: a durable wish, then the orderly end: signal, last save, compute to 0. */
import { InputError } from '../core/errors.ts'
import { type Deployment, needSpec } from '../engine/deployment.ts'
import { readStatus } from '../engine/finish.ts'
import type { Status } from '../engine/status.ts'
import { stopAndWait } from '../engine/stop.ts'
import { meantAlive, type VerbContext } from './context.ts'
import { unregisterAround } from './forge.ts'
import { Losses } from './losses.ts'
import { ownedBy } from './mine.ts'

export async function stop(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, values.mine)
  const ended: Status[] = []
  for (const d of await chosen(context, losses)) {
    const status = await losses.heed(d.name, () => stopOne(context, d))
    if (status) ended.push(status)
  }
  if (values.json) host.facts(values.mine ? ended : ended[0])
  else for (const status of ended) host.print(`${status.name}: ${status.state}; ${kept(status)}`)
  return losses.code
}

function kept({ name, mode }: Status): string {
  if (mode === 'runner') return `its logs are kept: tpi logs ${name} shows them, tpi destroy ${name} removes them`
  return `its snapshots and logs are kept: tpi collect ${name} fetches outputs, tpi destroy ${name} removes them`
}

/** The one that is named, or with `--mine` all of this job. */
export async function chosen(context: VerbContext, losses: Losses): Promise<Deployment[]> {
  const { values, owner } = context
  if (values.name && values.mine) throw new InputError('mine: cannot be used together with a name')
  if (!values.mine) return [await meantAlive(context)]
  const own = (await losses.seen()).filter(({ found }) => ownedBy(owner, found.tags.origin))
  return losses.read(own, async (d) => d)
}

async function stopOne(context: VerbContext, d: Deployment): Promise<Status> {
  const { engine, interrupts } = context
  const spec = await needSpec(d)
  await stopAndWait(engine, d, spec, { signal: interrupts.first })
  if (interrupts.first.aborted) context.host.info(`${d.name}: the wish to stop it is recorded: it saves its work and ends by itself`)
  interrupts.first.throwIfAborted()
  if (spec.mode === 'runner') await unregisterAround(context, d, spec.runner)
  return readStatus(d, spec)
}
