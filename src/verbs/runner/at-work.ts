/** Runners that have a job already, although a start failed or was cut off: they stay. */
import { type Deployment, readSlots } from '../../engine/deployment.ts'
import { isTerminal } from '../../wire/slot.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import { undisturbed, type VerbContext } from '../shared/context.ts'
import { forgeOf } from './recorded-forge.ts'

/** For people. */
export function stayWords({ name }: Deployment, { runner: { idle }, lifetime }: RunnerSpec): string {
  const until = idle === null ? `until ${lifetime.deadline}` : 'until they are idle'
  return `${name}: some of its runners have jobs, so they stay ${until}; \`tpi destroy ${name} --discard\` ends them now`
}

/** Whether a runner has a job: according to its machine or, if that does not know, to the forge. */
export async function isAtWork(
  context: VerbContext,
  d: Deployment,
  { count, runner: { forge: id, scope, machine, enrolled } }: RunnerSpec,
): Promise<boolean> {
  const slots = await readSlots(d, count).catch(() => [])
  const living = slots.filter(({ record }) => !isTerminal(record.state))
  if (living.some(({ record }) => record.phase === 'job')) return true
  // A runner that measures its own idle time does not say when it has a job.
  if (machine.idleClock !== 'runner' || living.length === 0) return false
  const ids = [...new Set(enrolled.flatMap((one) => one.id ?? []))]
  const forge = await forgeOf(undisturbed(context), d, { forge: id, scope })
  const found = await Promise.all(ids.map(async (one) => forge.one(one)))
  return found.some((one) => one?.busy)
}
