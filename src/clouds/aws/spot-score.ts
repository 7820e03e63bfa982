/** How likely it is that spot machines are to be had, here and elsewhere: the vendor's own score of the moment, from 1 to 10. */
import type { Check } from '../../core/check.ts'
import { AuthError, QuotaError } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { GetSpotPlacementScoresCommand } from './sdk.ts'

const WHAT = 'spot score'
/** Of so many and fewer machines are often taken back, or not to be had. */
const LOW = 4
/** Regions that are named besides. */
const NAMED = 3

/** Of the ten best regions: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/how-sps-works.html */
export async function spotScore(api: Api, types: readonly string[]): Promise<string | Check> {
  try {
    const asked = { InstanceTypes: [...types], TargetCapacity: 1, MaxResults: 10 }
    const { SpotPlacementScores: scores = [] } = await api.call('look for spot placement scores', () =>
      api.ec2.send(new GetSpotPlacementScoresCommand(asked)),
    )
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
      hint: `name another region, as long as nothing runs under that name: --region ${best.Region}`,
    }
  } catch (error) {
    if (error instanceof AuthError) return { what: WHAT, state: 'warning', says: 'you may not ask for spot placement scores' }
    // So many different questions a day.
    if (error instanceof QuotaError) return { what: WHAT, state: 'warning', says: 'AWS answers no more of these questions today' }
    throw error
  }
}
