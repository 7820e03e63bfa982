/** `tpi plan`: what a task would make, checked and named; nothing is created. */
import { EXIT } from '../core/exit-codes.ts'
import { currentOf } from '../engine/owner/silence.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns, plural } from '../lib/text.ts'
import { beginsAhead, machineSpec, plannedSpec } from '../task/create.ts'
import type { VerbContext } from './shared/context.ts'
import { besides, costWords, quoteOf, worstCase } from './shared/quote.ts'
import { warnOfLocalFiles } from './task/local-files.ts'
import { warnOfOutputsOutOfReach } from './task/out-of-reach.ts'
import { preflight } from './task/preflight.ts'
import { taskRequest } from './task/request.ts'
import { uploadPlan } from './task/select-upload.ts'

export async function plan(context: VerbContext): Promise<number> {
  const { host, values, engine, owner } = context
  const request = taskRequest(context)
  const [place, ...others] = await preflight(context, request)
  const quote = await quoteOf(context, place, request)
  const upload = await uploadPlan(context, request, place.store)
  await warnOfLocalFiles(context, request)
  warnOfOutputsOutOfReach(context, request)
  const agent = await context.agent()
  const parts = { request, origin: owner.origin, storeAccess: place.access, agent }
  const spec = plannedSpec({ id: place.id, name: request.name, incarnation: 'planned' }, parts, engine.clock.date().toISOString())
  const machines = machineSpec(spec, parts)
  const ground = await place.cloud.ground?.({ ...machines, ahead: beginsAhead(upload) })
  const own = (ground?.stages ?? []).flat().filter(({ shared }) => !shared)
  const group = ground?.ahead ? await ground.ahead() : await place.cloud.blueprint(machines)
  const resources = [...own, ...group.flat()].map(({ kind, name }) => `${kind} ${name}`)
  const there = await currentOf(place)
  const facts = {
    id: place.id,
    name: request.name,
    cloud: place.cloudId,
    regions: [place, ...others].flatMap(({ cloud }) => cloud.region ?? []),
    store: place.store.url,
    exists: there !== undefined,
    slots: request.count,
    resources,
    upload: upload ? { folder: upload.folder, ...upload.size } : null,
    outputs: request.output,
    scratch: request.size.scratch === true,
    container: request.container ?? null,
    timeoutSeconds: request.timeout,
    price: quote ? { hour: quote.hour * request.count, worst: worstCase(quote, request) ?? null, besides: besides(quote, request) } : null,
    environment: Object.keys(request.env),
    secrets: Object.keys(request.secrets),
  }
  if (values.json) {
    host.facts(facts)
    return EXIT.ok
  }
  const rows = [
    ['id', facts.id],
    ['cloud', `${facts.cloud}, ${plural(facts.slots, 'slot')}`],
    ...(others.length > 0
      ? [['regions', `${facts.regions.join(', then ')}; traffic between another region and the store is charged`]]
      : []),
    ['store', facts.store],
    ['makes', resources.join(', ')],
    ['uploads', upload ? `${plural(upload.size.files, 'file')} of ${upload.folder}` : 'nothing'],
    ['outputs', request.output.length > 0 ? request.output.join(', ') : 'none'],
    ...(facts.scratch ? [['scratch', 'work folder and temporary files are on local disks of the machine']] : []),
    ...(facts.container ? [['container', facts.container]] : []),
    ['ends', `${formatDuration(request.timeout)} after its start at the latest`],
    ['costs', costWords(quote, request)],
    ['environment', [...facts.environment, ...facts.secrets.map((name) => `${name} (secret)`)].join(', ') || 'none'],
    ['exists', facts.exists ? 'yes: the task would attach, or say what differs' : 'no: it would be created'],
  ]
  host.print([`── ${request.name}: nothing was created`, ...columns(rows).map((line) => `  ${line}`)].join('\n'))
  return EXIT.ok
}
