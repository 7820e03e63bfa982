/**
 * Instance templates, global and regional, from which groups make their machines. What is refused, and how an answer differs from the request:
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceTemplates/insert, for time limits
 * https://cloud.google.com/compute/docs/instances/limit-vm-runtime#restrictions, for Spot
 * https://cloud.google.com/compute/docs/instances/create-use-spot
 */
import { createHash } from 'node:crypto'
import type { CloudClock } from '../vm/simulation/clock.ts'
import { linkTo, PROJECT } from './catalogue.ts'
import { type Fields, textOf } from './discovery.ts'
import { exists, invalid, invalidField, notFound, notReady } from './fault.ts'

export interface Template {
  readonly path: string
  readonly id: string
  readonly name: string
  readonly properties: Fields
  readonly scheduling: Scheduling
  readonly bornAt: number
  /** When its operation is done. */
  readonly readyAt: number
  /** How many more reads do not find it. */
  young: number
}

export interface Scheduling {
  readonly spot: boolean
  readonly deletes: boolean
  /** Milliseconds since 1970. */
  readonly terminationTime?: number
  readonly maxRun?: number
}

/** A time limit is 30 seconds to 120 days. */
const SHORTEST = 30_000
const LONGEST = 120 * 24 * 3600_000
/** https://cloud.google.com/compute/docs/metadata/setting-custom-metadata#limitations */
const MAX_VALUE = 256 * 1024
const MAX_METADATA = 512 * 1024
/** https://cloud.google.com/compute/docs/labeling-resources#requirements */
const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u
const MAX_LABELS = 64

export class Templates {
  readonly #clock: CloudClock
  readonly #all = new Map<string, Template>()

  constructor(clock: CloudClock) {
    this.#clock = clock
  }

  /** `scope`: `global` or `regions/us-central1`. */
  insert(scope: string, body: Fields, made: { readonly id: string; readonly takes: number; readonly young: number }): Template {
    const name = textOf(body, 'name')
    const path = pathOf(scope, name)
    const properties = (body['properties'] ?? {}) as Fields
    if (name === '') throw invalidField('resource.name', '', 'Name is required.')
    if (this.#all.has(path)) throw exists(path)
    const now = this.#clock.now()
    const scheduling = schedulingOf((properties['scheduling'] ?? {}) as Fields, now)
    judge(properties)
    const template = { path, id: made.id, name, properties, scheduling, bornAt: now, readyAt: now + made.takes, young: made.young }
    this.#all.set(path, template)
    return template
  }

  /** For reads. */
  get(scope: string, name: string): Template {
    const template = this.#all.get(pathOf(scope, name))
    if (!template || this.#clock.now() < template.readyAt || template.young-- > 0) throw notFound(pathOf(scope, name))
    return template
  }

  /** For a link of any length: `regions/us-central1/instanceTemplates/NAME` is enough. */
  linked(link: string): Template {
    const short = /((?:global|regions\/[^/]+)\/instanceTemplates\/[^/]+)$/.exec(link)?.[1]
    if (short === undefined) throw invalidField('resource.instanceTemplate', link, 'The URL is malformed.')
    const path = `projects/${PROJECT}/${short}`
    const template = this.#all.get(path)
    if (!template) throw notFound(path)
    if (this.#clock.now() < template.readyAt) throw notReady(path)
    if (template.young-- > 0) throw notFound(path)
    return template
  }

  remove(template: Template): void {
    this.#all.delete(template.path)
  }

  list(scope?: string): readonly Template[] {
    const now = this.#clock.now()
    return [...this.#all.values()].filter(
      ({ path, readyAt, young }) => now >= readyAt && young <= 0 && (scope === undefined || path.includes(`/${scope}/`)),
    )
  }

  inventory(): readonly string[] {
    return [...this.#all.keys()].map((path) => `template ${path}`)
  }
}

export const templatePath = (scope: string, name: string): string => pathOf(scope, name)
const pathOf = (scope: string, name: string): string => `projects/${PROJECT}/${scope}/instanceTemplates/${name}`

export function templateFields({ path, id, name, properties, bornAt }: Template): Fields {
  const region = /\/(regions\/[^/]+)\//.exec(path)?.[1]
  return {
    kind: 'compute#instanceTemplate',
    id,
    name,
    creationTimestamp: new Date(bornAt).toISOString().replace('Z', '-00:00'),
    properties: shown(properties),
    ...(region !== undefined && { region: linkTo(`projects/${PROJECT}/${region}`) }),
    selfLink: linkTo(path),
  }
}

/** With the defaults that recorded answers have. */
function shown(properties: Fields): Fields {
  const disks = ((properties['disks'] ?? []) as readonly Fields[]).map((disk, index) => ({ ...disk, kind: 'compute#attachedDisk', index }))
  const interfaces = ((properties['networkInterfaces'] ?? []) as readonly Fields[]).map((one, at) => ({
    ...one,
    kind: 'compute#networkInterface',
    name: `nic${at}`,
  }))
  const metadata = (properties['metadata'] ?? {}) as Fields
  const scheduling = (properties['scheduling'] ?? {}) as Fields
  const spot = scheduling['provisioningModel'] === 'SPOT'
  return {
    ...properties,
    disks,
    networkInterfaces: interfaces,
    metadata: { ...metadata, kind: 'compute#metadata', fingerprint: fingerprint(metadata) },
    scheduling: { automaticRestart: !spot, onHostMaintenance: spot ? 'TERMINATE' : 'MIGRATE', preemptible: spot, ...scheduling },
  }
}

export const fingerprint = (of: unknown): string => createHash('md5').update(JSON.stringify(of)).digest('base64')

function schedulingOf(scheduling: Fields, now: number): Scheduling {
  const field = (name: string): string => `resource.properties.scheduling.${name}`
  const spot = scheduling['provisioningModel'] === 'SPOT'
  const action = scheduling['instanceTerminationAction']
  if (spot && scheduling['automaticRestart'] === true)
    throw invalidField(field('automaticRestart'), true, 'Automatic restart must be disabled for a Spot VM.')
  if (spot && scheduling['onHostMaintenance'] === 'MIGRATE')
    throw invalidField(field('onHostMaintenance'), 'MIGRATE', 'Spot VMs must terminate on host maintenance.')
  const until = scheduling['terminationTime'] as string | undefined
  const run = scheduling['maxRunDuration'] as Fields | undefined
  if (until !== undefined && run)
    throw invalidField(field('terminationTime'), until, 'Only one of maxRunDuration and terminationTime may be set.')
  if ((until !== undefined || run) && action === undefined)
    throw invalidField(field('instanceTerminationAction'), '', 'A termination action is required for a VM with a time limit.')
  if (action !== undefined && !spot && until === undefined && !run)
    throw invalidField(field('instanceTerminationAction'), action, 'You can only specify it for a Spot VM or one with a time limit.')
  const at = until === undefined ? undefined : Date.parse(until)
  if (at !== undefined && Number.isNaN(at)) throw invalidField(field('terminationTime'), until, 'Invalid RFC 3339 timestamp.')
  const length = at === undefined ? run && Number(run['seconds']) * 1000 : at - now
  if (length !== undefined && (length < SHORTEST || length > LONGEST))
    throw invalidField(
      field(until === undefined ? 'maxRunDuration' : 'terminationTime'),
      until ?? run,
      'It must be between 30 seconds and 120 days.',
    )
  return {
    spot,
    deletes: action === 'DELETE',
    ...(at !== undefined && { terminationTime: at }),
    ...(run && { maxRun: Number(run['seconds']) * 1000 }),
  }
}

function judge(properties: Fields): void {
  if (typeof properties['machineType'] !== 'string' || properties['machineType'].includes('/'))
    throw invalidField('resource.properties.machineType', properties['machineType'], 'A template names a machine type, not its URL.')
  const disks = (properties['disks'] ?? []) as readonly Fields[]
  if (!disks.some((disk) => disk['boot'] === true)) throw invalid('At least one boot disk is required.')
  if (((properties['networkInterfaces'] ?? []) as readonly Fields[]).length === 0)
    throw invalid('At least one network interface is required.')
  const items = ((properties['metadata'] as Fields | undefined)?.['items'] ?? []) as readonly { key: string; value?: string }[]
  const sizes = items.map(({ value = '' }) => Buffer.byteLength(value))
  if (sizes.some((size) => size > MAX_VALUE) || sizes.reduce((sum, size) => sum + size, 0) > MAX_METADATA)
    throw invalidField('resource.properties.metadata', items.map(({ key }) => key).join(), 'Value is too large.')
  if (new Set(items.map(({ key }) => key)).size < items.length) throw invalid('Duplicate metadata keys.')
  const labels = Object.entries((properties['labels'] ?? {}) as Readonly<Record<string, string>>)
  const wrong = labels.find(([key, value]) => !LABEL_KEY.test(key) || !LABEL_VALUE.test(value))
  if (wrong) throw invalidField('resource.properties.labels', wrong.join('='), 'Label is not valid.')
  if (labels.length > MAX_LABELS) throw invalidField('resource.properties.labels', labels.length, 'Too many labels.')
}
