/** What a finished launch reports: outputs, the last line, the job summary. */

import type { Deployment } from '../../engine/deployment.ts'
import { readStatus } from '../../engine/follow/read-status.ts'
import { patiently } from '../../engine/outage.ts'
import { formatDuration } from '../../lib/duration.ts'
import { markdownTable } from '../../lib/markdown.ts'
import { plural } from '../../lib/text.ts'
import type { Online } from '../../runner/online.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import type { VerbContext } from '../shared/context.ts'
import { output } from '../shared/set-outputs.ts'
import { hostWarnings } from './fit.ts'

export async function tellAll(context: VerbContext, d: Deployment, spec: RunnerSpec, online: Online, attached: boolean): Promise<void> {
  const { engine, host, signals, values } = context
  const { label, labels, jobs, enrolled, idle } = spec.runner
  const asked = (spec.runner.relaunch['labels'] as readonly string[] | undefined) ?? []
  // Default labels are left out: they say what the machine is, and other runners have them too.
  const runsOn = labels.filter((one) => one === label || asked.includes(one))
  const names = enrolled.map(({ name }) => name)
  const ids = names.flatMap((name) => online.ids.get(name) ?? [])
  const times = [...online.after].sort(([a], [b]) => a - b)
  output(host, {
    label,
    labels: JSON.stringify(labels),
    'runs-on': JSON.stringify(runsOn),
    runners: JSON.stringify(names),
    'runner-ids': JSON.stringify(ids),
    'online-after': JSON.stringify(times.map(([, seconds]) => Number(seconds.toFixed(1)))),
    attached: String(attached),
    reused: 'false',
    'started-at': spec.createdAt,
    outcome: 'running',
  })
  const serve = jobs === null ? 'jobs without limit' : plural(jobs * spec.count, 'job')
  const leaves = idle === null ? `stays until ${spec.lifetime.deadline}` : `for ${formatDuration(idle)} leaves`
  const { registration } = spec.runner.machine
  const waiting = jobs === null ? '' : '; further jobs with this label wait'
  const promise = `serves ${serve}${waiting}. A machine without a job ${leaves}.`
  // A machine cannot remove its registration: that takes the token.
  const remains =
    registration &&
    `The registration of a machine stays when it leaves (${registration.stays}): \`tpi destroy ${d.name} --discard\` or \`tpi sweep --yes\` removes it.`
  // The runners are there: an outage of the storage must not take them away now.
  if (values.json) {
    const status = await patiently(engine, async () => readStatus(d, spec), signals.first)
    host.facts({ ...status, attached, label, labels, runsOn, runners: names, runnerIds: ids, online: Object.fromEntries(times) })
  } else
    host.info(
      `${d.name} ${promise}${remains === undefined ? '' : `\n  ${remains}`}\n  runs-on: ${JSON.stringify(runsOn)}\n  see it   \`tpi status ${d.name}\`\n  end it   \`tpi destroy ${d.name} --discard\``,
    )
  const rows = times.map(([slot, seconds]) => [
    String(slot),
    enrolled.find((one) => one.slot === slot)?.name ?? '',
    `${seconds.toFixed(1)} s`,
  ])
  await host.summary(
    [
      `### Runners ${d.name}`,
      '',
      `Label \`${label}\`: ${promise}${remains === undefined ? '' : ` ${host.words(remains)}`}`,
      '',
      ...hostWarnings(context, d.cloudId).flatMap((warning) => [`> ${warning}`, '']),
      markdownTable(['slot', 'runner', 'online after'], rows),
    ].join('\n'),
  )
}
