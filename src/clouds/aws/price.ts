/** What a machine of a group costs, as the market of the moment has it. */
import type { Api } from './api.ts'
import { type AutoScalingGroup, DescribeSpotPriceHistoryCommand } from './sdk.ts'

/** USD per hour, of the dearest machine that is there, else of the cheapest that may come. `undefined`: not known. */
export async function priceNow(api: Api, groups: readonly AutoScalingGroup[], now: Date): Promise<number | undefined> {
  const full = groups.filter((group) => !isSpot(group))
  // Whoever is in there costs a price that is not of the market.
  if (full.some(({ Instances = [] }) => Instances.length > 0)) return undefined
  const [group] = groups.filter(isSpot)
  return group && spotPrice(api, group, now)
}

const isSpot = ({ MixedInstancesPolicy }: AutoScalingGroup): boolean =>
  MixedInstancesPolicy?.InstancesDistribution?.OnDemandPercentageAboveBaseCapacity === 0

async function spotPrice(api: Api, group: AutoScalingGroup, now: Date): Promise<number | undefined> {
  const { LaunchTemplate } = group.MixedInstancesPolicy ?? {}
  const present = (group.Instances ?? []).flatMap(({ InstanceType }) => InstanceType ?? [])
  const types = present.length > 0 ? present : (LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? [])
  const zones = new Set((group.Instances ?? []).flatMap(({ AvailabilityZone }) => AvailabilityZone ?? []))
  if (types.length === 0) return undefined
  const { SpotPriceHistory = [] } = await api.call('look for spot prices', () =>
    api.ec2.send(
      new DescribeSpotPriceHistoryCommand({
        InstanceTypes: [...new Set(types)] as ['m5.large'],
        ProductDescriptions: ['Linux/UNIX'],
        // The price that holds now is the one of this moment.
        StartTime: now,
      }),
    ),
  )
  const prices = SpotPriceHistory.filter(({ AvailabilityZone = '' }) => zones.size === 0 || zones.has(AvailabilityZone))
    .map(({ SpotPrice }) => Number(SpotPrice))
    .filter((price) => price > 0)
  if (prices.length === 0) return undefined
  return present.length > 0 ? Math.max(...prices) : Math.min(...prices)
}
