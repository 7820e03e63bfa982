/** `tpi plan`: what a task would make, checked and named; nothing is created. */
import { EXIT } from '../core/errors.ts'
import { currentOf } from '../engine/owner/silence.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns, plural } from '../lib/text.ts'
import { beginsAhead, machineSpec, plannedSpec } from '../task/create.ts'
import type { VerbContext } from './shared/context.ts'
import { costWords, quoteOf, worstCase } from './shared/quote.ts'
import { warnOfFilesLeftHere } from './task/left-here.ts'
import { warnOfOutputsOutOfReach } from './task/out-of-reach.ts'
import { uploadPlan } from './task/upload.ts'
import { taskWish } from './task/wish.ts'
import { preflight } from './task.ts'

export async function plan(context: VerbContext): Promise<number> {
  const { host, values, engine, owner } = context
  const wish = taskWish(context)
  const place = await preflight(context, wish)
  const quote = await quoteOf(context, place, wish)
  const upload = await uploadPlan(context, wish, place.store)
  await warnOfFilesLeftHere(context, wish)
  warnOfOutputsOutOfReach(context, wish)
  const agent = await context.agent()
  const parts = { wish, origin: owner.origin, storeAccess: place.access, agent }
  const spec = plannedSpec({ id: place.id, name: wish.name, incarnation: 'planned' }, parts, engine.clock.date().toISOString())
  const machines = machineSpec(spec, parts)
  const own = place.cloud.ownStore?.holds(place.access) ? place.cloud.ownStore : undefined
  const stages = [
    ...((await own?.blueprint(machines)) ?? []),
    ...(await place.cloud.blueprint(own && beginsAhead(upload) ? { ...machines, ahead: true } : machines)),
  ]
  const resources = stages.flat().map(({ kind, name }) => `${kind} ${name}`)
  const there = await currentOf(place)
  const facts = {
    id: place.id,
    name: wish.name,
    cloud: place.cloudId,
    store: place.store.url,
    exists: there !== undefined,
    slots: wish.count,
    resources,
    upload: upload ? { folder: upload.folder, ...upload.size } : null,
    outputs: wish.output,
    timeoutSeconds: wish.timeout,
    price: quote ? { hour: quote.hour * wish.count, worst: worstCase(quote, wish) ?? null } : null,
    environment: Object.keys(wish.env),
    secrets: Object.keys(wish.secrets),
  }
  if (values.json) {
    host.facts(facts)
    return EXIT.ok
  }
  const rows = [
    ['id', facts.id],
    ['cloud', `${facts.cloud}, ${plural(facts.slots, 'slot')}`],
    ['store', facts.store],
    ['makes', resources.join(', ')],
    ['uploads', upload ? `${plural(upload.size.files, 'file')} of ${upload.folder}` : 'nothing'],
    ['outputs', wish.output.length > 0 ? wish.output.join(', ') : 'none'],
    ['ends', `${formatDuration(wish.timeout)} after its start at the latest`],
    ['costs', costWords(quote, wish)],
    ['environment', [...facts.environment, ...facts.secrets.map((name) => `${name} (secret)`)].join(', ') || 'none'],
    ['exists', facts.exists ? 'yes: the task would attach, or say what differs' : 'no: it would be created'],
  ]
  host.print([`── ${wish.name}: nothing was created`, ...columns(rows).map((line) => `  ${line}`)].join('\n'))
  return EXIT.ok
}
