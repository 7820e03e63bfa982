/**
 * Why a machine could not be made, in the vendor's codes and sentences:
 * https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation
 */
import type { Group } from '../vm/simulation/group.ts'
import type { Reason } from '../vm/simulation/types.ts'
import { PROJECT } from './catalogue.ts'
import type { Fields } from './discovery.ts'

/** `CODE: sentence`, from whoever refuses a launch. */
const SAID = /^([A-Z_]+): (.*)$/s

/** A lack of capacity is reported with two codes: with and without details. */
export function errorOf({ kind, market, zone, said }: Reason, group: Group): Fields {
  const [, code, sentence] = SAID.exec(said ?? '') ?? []
  if (code !== undefined) return { code, message: sentence }
  const { region, world } = group
  if (kind === 'quota') {
    const limit = world.supply.quota(region, market)
    return { code: 'QUOTA_EXCEEDED', message: `Quota '${metricOf(market)}' exceeded.  Limit: ${limit.toFixed(1)} in region ${region}.` }
  }
  if (kind === 'invalid' || kind === 'denied') return { code: 'INVALID_FIELD_VALUE', message: said ?? 'The request is not valid.' }
  const where = `projects/${PROJECT}/zones/${zone}`
  return market === 'spot'
    ? {
        code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
        message: `The zone '${where}' does not have enough resources available to fulfill the request.  '(resource type:compute)'.`,
      }
    : {
        code: 'ZONE_RESOURCE_POOL_EXHAUSTED',
        message: `The zone '${where}' does not have enough resources available to fulfill the request.  Try a different zone, or try again later.`,
      }
}

/** https://cloud.google.com/compute/resource-usage#cpu_quota */
const metricOf = (market: Reason['market']): string => (market === 'spot' ? 'PREEMPTIBLE_CPUS' : 'CPUS')
