/** What a launch that came to its end says: outputs, the line at the end, the job summary. */
import { type Deployment } from '../engine/deployment.ts'
import { readStatus } from '../engine/finish.ts'
import { formatDuration } from '../lib/duration.ts'
import { plural } from '../lib/text.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import type { VerbContext } from './context.ts'
import { output } from './output.ts'
import { hostWarnings } from './runner-fit.ts'

export async function tellAll(
  context: VerbContext,
  d: Deployment,
  spec: RunnerSpec,
  after: ReadonlyMap<number, number>,
  attached: boolean,
): Promise<void> {
  const { host, values } = context
  const { label, labels, jobs, enrolled, idle } = spec.runner
  const runsOn = labels.filter((one) => one === label || !isDefault(spec, one))
  const names = enrolled.map(({ name }) => name)
  const ids = enrolled.map(({ id }) => id)
  const times = [...after].sort(([a], [b]) => a - b)
  output(host, {
    label: label,
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
  const patience = idle === null ? 'They wait for ever.' : `A machine without a job for ${formatDuration(idle)} leaves.`
  const promise = `serves ${serve}; further jobs with this label wait. ${patience}`
  const status = await readStatus(d, spec)
  if (values.json)
    host.facts({ ...status, attached, label, labels, runsOn, runners: names, runnerIds: ids, online: Object.fromEntries(times) })
  else
    host.info(
      `${d.name} ${promise}\n  runs-on: ${JSON.stringify(runsOn)}\n  see it   tpi status ${d.name}\n  end it   tpi destroy ${d.name} --discard`,
    )
  const rows = times.map(
    ([slot, seconds]) => `| ${slot} | ${enrolled.find((one) => one.slot === slot)?.name ?? ''} | ${seconds.toFixed(1)} s |`,
  )
  await host.summary(
    [
      `### Runners ${d.name}`,
      '',
      `Label \`${label}\`: ${promise}`,
      '',
      ...hostWarnings(context, d.cloudId).flatMap((warning) => [`> ${warning}`, '']),
      '| slot | runner | online after |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n'),
  )
}

function isDefault(spec: RunnerSpec, label: string): boolean {
  const asked = (spec.runner.relaunch['labels'] as readonly string[] | undefined) ?? []
  return !asked.includes(label)
}
