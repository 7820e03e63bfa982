/**
 * Autoscalers of regional groups, only with schedules of one date: https://cloud.google.com/compute/docs/reference/rest/v1/regionAutoscalers. A
 * policy needs a signal besides its schedules, and a schedule lasts at least five minutes
 * (https://cloud.google.com/compute/docs/autoscaler/scaling-schedules#limitations); a regional group needs the shape EVEN or BALANCED, and one that
 * is only scaled out must have no redistribution (https://cloud.google.com/compute/docs/instance-groups/regional-migs#autoscaling_a_regional_mig).
 * Machines have no load here.
 */
import type { World } from '../vm/simulation/world.ts'
import { linkTo, PROJECT } from './catalogue.ts'
import { type Fields, textOf } from './discovery.ts'
import { exists, invalidField, notFound } from './fault.ts'
import type { Groups } from './groups.ts'
import type { Managed } from './managed.ts'

interface Schedule {
  readonly schedule: string
  readonly timeZone?: string
  readonly durationSec: number
  readonly minRequiredReplicas: number
  readonly disabled?: boolean
}

interface Policy {
  readonly mode?: string
  readonly minNumReplicas?: number
  readonly maxNumReplicas?: number
  readonly scalingSchedules?: Readonly<Record<string, Schedule>>
}

interface Autoscaler {
  readonly id: string
  readonly path: string
  readonly managed: Managed
  readonly bornAt: number
  /** How many more calls do not find it. */
  young: number
  fields: Fields
}

const SIGNALS = ['cpuUtilization', 'loadBalancingUtilization', 'customMetricUtilizations']
const SHAPES = new Set(['EVEN', 'BALANCED'])
const UPWARDS = new Set(['ONLY_SCALE_OUT', 'ONLY_UP'])
/** Milliseconds between two looks during a schedule: an estimate. */
const PACE = 15_000
/** Seconds: `durationSec` in the description of the API. */
const SHORTEST = 300

export class Autoscalers {
  readonly #world: () => World
  readonly #groups: Groups
  readonly #all = new Map<string, Autoscaler>()

  constructor(world: () => World, groups: Groups) {
    this.#world = world
    this.#groups = groups
  }

  path(region: string, name: string): string {
    return `projects/${PROJECT}/regions/${region}/autoscalers/${name}`
  }

  insert(region: string, body: Fields, { id, young }: { readonly id: string; readonly young: number }): Autoscaler {
    const name = textOf(body, 'name')
    const path = this.path(region, name)
    if (this.#all.has(path)) throw exists(path)
    const managed = this.#groups.changeable(region, textOf(body, 'target').split('/').at(-1) ?? '')
    if (this.of(managed)) throw invalidField('resource.target', textOf(body, 'target'), 'The group has an autoscaler already.')
    const one = { id, path, managed, bornAt: this.#world().clock.now(), young, fields: body }
    judge(one, body)
    this.#all.set(path, one)
    this.#follow(one)
    return one
  }

  get(region: string, name: string): Autoscaler {
    const found = this.#all.get(this.path(region, name))
    if (!found || found.young-- > 0) throw notFound(this.path(region, name))
    return found
  }

  of(managed: Managed): Autoscaler | undefined {
    return [...this.#all.values()].find((one) => one.managed === managed)
  }

  list(region: string): readonly Fields[] {
    return [...this.#all.values()].filter(({ managed }) => managed.region === region).map((one) => this.fields(one))
  }

  /** As the method's page says: https://www.rfc-editor.org/rfc/rfc7396 */
  patch(one: Autoscaler, change: Fields): void {
    const fields = merged(one.fields, change)
    judge(one, fields)
    one.fields = fields
    this.#follow(one)
  }

  remove(one: Autoscaler): void {
    this.#all.delete(one.path)
  }

  fields({ id, path, managed, bornAt, fields }: Autoscaler): Fields {
    return {
      ...fields,
      kind: 'compute#autoscaler',
      id,
      creationTimestamp: new Date(bornAt).toISOString().replace('Z', '-00:00'),
      region: linkTo(`projects/${PROJECT}/regions/${managed.region}`),
      target: linkTo(managed.path),
      status: 'ACTIVE',
      recommendedSize: managed.size,
      selfLink: linkTo(path),
    }
  }

  inventory(): readonly string[] {
    return [...this.#all.keys()].map((path) => `autoscaler ${path}`)
  }

  /** New settings replace the old ones: a look that the old ones had planned sees that they no longer apply. */
  #follow(one: Autoscaler): void {
    const { clock } = this.#world()
    const { fields } = one
    for (const { from, to, count } of windowsOf(policyOf(fields))) {
      const look = (): void => {
        if (this.#all.get(one.path) !== one || one.fields !== fields || clock.now() >= to) return
        const { managed } = one
        if (managed.group && !managed.group.leaving && managed.size < count) managed.group.resize({ wanted: count }, 'its autoscaler')
        clock.at(clock.now() + PACE, look)
      }
      if (to > clock.now()) clock.at(Math.max(from, clock.now()), look)
    }
  }
}

const policyOf = (fields: Fields): Policy => fields['autoscalingPolicy'] ?? {}

function windowsOf({ mode = 'ON', maxNumReplicas = 0, scalingSchedules = {} }: Policy): { from: number; to: number; count: number }[] {
  if (mode === 'OFF') return []
  return Object.values(scalingSchedules)
    .filter(({ disabled }) => disabled !== true)
    .map(({ schedule, durationSec, minRequiredReplicas }) => {
      const from = dateOf(schedule)
      return { from, to: from + durationSec * 1000, count: Math.min(maxNumReplicas, minRequiredReplicas) }
    })
}

/** `minute hour day month weekday year`: https://cloud.google.com/compute/docs/autoscaler/scaling-schedules#cron_expressions */
function dateOf(schedule: string): number {
  const [, minute, hour, day, month, year] = /^(\d+) (\d+) (\d+) (\d+) \* (\d{4})$/.exec(schedule) ?? []
  if (year === undefined) throw new Error(`the lab knows schedules of one date, not ${schedule}`)
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
}

function judge({ managed }: Autoscaler, fields: Fields): void {
  const field = (name: string): string => `resource.autoscalingPolicy.${name}`
  const policy = policyOf(fields)
  const { mode = 'ON', minNumReplicas = 0, maxNumReplicas, scalingSchedules = {} } = policy
  if (maxNumReplicas === undefined) throw invalidField(field('maxNumReplicas'), '', 'It is required.')
  if (minNumReplicas > maxNumReplicas) throw invalidField(field('minNumReplicas'), minNumReplicas, 'It exceeds the maximum.')
  if (!SIGNALS.some((signal) => signal in policy)) throw invalidField('resource.autoscalingPolicy', '', 'At least one signal is required.')
  const shape = textOf((managed.fields['distributionPolicy'] ?? {}) as Fields, 'targetShape', 'EVEN')
  if (!SHAPES.has(shape)) throw invalidField('resource.target', shape, 'A group of that target shape cannot be autoscaled.')
  const moves = ((managed.fields['updatePolicy'] ?? {}) as Fields)['instanceRedistributionType'] !== 'NONE'
  if (mode === 'ON' && shape === 'EVEN' && !moves)
    throw invalidField(field('mode'), mode, 'Scaling in needs proactive instance redistribution.')
  if (!UPWARDS.has(mode) && mode !== 'ON' && mode !== 'OFF') throw invalidField(field('mode'), mode, 'There is no such mode.')
  for (const { schedule, timeZone = 'UTC', durationSec } of Object.values(scalingSchedules)) {
    dateOf(schedule)
    if (durationSec < SHORTEST) throw invalidField(field('scalingSchedules.durationSec'), durationSec, `It must be at least ${SHORTEST}.`)
    if (timeZone !== 'UTC') throw new Error('the lab knows no time zone but UTC')
  }
}

function merged(fields: Fields, change: Fields): Fields {
  const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
  const both = Object.entries(change).map(([key, value]) => {
    const before = fields[key]
    return [key, isRecord(value) ? merged(isRecord(before) ? before : {}, value) : value] as const
  })
  return Object.fromEntries(Object.entries({ ...fields, ...Object.fromEntries(both) }).filter(([, value]) => value !== null))
}
