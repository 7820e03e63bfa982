/**
 * The autoscale setting of a set brings machines back that were taken away, and ends all of them at the deadline (`deadline.ts`).
 * https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */
import type { Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { deadlineProfiles, OPEN } from './deadline.ts'
import { groupName } from './names.ts'
import type { AutoscaleProfile, AutoscaleSetting } from './sdk.ts'
import { tagsFor } from './tags.ts'
import { idIn, type Plan } from './template.ts'

/** `most`: machines that may stay once it is over (`deadlineProfiles`). */
export function settingInput(plan: Plan, most: 0 | 1): AutoscaleSetting {
  const { spec, placement } = plan
  const name = groupName(spec.tags)
  return {
    location: placement.region,
    tags: tagsFor(spec.tags),
    properties: {
      enabled: true,
      targetResourceUri: idIn(plan, 'Microsoft.Compute/virtualMachineScaleSets', name),
      profiles: deadlineProfiles(spec.tags, most),
    },
  }
}

/** How many machines it keeps. */
export function keptBy(setting: AutoscaleSetting, now: Date): number {
  const open = openIn(setting)
  return !open || now.getTime() >= Date.parse(open.fixedDate?.end ?? '') ? 0 : Number(open.capacity.minimum)
}

const isEnded = (setting: AutoscaleSetting): boolean => openIn(setting) === undefined
const openIn = ({ properties: { profiles } }: AutoscaleSetting): AutoscaleProfile | undefined => profiles.find(({ name }) => name === OPEN)

/** A machine that leaves may write what it has read just before: whoever ends the group looks again, this often, and with every look at the group. */
const LOOKS = 3

export class Keeper {
  readonly #api: Api
  readonly #path: Readonly<Record<string, string>>
  readonly #name: string
  /** As this process made it. */
  #made: AutoscaleSetting | undefined
  /** This process wants none any more. */
  #ended = false

  constructor(api: Api, of: Reference, group: string) {
    this.#api = api
    this.#name = groupName(of)
    this.#path = { group, name: this.#name }
  }

  knows(setting: AutoscaleSetting): void {
    this.#made = setting
  }

  /** As it is. Whoever has ended the group, and waits for its machines to go, ends it again where one of them has written since. */
  async look(): Promise<AutoscaleSetting | undefined> {
    const setting = await this.#find()
    if (!this.#ended || !setting || isEnded(setting)) return setting
    await this.end()
    return this.#find()
  }

  async #find(): Promise<AutoscaleSetting | undefined> {
    return this.#api.maybe('settings.get', `look for the autoscale setting ${this.#name}`, { path: this.#path })
  }

  /** `false`: there is none any more, or it is ended, which is for good. It is changed, never made anew: whoever removes it means that. */
  async keep(count: number): Promise<boolean> {
    this.#ended = count === 0
    if (this.#ended) this.#made = undefined
    const setting = this.#made ?? (await this.#find())
    return setting !== undefined && (count === 0 || !isEnded(setting)) && this.#write(setting, count)
  }

  /** Nobody raises it any more, also no machine that is just leaving. */
  async end(): Promise<void> {
    for (let look = 1; look <= LOOKS; look += 1) {
      const setting = await this.#find()
      if (!setting || isEnded(setting)) return
      if (!(await this.#write(setting, 0))) return
    }
    throw new RemoteError(`az: the autoscale setting ${this.#name} is being changed by others all the time`, { retryable: true })
  }

  /**
   * `AutoscaleSettings_Update` takes all of `properties` (`AutoscaleSettingResourcePatch` in the vendor's specification), though its page speaks of tags
   * alone. Creating would bring back what somebody has removed. The vendor promises no `ETag`.
   */
  async #write({ properties: { enabled, targetResourceUri, profiles } }: AutoscaleSetting, count: number): Promise<boolean> {
    const said = String(count)
    const changed = profiles.flatMap((one) => {
      if (one.name !== OPEN) return [one]
      const maximum = String(Math.max(Number(one.capacity.maximum), count))
      return count === 0 ? [] : [{ ...one, capacity: { minimum: said, maximum, default: said } }]
    })
    const tried = `have the autoscale setting ${this.#name} keep ${count}`
    const body = { properties: { enabled, targetResourceUri, profiles: changed } }
    return (await this.#api.maybeAnswer('settings.patch', tried, { path: this.#path, body })) !== undefined
  }
}
