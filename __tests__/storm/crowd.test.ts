/**
 * Many commands on one name. `npm run test:storm -- --rounds N` plays N rounds of each kind, from a seed that it prints; a round that fails prints
 * its seed and keeps its folder.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { PLAYS, playCrowd } from './crowd.ts'
import { buildProgram, type Program } from './program.ts'
import type { Verdict } from './round.ts'

// A violation is a fault, however rare: no second try.
jest.retryTimes(0)

const ROUNDS = Number(process.env['TPI_CROWD_ROUNDS'] ?? 6)
const SEED = Number(process.env['TPI_STORM_SEED'] ?? 1)
const KINDS = process.env['TPI_CROWD_KINDS']?.split(',') ?? Object.keys(PLAYS)
/** Rounds at a time: most of a round is waiting. */
const SIDE_BY_SIDE = Number(process.env['TPI_STORM_PARALLEL'] ?? 4)

let program: Program
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())

test(
  `${ROUNDS} rounds each of ${KINDS.join(', ')} from seed ${SEED}`,
  async () => {
    const failed: Verdict[] = []
    const rounds = KINDS.flatMap((kind) => Array.from({ length: ROUNDS }, (_, at) => ({ kind, seed: SEED + at })))
    const player = async (): Promise<void> => {
      for (let round = rounds.shift(); round; round = rounds.shift()) {
        const verdict = await playCrowd(program, round.kind, round.seed)
        if (verdict.faults.length === 0) continue
        failed.push(verdict)
        const say = `TPI_STORM_SEED=${verdict.seed} TPI_CROWD_ROUNDS=1 TPI_CROWD_KINDS=${verdict.end}, kept in ${verdict.folder}`
        process.stderr.write([`crowd: ${say}`, ...verdict.diary, ...verdict.faults].map((line) => `  ${line}\n`).join(''))
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
    expect(failed.map(({ seed, end, faults }) => ({ seed, end, faults }))).toEqual([])
  },
  120 * 60_000,
)
