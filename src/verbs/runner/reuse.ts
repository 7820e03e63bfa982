/** Existing runners, used instead of new ones. */
import { InputError } from '../../core/errors.ts'
import type { Forge } from '../../core/forge.ts'
import { plural } from '../../lib/text.ts'
import type { RunnerModeRequest } from '../../runner/request.ts'
import type { VerbContext } from '../shared/context.ts'
import { output } from '../shared/set-outputs.ts'

/** `true`: there are enough, the user has been told, and nothing is to be started. */
export async function reused(context: VerbContext, request: RunnerModeRequest, forge: Forge): Promise<boolean> {
  const { values, host } = context
  const { labels, count } = request
  if (values.reuse === 'never') return false
  if (labels.length === 0)
    throw new InputError('reuse: no labels were given, and runners are found by their labels', { hint: 'give them as "labels"' })
  const online = await forge.equipped(labels)
  const fit = values.reuse === 'idle' ? online.filter(({ busy }) => !busy) : online
  if (fit.length < count) {
    const idle = values.reuse === 'idle' ? ' without a job' : ''
    host.info(
      `${plural(fit.length, 'runner is', 'runners are')} online with ${labels.join(', ')}${idle}, of ${count} wanted: new ones are started`,
    )
    return false
  }
  const names = fit.map(({ name }) => name)
  const ids = fit.map(({ id }) => id)
  output(host, {
    labels: JSON.stringify(labels),
    'runs-on': JSON.stringify(labels),
    runners: JSON.stringify(names),
    'runner-ids': JSON.stringify(ids),
    attached: 'false',
    reused: 'true',
    outcome: 'running',
  })
  const busy = fit.filter((one) => one.busy).length
  const says = `${plural(fit.length, 'runner')} with ${labels.join(', ')} ${fit.length === 1 ? 'is' : 'are'} online${busy > 0 ? `, ${busy} of them with a job` : ''}: nothing was started`
  if (values.json)
    host.facts({
      name: request.name,
      outcome: 'running',
      reused: true,
      attached: false,
      labels,
      runsOn: labels,
      runners: names,
      runnerIds: ids,
      busy,
    })
  else host.info(`${says}: ${names.join(', ')}`)
  await host.summary(`### Runners\n\n${says}.\n\n${names.map((name) => `- \`${name}\``).join('\n')}`)
  return true
}
