/** The regions in which deployments are. Unless the user named some, all regions that the account has switched on are searched. */

import type { CloudContext, Found, Lost, Reference } from '../../core/cloud.ts'
import { AuthError, InputError, ifDenied } from '../../core/errors.ts'
import type { LeftOut } from '../../core/tags.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { Api } from './api.ts'
import { foundGroups } from './list.ts'
import { bucketName, groupName, isApart } from './names.ts'
import { Prices } from './price.ts'
import { GroupSizes } from './scale.ts'
import { DescribeRegionsCommand } from './sdk.ts'
import type { Settings } from './settings.ts'
import { isOurs, storeAccess } from './store.ts'

/** Access to one region, with this command's login. */
export class RegionAccess {
  readonly api: Api
  readonly sizes: GroupSizes
  readonly prices: Prices

  constructor(api: Api, context: CloudContext) {
    this.api = api
    this.sizes = new GroupSizes(api, context)
    this.prices = new Prices(api, context)
  }
}

/**
 * Regions that every account has. They are searched while the account is asked for the others. This list will not grow: regions that opened
 * after March 2019 have to be switched on.
 * https://docs.aws.amazon.com/accounts/latest/reference/manage-acct-regions.html
 */
const ALWAYS_ON =
  'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-north-1 eu-west-1 eu-west-2 eu-west-3 eu-central-1 ap-south-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-southeast-1 ap-southeast-2'.split(
    ' ',
  )

export class Regions {
  /** Where new deployments are made, and where a deployment is looked for that was not seen anywhere. */
  readonly home: RegionAccess
  readonly #context: CloudContext
  readonly #settings: Settings
  readonly #places = new Map<string, RegionAccess>()
  /** Regions in which deployments were seen, by the name of the group. */
  readonly #seen = new Map<string, RegionAccess>()
  /** Regions that the account may not use. */
  readonly #shut = new Set<string>()

  constructor(context: CloudContext, settings: Settings) {
    this.#context = context
    this.#settings = settings
    this.home = new RegionAccess(new Api(context, settings), context)
    this.#places.set(settings.region, this.home)
  }

  /** The API of the region that keeps the storage. */
  get keeper(): Api {
    return this.#at(this.#settings.regions[0]).api
  }

  of(reference: Reference): RegionAccess {
    const { region } = reference
    return region === undefined ? (this.#seen.get(groupName(reference)) ?? this.home) : this.#at(region)
  }

  /** `id`: only this deployment, in the region in which it was found or is being made. */
  async list(tell: LeftOut, lost: Lost | undefined, id: string | undefined): Promise<readonly Found[]> {
    const before = this.#shut.size
    let anyAnswered = false
    const look = async (place: RegionAccess): Promise<readonly Found[]> => {
      try {
        const seen = await this.#look(place, tell)
        anyAnswered = true
        return seen
      } catch (error) {
        const { region } = place.api
        // An account may be barred from a region. That is not a failure: tpi cannot have made anything there.
        if (error instanceof AuthError && place !== this.home) this.#shut.add(region)
        else if (lost) lost(region, error)
        else throw error
        return []
      }
    }
    const near = this.#settings.named || id !== undefined
    const own = this.#settings.regions.map((region) => this.#at(region))
    const found = near ? await Promise.all([...new Set([...own, ...this.#known(id)])].map(look)) : await this.#everywhere(look, lost)
    // If every region refuses, the region is not the reason; the error of the home region tells it.
    if (anyAnswered && this.#shut.size > before)
      this.#context.log.warn(
        `aws: these credentials are not allowed to look into ${[...this.#shut].sort().join(', ')}; --region NAME looks into one`,
      )
    return found.flat()
  }

  /** A bucket of another account, or one that these credentials may not look at, cannot have anything of this account: it is left out. */
  async otherStores(lost: Lost): Promise<readonly StoreAccess[]> {
    if (this.#settings.named) return []
    const { account } = await this.home.api.caller()
    const look = async ({ api }: RegionAccess): Promise<readonly StoreAccess[]> => {
      try {
        const { clock, env } = this.#context
        return (await isOurs(api, bucketName(account, api.region))) ? [await storeAccess({ api, clock, env })] : []
      } catch (error) {
        if (!(error instanceof InputError)) lost(api.region, error)
        return []
      }
    }
    const others = (await this.#all()).filter((place) => place !== this.home && !this.#shut.has(place.api.region))
    return (await Promise.all(others.map(look))).flat()
  }

  #known(id: string | undefined): RegionAccess[] {
    return [...this.#seen].flatMap(([name, place]) => (id !== undefined && name.startsWith(`${id}-`) ? [place] : []))
  }

  async #everywhere<T>(look: (place: RegionAccess) => Promise<T>, lost: Lost | undefined): Promise<T[]> {
    const always = isApart(this.home.api.region) ? [] : ALWAYS_ON.map((region) => this.#at(region))
    const sure = new Set([this.home, ...always])
    // Even if the others are not known, the regions that every account has are searched.
    const all = async (): Promise<RegionAccess[]> =>
      this.#all().catch((error: unknown) => {
        if (!lost) throw error
        lost('other regions', error)
        return []
      })
    const others = async (): Promise<T[]> => Promise.all((await all()).filter((place) => !sure.has(place)).map(look))
    return (await Promise.all([Promise.all([...sure].map(look)), others()])).flat()
  }

  /** The regions that are switched on; only the home region if the caller may not list them. */
  async #all(): Promise<RegionAccess[]> {
    const asked = this.home.api.call('look for regions', () => this.home.api.ec2.send(new DescribeRegionsCommand({})))
    const { Regions = [] } = await asked.catch(ifDenied({ Regions: [] }))
    return [this.home, ...Regions.flatMap(({ RegionName }) => (RegionName === undefined ? [] : [this.#at(RegionName)]))]
  }

  #at(region: string): RegionAccess {
    const place = this.#places.get(region) ?? new RegionAccess(this.home.api.elsewhere(region), this.#context)
    this.#places.set(region, place)
    return place
  }

  async #look(place: RegionAccess, tell: LeftOut): Promise<readonly Found[]> {
    const found = await foundGroups(place.api, tell)
    for (const { tags } of found) this.#seen.set(groupName(tags), place)
    return found
  }
}
