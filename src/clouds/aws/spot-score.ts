/** The chance of getting spot machines, here and in other regions: the vendor's current score, from 1 to 10. */
import type { Check } from '../../core/check.ts'
import { AuthError, QuotaError } from '../../core/errors.ts'
import type { Api } from './api.ts'
import type { Placement } from './placement.ts'
import { GetSpotPlacementScoresCommand, type SpotPlacementScore } from './sdk.ts'

const WHAT = 'spot score'
/** With this score or a lower one, machines are often reclaimed or not available. */
const LOW = 4
/** Number of other regions that are named. */
const NAMED = 3

/** Regions, the best score first; equal scores stay in order, and regions without a score come last. */
export async function byScore(api: Api, { types }: Pick<Placement, 'types'>, regions: readonly string[]): Promise<readonly string[]> {
  const found = await scoresOf(api, types, { RegionNames: [...regions] })
  const scores = new Map(found.map(({ Region = '', Score = 0 }) => [Region, Score]))
  const scoreOf = (region: string): number => scores.get(region) ?? 0
  return regions.toSorted((one, other) => scoreOf(other) - scoreOf(one))
}

/** What the scores of the ten best regions say about this one. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/how-sps-works.html */
export async function spotScore(api: Api, types: readonly string[]): Promise<string | Check> {
  try {
    const scores = await scoresOf(api, types, { MaxResults: 10 })
    const here = scores.find(({ Region }) => Region === api.region)?.Score
    const better = scores.filter(({ Region, Score = 0 }) => Region !== api.region && Score > (here ?? 0)).slice(0, NAMED)
    const elsewhere = better.map(({ Region, Score }) => `${Region} has ${Score}`).join(', ')
    const says = `${here === undefined ? 'not among the ten best regions' : `${here} of 10`}${elsewhere && `; ${elsewhere}`}`
    const [best] = better
    if (best === undefined || (here ?? 0) > LOW) return says
    return {
      what: WHAT,
      state: 'warning',
      says,
      hint: `let a task start where its machines are more likely: --region ${api.region},${best.Region}`,
    }
  } catch (error) {
    if (error instanceof AuthError) return { what: WHAT, state: 'warning', says: 'you are not allowed to ask for spot placement scores' }
    // AWS limits the number of different requests per day.
    if (error instanceof QuotaError) return { what: WHAT, state: 'warning', says: 'AWS does not answer any more such requests today' }
    throw error
  }
}

async function scoresOf(
  api: Api,
  types: readonly string[],
  more: { readonly RegionNames: string[] } | { readonly MaxResults: number },
): Promise<readonly SpotPlacementScore[]> {
  const asked = { InstanceTypes: [...types], TargetCapacity: 1, ...more }
  const { SpotPlacementScores = [] } = await api.call('look for spot placement scores', () =>
    api.ec2.send(new GetSpotPlacementScoresCommand(asked)),
  )
  return SpotPlacementScores
}
