/**
 * Many commands on one name. `npm run test:storm -- --rounds N` plays N rounds of each kind, from a seed that it prints; a failed round prints its
 * seed and keeps its folder.
 */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { ALL_PLAYS, PLAYS, playRounds, type Rounds } from './crowd.ts'
import { crowdedCloud } from './crowd-cloud.ts'
import { crowdedHouse } from './crowd-house.ts'
import { buildProgram, type Program } from './program.ts'
import { roundsOr, SEED } from './random.ts'

// A violation is a fault, however rare: no second try.
jest.retryTimes(0)

const LIMIT = 120 * 60_000
const asked = process.env['TPI_CROWD_KINDS']?.split(',')
const played = (usual: number, plays: Readonly<Record<string, unknown>>): Rounds => ({
  kinds: Object.keys(plays).filter((kind) => asked?.includes(kind) ?? true),
  rounds: roundsOr(usual),
  seed: SEED,
  sideBySide: Number(process.env['TPI_STORM_PARALLEL'] ?? 4),
})
const title = ({ kinds, rounds, seed }: Rounds): string => `${rounds} rounds each of ${kinds.join(', ')} from seed ${seed}`

describe('processes of this host', () => {
  let program: Program
  beforeAll(async () => {
    program = await buildProgram()
  })
  afterAll(() => program.remove())

  const rounds = played(3, PLAYS)
  test(title(rounds), async () => expect(await playRounds(async (name) => crowdedHouse(program, name), rounds)).toEqual([]), LIMIT)
})

describe('controllers in memory, on the awkward cloud', () => {
  const rounds = played(4, ALL_PLAYS)
  test(title(rounds), async () => expect(await playRounds(crowdedCloud, rounds)).toEqual([]), LIMIT)
})
