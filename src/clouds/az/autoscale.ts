/**
 * The autoscale setting of a scale set replaces machines that were reclaimed, and ends all of them at the deadline (`deadline.ts`).
 * https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */
import { RemoteError } from '../../core/errors.ts'
import type { StandbyPlan } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { deadlineProfiles, ENDINGS, type Ending } from './deadline.ts'
import { twinName } from './names.ts'
import { begun, ended, isEnded, keeping, putOff } from './profiles.ts'
import type { AutoscaleProfile, AutoscaleSetting } from './sdk.ts'
import { tagsFor } from './tags.ts'
import { idIn, type TemplateParams } from './template.ts'

/** `name`: the set's name. */
export function settingInput(params: TemplateParams, name: string, ending: Ending = ENDINGS[0]): AutoscaleSetting {
  const { tags } = params.spec
  return {
    location: params.placement.region,
    tags: tagsFor(tags),
    properties: {
      // A setting that keeps at least one machine would start it before anybody has asked for any.
      enabled: ending.least === 0,
      targetResourceUri: idIn(params, 'Microsoft.Compute/virtualMachineScaleSets', name),
      profiles: deadlineProfiles(tags, { name, isTwin: name === twinName(tags) }, ending),
    },
  }
}

/**
 * How often a process that ends the group looks whether it stays ended: a machine that is leaving may write back what it read before. It also
 * looks with every look at the group.
 */
const LOOKS = 3

type Change = (profiles: readonly AutoscaleProfile[]) => readonly AutoscaleProfile[]

export class Keeper {
  readonly #api: Api
  readonly #path: Readonly<Record<string, string>>
  readonly #name: string
  /** As this process has made it, until it ends the group. */
  #made: AutoscaleSetting | undefined
  /** As it was in a list, perhaps a while ago. */
  #seen: AutoscaleSetting | undefined
  /** This process wants no machines any more. */
  #ended = false

  /** `name`: of the set and of its setting. `group`: resource group. */
  constructor(api: Api, name: string, group: string) {
    this.#api = api
    this.#name = name
    this.#path = { group, name }
  }

  knows(setting: AutoscaleSetting): void {
    this.#made = setting
  }

  /** What a list says is good enough to end the group. */
  saw(setting: AutoscaleSetting): void {
    this.#seen = setting
  }

  /** The current setting. If this process has ended the group, and a machine has written since, it is ended again. */
  async look(): Promise<AutoscaleSetting | undefined> {
    const setting = await this.#find()
    if (!this.#ended || !setting || isEnded(setting.properties.profiles)) return setting
    await this.end()
    return this.#find()
  }

  async #find(): Promise<AutoscaleSetting | undefined> {
    return this.#api.maybe('settings.get', `look for the autoscale setting ${this.#name}`, { path: this.#path })
  }

  /**
   * Keeps that many machines. `false`: the setting does not exist any more, or it is ended, which is final. A setting is changed, never made
   * anew, so that a removal stays a removal.
   */
  async keep(count: number): Promise<boolean> {
    this.#ended = false
    const setting = this.#made ?? (await this.#find())
    if (setting === undefined || isEnded(setting.properties.profiles)) return false
    return this.#write(setting, `keep ${count}`, (profiles) => keeping(profiles, count))
  }

  /** Ends the group as it was last seen in a list: one call instead of the two of `end`, which may have to correct it. */
  async endAsSeen(): Promise<void> {
    this.#ended = true
    this.#made = undefined
    const setting = this.#seen ?? (await this.#find())
    if (setting) await this.#write(setting, 'keep none', ended)
  }

  /** The twin's machines start after `wait`, unless that is postponed again. `now`: milliseconds since 1970. */
  async postpone({ wait, end }: StandbyPlan, count: number, now: number): Promise<void> {
    const setting = this.#made ?? (await this.#find())
    if (!setting || isEnded(setting.properties.profiles)) return
    await this.#write(setting, `wait for ${count}`, (profiles) => putOff(profiles, { end, count }, wait * 1000, now))
  }

  /** Keeps that many machines of a twin that has started, even if some have left since. One that has not started stays as it is. */
  async resume(count: number, now: number): Promise<void> {
    const setting = await this.#find()
    if (!setting || isEnded(setting.properties.profiles)) return
    await this.#write(setting, `keep ${count}`, (profiles) => keeping(begun(profiles, now), count))
  }

  /** Ends the group for good: afterwards nothing raises its size any more, not even a machine that is just leaving. */
  async end(): Promise<void> {
    for (let look = 1; look <= LOOKS; look += 1) {
      const setting = await this.#find()
      if (!setting || isEnded(setting.properties.profiles)) return
      if (!(await this.#write(setting, 'keep none', ended))) return
    }
    throw new RemoteError(`az: the autoscale setting ${this.#name} keeps being changed by others`, { retryable: true })
  }

  /**
   * `AutoscaleSettings_Update` accepts all of `properties` (`AutoscaleSettingResourcePatch` in the vendor's specification), though its page
   * speaks only of tags. Creating would bring back what another command has removed. The vendor promises no `ETag`.
   */
  async #write({ properties: { targetResourceUri, profiles } }: AutoscaleSetting, what: string, change: Change): Promise<boolean> {
    const tried = `have the autoscale setting ${this.#name} ${what}`
    const body = { properties: { enabled: true, targetResourceUri, profiles: change(profiles) } }
    return (await this.#api.maybeAnswer('settings.patch', tried, { path: this.#path, body })) !== undefined
  }
}
