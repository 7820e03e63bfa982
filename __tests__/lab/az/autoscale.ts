/**
 * Autoscale settings, and the engine that applies them: https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 * (which profile counts: fixed date before the default one; the number of instances is brought between minimum and maximum even without rules; the
 * job runs every 30 to 60 seconds), https://learn.microsoft.com/rest/api/monitor/autoscale-settings/create-or-update. Which machines it removes is
 * not documented.
 */
import type { World } from '../vm/simulation/world.ts'
import type { Activity } from './activity.ts'
import { ArmFault } from './fault.ts'
import type { Kept, Resources } from './resources.ts'
import type { ScaleSet, Sets } from './sets.ts'
import type { Fields } from './tables.ts'

interface Profile {
  readonly name: string
  readonly capacity: { readonly minimum: string; readonly maximum: string; readonly default: string }
  readonly fixedDate?: { readonly start: string; readonly end: string; readonly timeZone?: string }
  readonly recurrence?: Fields
}

interface Setting {
  readonly enabled?: boolean
  readonly targetResourceUri: string
  readonly profiles: readonly Profile[]
}

const TYPE = 'Microsoft.Insights/autoscalesettings'
const MOST_PROFILES = 20
/** Milliseconds: most between the dates of a profile. */
const YEAR = 365 * 24 * 3600_000

export class Autoscale {
  /** Milliseconds between two of its looks, at least and at most: the vendor's are 30 s and 60 s. */
  pace: readonly [number, number]
  /** Which numbers of zero are accepted is not documented: tpi must cope with every answer. */
  refusesZero: 'default' | 'maximum' | 'any' | undefined
  /** How often it has looked. */
  ticks = 0
  readonly #world: () => World
  readonly #resources: Resources
  readonly #sets: Sets
  readonly #activity: () => Activity
  #running = false

  constructor(world: () => World, resources: Resources, sets: Sets, activity: () => Activity, pace: readonly [number, number]) {
    this.#world = world
    this.#resources = resources
    this.#sets = sets
    this.#activity = activity
    this.pace = pace
  }

  put(id: string, group: string, body: Fields): { kept: Kept; made: boolean } {
    const setting = body['properties'] as Setting
    this.#check(setting, id)
    const put = this.#resources.put({ id, type: TYPE, group, fields: { ...body, kind: undefined }, busy: 0 })
    this.#run()
    return put
  }

  change(kept: Kept, { tags, properties }: { tags?: Fields; properties?: Fields }): void {
    if (properties) this.#check(properties as unknown as Setting, kept.id)
    kept.fields = {
      ...kept.fields,
      ...(tags && { tags }),
      ...(properties && { properties: { ...(kept.fields['properties'] as Fields), ...properties } }),
    }
  }

  fields(kept: Kept): Fields {
    const { properties, ...rest } = kept.fields
    return {
      id: kept.id,
      name: kept.name,
      type: TYPE,
      ...rest,
      properties: { enabled: true, notifications: [], name: kept.name, ...(properties as Fields) },
    }
  }

  /** Looks at every setting once. */
  tick(): void {
    this.ticks += 1
    this.#resources.settle()
    for (const kept of this.#resources.ofType(TYPE)) if (kept.deleting === undefined) this.#act(kept)
  }

  #run(): void {
    if (this.#running) return
    this.#running = true
    const { clock, random } = this.#world()
    const [least, most] = this.pace
    clock.at(clock.now() + least + random() * (most - least), () => {
      this.#running = false
      this.tick()
      if (this.#resources.ofType(TYPE).length > 0) this.#run()
    })
  }

  #act(kept: Kept): void {
    const setting = kept.fields['properties'] as Setting
    const set = this.#sets.find(setting.targetResourceUri)
    const profile = setting.enabled === false ? undefined : this.#counting(setting.profiles)
    if (!set || !profile || set.kept.deleting !== undefined || !set.settled) return
    const [least, most] = [Number(profile.capacity.minimum), Number(profile.capacity.maximum)]
    const now = set.capacity
    const wanted = Math.min(most, Math.max(least, now))
    if (wanted === now) return
    this.#scale(kept, set, now, wanted)
  }

  #scale(kept: Kept, set: ScaleSet, from: number, to: number): void {
    const verb = to > from ? 'Scaleup' : 'Scaledown'
    const operation = `Microsoft.Insights/AutoscaleSettings/${verb}/Action`
    const said = `The autoscale engine attempting to scale resource '${set.id}' from ${from} instances count to ${to} instances count.`
    this.#activity().note({ operation, id: kept.id, status: 'Succeeded', category: 'Autoscale', said })
    try {
      this.#sets.resize(set, to)
    } catch (error) {
      if (!(error instanceof ArmFault)) throw error
      this.#activity().note({
        operation: `Microsoft.Insights/AutoscaleSettings/${verb}Result/Action`,
        id: kept.id,
        status: 'Failed',
        category: 'Autoscale',
        error: error.error,
      })
    }
  }

  /** The first profile whose fixed dates include now, otherwise the one without any. */
  #counting(profiles: readonly Profile[]): Profile | undefined {
    const now = this.#world().clock.now()
    const holds = ({ fixedDate }: Profile): boolean =>
      fixedDate !== undefined && Date.parse(fixedDate.start) <= now && now < Date.parse(fixedDate.end)
    return profiles.find(holds) ?? profiles.find(({ fixedDate, recurrence }) => fixedDate === undefined && recurrence === undefined)
  }

  #check({ profiles, targetResourceUri }: Setting, id: string): void {
    const refuse = (message: string): ArmFault => new ArmFault(400, 'InvalidAutoscaleSetting', message)
    if (profiles.length === 0 || profiles.length > MOST_PROFILES) throw refuse(`There must be 1 to ${MOST_PROFILES} profiles.`)
    if (new Set(profiles.map(({ name }) => name)).size < profiles.length) throw refuse('Names of profiles must differ.')
    const other = this.#resources.ofType(TYPE).find((one) => {
      const { targetResourceUri: target } = one.fields['properties'] as Setting
      return one.id.toLowerCase() !== id.toLowerCase() && target.toLowerCase() === targetResourceUri.toLowerCase()
    })
    if (other) throw new ArmFault(409, 'Conflict', `The resource ${targetResourceUri} has an autoscale setting already: ${other.id}.`)
    for (const { name, capacity, fixedDate } of profiles) {
      const [least, most, usual] = [capacity.minimum, capacity.maximum, capacity.default].map(Number)
      const whole = [least, most, usual].every((one) => Number.isInteger(one) && (one ?? -1) >= 0)
      if (!whole || least === undefined || most === undefined || usual === undefined || least > usual || usual > most)
        throw refuse(`The capacity of profile '${name}' is not valid: minimum <= default <= maximum must hold.`)
      // A real refusal of a capacity, in the same form: https://github.com/microsoft/onefuzz/issues/2249
      const zero =
        (this.refusesZero === 'maximum' && most === 0 && 'maximum') ||
        (this.refusesZero === 'default' && usual === 0 && !fixedDate && 'default') ||
        (this.refusesZero === 'any' && least === 0 && 'minimum')
      if (zero) throw refuse(`The ${zero} capacity value '0' that you specified in the autoscale setting is not greater than 0.`)
      if (
        fixedDate &&
        !(Date.parse(fixedDate.end) > Date.parse(fixedDate.start) && Date.parse(fixedDate.end) - Date.parse(fixedDate.start) <= YEAR)
      )
        throw refuse(`The dates of profile '${name}' are not valid.`)
      // Without an offset, dates are local to the named zone, which is always UTC in the lab.
      if (fixedDate && (fixedDate.timeZone ?? 'UTC') !== 'UTC') throw new Error('the lab knows no time zone but UTC')
    }
  }
}
