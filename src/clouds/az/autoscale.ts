/**
 * The autoscale setting of a set brings machines back that were taken away, and ends all of them at the deadline (`deadline.ts`).
 * https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */
import { RemoteError } from '../../core/errors.ts'
import type { StandbyPlan } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { deadlineProfiles } from './deadline.ts'
import { twinName } from './names.ts'
import { begun, ended, isEnded, keeping, putOff } from './profiles.ts'
import type { AutoscaleProfile, AutoscaleSetting } from './sdk.ts'
import { tagsFor } from './tags.ts'
import { idIn, type TemplateParams } from './template.ts'

/** `name`: of the set. `most`: machines that may stay once it is over (`deadlineProfiles`). */
export function settingInput(params: TemplateParams, name: string, most: 0 | 1): AutoscaleSetting {
  const { tags } = params.spec
  return {
    location: params.placement.region,
    tags: tagsFor(tags),
    properties: {
      enabled: true,
      targetResourceUri: idIn(params, 'Microsoft.Compute/virtualMachineScaleSets', name),
      profiles: deadlineProfiles(tags, name === twinName(tags), most),
    },
  }
}

/** A machine that leaves may write what it has read just before: a process that ends the group looks again, this often, and with every look at the group. */
const LOOKS = 3

type Change = (profiles: readonly AutoscaleProfile[]) => readonly AutoscaleProfile[]

export class Keeper {
  readonly #api: Api
  readonly #path: Readonly<Record<string, string>>
  readonly #name: string
  /** As this process made it. */
  #made: AutoscaleSetting | undefined
  /** As a list had it. */
  #seen: AutoscaleSetting | undefined
  /** This process wants none any more. */
  #ended = false

  /** `name`: of the set, too. `group`: resource group. */
  constructor(api: Api, name: string, group: string) {
    this.#api = api
    this.#name = name
    this.#path = { group, name }
  }

  knows(setting: AutoscaleSetting): void {
    this.#made = setting
  }

  /** Of what is ended nothing else matters. */
  saw(setting: AutoscaleSetting): void {
    this.#seen = setting
  }

  /** As it is. A process that has ended the group, and waits for its machines to go, ends it again where one of them has written since. */
  async look(): Promise<AutoscaleSetting | undefined> {
    const setting = await this.#find()
    if (!this.#ended || !setting || isEnded(setting.properties.profiles)) return setting
    await this.end()
    return this.#find()
  }

  async #find(): Promise<AutoscaleSetting | undefined> {
    return this.#api.maybe('settings.get', `look for the autoscale setting ${this.#name}`, { path: this.#path })
  }

  /** `false`: there is none any more, or it is ended, which is for good. It is changed, never made anew: a removal is meant. */
  async keep(count: number): Promise<boolean> {
    this.#ended = count === 0
    if (this.#ended) this.#made = undefined
    const setting = this.#made ?? (count === 0 ? this.#seen : undefined) ?? (await this.#find())
    if (setting === undefined) return false
    if (count === 0) return this.#write(setting, 'keep none', ended)
    return !isEnded(setting.properties.profiles) && this.#write(setting, `keep ${count}`, (profiles) => keeping(profiles, count))
  }

  /** Of machines that come unless that is put off. `now`: by the clock of the command. */
  async postpone({ wait, end }: StandbyPlan, count: number, now: number): Promise<void> {
    const setting = this.#made ?? (await this.#find())
    if (!setting || isEnded(setting.properties.profiles)) return
    await this.#write(setting, `wait for ${count}`, (profiles) => putOff(profiles, { end, count }, wait * 1000, now))
  }

  /** Of machines that were to come and have, even if some have left since. What is to come later stays as it is. */
  async resume(count: number, now: number): Promise<void> {
    const setting = await this.#find()
    if (!setting || isEnded(setting.properties.profiles)) return
    await this.#write(setting, `keep ${count}`, (profiles) => keeping(begun(profiles, now), count))
  }

  /** Nobody raises it any more, also no machine that is just leaving. */
  async end(): Promise<void> {
    for (let look = 1; look <= LOOKS; look += 1) {
      const setting = await this.#find()
      if (!setting || isEnded(setting.properties.profiles)) return
      if (!(await this.#write(setting, 'keep none', ended))) return
    }
    throw new RemoteError(`az: the autoscale setting ${this.#name} keeps being changed by others`, { retryable: true })
  }

  /**
   * `AutoscaleSettings_Update` takes all of `properties` (`AutoscaleSettingResourcePatch` in the vendor's specification), though its page speaks of tags
   * alone. Creating would bring back what another command has removed. The vendor promises no `ETag`.
   */
  async #write({ properties: { enabled, targetResourceUri, profiles } }: AutoscaleSetting, what: string, change: Change): Promise<boolean> {
    const tried = `have the autoscale setting ${this.#name} ${what}`
    const body = { properties: { enabled, targetResourceUri, profiles: change(profiles) } }
    return (await this.#api.maybeAnswer('settings.patch', tried, { path: this.#path, body })) !== undefined
  }
}
