/**
 * The storm: seeded rounds in which processes die, freeze and meet each other; each is judged at its end (`round.ts`).
 * `npm run test:storm -- --rounds N --seed S` changes how many and which; a failed round prints its seed and keeps its folder.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { buildProgram, type Program } from './program.ts'
import { roundsOr, SEED } from './random.ts'
import { playRound, type Verdict } from './round.ts'
import { sideBySide } from './side-by-side.ts'

// A violation is a fault, however rare: no second try.
jest.retryTimes(0)

const ROUNDS = roundsOr(30)
/** Rounds at a time: they mostly wait. */
const SIDE_BY_SIDE = Number(process.env['TPI_STORM_PARALLEL'] ?? 9)

let program: Program
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())

test(
  `${ROUNDS} rounds from seed ${SEED}`,
  async () => {
    const mayMount = canMount()
    const failed: Verdict[] = []
    let next = SEED
    await sideBySide(SIDE_BY_SIDE, async () => {
      while (next < SEED + ROUNDS) {
        const verdict = await playRound(program, next++, mayMount)
        if (verdict.faults.length === 0) continue
        failed.push(verdict)
        process.stderr.write(`storm: TPI_STORM_SEED=${verdict.seed} TPI_STORM_ROUNDS=1 (${verdict.end}), kept in ${verdict.folder}\n`)
        process.stderr.write([...verdict.diary, ...verdict.faults].map((line) => `  ${line}\n`).join(''))
      }
    })
    expect(failed.map(({ seed, end, faults }) => ({ seed, end, faults }))).toEqual([])
  },
  60 * 60_000,
)

/** Mounting a small disk needs root. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'storm', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
