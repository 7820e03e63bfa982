/** `tpi plan`: checks a task and lists what it would make. Creates nothing. */
import { AuthError, describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { deploymentId } from '../core/identity.ts'
import { currentOf } from '../engine/owner/silence.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns, plural } from '../lib/text.ts'
import { beginsAhead, machineSpec, plannedSpec } from '../task/create.ts'
import type { TaskRequest } from '../task/request.ts'
import type { UploadPlan } from '../task/workdir/what-is-uploaded.ts'
import type { CurrentRecord } from '../wire/records.ts'
import type { VerbContext } from './shared/context.ts'
import { besides, costWords, quoteOf, worstCase } from './shared/quote.ts'
import { warnOfWords } from './task/command-words.ts'
import { warnOfOutputsOutOfReach } from './task/output-place.ts'
import { uploadPlan } from './task/plan-upload.ts'
import { type Preflight, preflight } from './task/preflight.ts'
import { taskRequest } from './task/request-from-options.ts'

export async function plan(context: VerbContext): Promise<number> {
  const { host, values } = context
  const request = taskRequest(context)
  const [place, ...others] = await preflight(context, request).catch(async (error: unknown) => {
    if (error instanceof AuthError && !values.json) await planUnseen(context, request)
    throw error
  })
  const quote = await quoteOf(context, place, request).catch((error: unknown) => {
    host.warn(`the price of the machines is not known: ${describeError(error)}`)
    return undefined
  })
  const upload = await uploadPlan(context, request, place.store)
  await warnOfWords(context, request)
  warnOfOutputsOutOfReach(context, request)
  const resources = await wouldMake(context, request, place, upload)
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
    upload: upload ? { folder: upload.folder, ...upload.size, leftOut: upload.leftOut } : null,
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
    ...wanted(facts.cloud, request),
    ...(others.length > 0
      ? [['regions', `${facts.regions.join(', then ')}; traffic between another region and the store is charged`]]
      : []),
    ['store', facts.store],
    ['makes', resources.join(', ')],
    ...asked(request, upload),
    ['costs', costWords(quote, request)],
    environment(request),
    ['exists', there ? EXISTS[there.value.state] : 'no: it would be created'],
  ]
  host.print([`── ${request.name}: nothing was created`, ...columns(rows).map((line) => `  ${line}`)].join('\n'))
  return EXIT.ok
}

/** Whether the run exists already, and what the task would do about it. */
const EXISTS = {
  making: 'it is being created: the task would wait for that and attach, or start anew if the command that creates it is gone',
  open: 'yes: the task would attach, or say what differs',
  destroying: 'it is being removed: the task would wait for that, and then create it',
} as const satisfies Record<CurrentRecord['state'], string>

async function wouldMake(
  context: VerbContext,
  request: TaskRequest,
  place: Preflight,
  upload: UploadPlan | undefined,
): Promise<readonly string[]> {
  const { engine, owner } = context
  const parts = { request, origin: owner.origin, storeAccess: place.access, agent: await context.agent() }
  const spec = plannedSpec({ id: place.id, name: request.name, incarnation: 'planned' }, parts, engine.clock.date().toISOString())
  const machines = machineSpec(spec, parts)
  const setup = await place.cloud.storeSetup?.({ ...machines, ahead: beginsAhead(upload) })
  const own = (setup?.stages ?? []).flat().filter(({ shared }) => !shared)
  const group = setup?.ahead ? await setup.ahead() : await place.cloud.blueprint(machines)
  return [...own, ...group.flat()].map(({ kind, name }) => `${kind} ${name}`)
}

/**
 * Prints what is known without the cloud, so that a user without credentials sees what the options mean. The error itself is reported as
 * usual.
 */
async function planUnseen(context: VerbContext, request: TaskRequest): Promise<void> {
  const { host, owner, values, descriptors } = context
  const descriptor = descriptors.find(({ id }) => id === values.cloud)
  const types = await descriptor?.machineTypes?.(request.size, request.spot.want !== 'never')
  const upload = await uploadPlan(context, request, undefined)
  await warnOfWords(context, request)
  warnOfOutputsOutOfReach(context, request)
  const rows = [
    ['id', deploymentId(owner, request.name)],
    ...wanted(values.cloud, request),
    ...(types
      ? [['machine', types.length > SHOWN ? `${types.slice(0, SHOWN).join(', ')}, or ${types.length - SHOWN} more` : types.join(', ')]]
      : []),
    ...asked(request, upload),
    environment(request),
    ['unknown', 'what it costs, what it makes, whether it exists already, and whether this account may make it'],
  ]
  host.print(
    [`── ${request.name}: nothing was created, and the cloud was not asked`, ...columns(rows).map((line) => `  ${line}`)].join('\n'),
  )
}

/** Machine types that are listed by name. */
const SHOWN = 6

const wanted = (cloud: string, { count }: TaskRequest): string[][] => [['cloud', `${cloud}, ${plural(count, 'slot')}`]]

function asked({ output, size, container, timeout }: TaskRequest, upload: UploadPlan | undefined): string[][] {
  return [
    ['uploads', upload ? `${plural(upload.size.files, 'file')} of ${upload.folder}` : 'nothing'],
    ['outputs', output.length > 0 ? output.join(', ') : 'none'],
    ...(size.scratch ? [['scratch', 'work directory and temporary files are on local disks of the machine']] : []),
    ...(container ? [['container', container]] : []),
    ['ends', `${formatDuration(timeout)} after its start at the latest`],
  ]
}

function environment({ env, secrets }: TaskRequest): string[] {
  return ['environment', [...Object.keys(env), ...Object.keys(secrets).map((name) => `${name} (secret)`)].join(', ') || 'none']
}
