/** How a command of a crowd may end, depending on what hit it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT } from '../../src/core/exit-codes.ts'
import type { BlowName } from './crowd.ts'
import type { Ended } from './house.ts'

/** How a command ended, and what hit it meanwhile. */
export interface Heard extends Ended {
  readonly folder: string
  /** The blow that really hit it. */
  readonly hit: Exclude<BlowName, 'SIGCONT'> | undefined
  readonly isStarved: boolean
}

/** The parts of a scene that judging needs. */
interface Judging {
  /** Exit code of the script. */
  readonly exitCode: number
  readonly faults: string[]
}

/** What must be true of each command, whatever happened to the others. */
export async function judge(
  { exitCode, faults }: Judging,
  words: readonly string[],
  { code, err, facts, folder, hit }: Heard,
): Promise<void> {
  const fault = (what: string): void => void faults.push(`${words.slice(0, 3).join(' ')}: ${what}; ${err.trim().slice(-400)}`)
  if (code === 70) fault('calls itself a bug')
  if (typeof code === 'string' && (hit === undefined || hit === 'SIGSTOP')) fault(`ended by ${code}: past its bound`)
  const ends = ['task', 'collect'].includes(words[0] ?? '') && typeof code === 'number' && !words.includes('--detach')
  if (!ends || hit === 'SIGTERM') return
  const outcome: unknown = facts?.outcome
  if (outcome === 'script-failed' && code !== exitCode && code !== 76) fault(`ended with ${code}, the script with ${exitCode}`)
  if (outcome === 'success' && code === 0 && (await readFile(join(folder, 'result'), 'utf8').catch(() => 'nothing')) !== 'done\n')
    fault('says 0, and has delivered nothing')
}

/** For commands that all want the same results. */
export function judgeEach({ exitCode, faults }: Judging, all: readonly Heard[]): void {
  for (const one of all)
    if (!mayEndSo(one, all, exitCode))
      faults.push(`${one.hit ?? 'unharmed'}, it ended with ${one.code}: ${endsOf(all)}; ${one.err.trim().slice(-400)}`)
  // A killed command may have had the results, and a stop ends the run for all.
  const isThrough = all.some(({ code, hit }) => code === exitCode || hit === 'SIGKILL' || hit === 'SIGTERM')
  if (!isThrough) faults.push(`nobody has the results: ${endsOf(all)}, the script ended with ${exitCode}`)
}

const endsOf = (all: readonly Heard[]): string => all.map(({ code, hit }) => (hit ? `${code} (${hit})` : code)).join(', ')

/** A command that comes while the run is being removed is told where its results went; a later one, how the run ended. */
const isLate = ({ code, err }: Ended): boolean =>
  (code === EXIT.remote && err.includes('nothing is lost')) || (code === EXIT.invalid && err.includes('is gone; it ended as'))

/** Other commands undid its start. */
export const isOvertaken = ({ code, err }: Ended): boolean =>
  code === EXIT.remote && /was taken over while this command stood still|was removed while it was being created/.test(err)

/** Each is judged by what hit it. What hit others is an excuse only for an end that they had requested. */
function mayEndSo(one: Heard, all: readonly Heard[], exitCode: number): boolean {
  const { code, hit, isStarved } = one
  if (code === exitCode || isLate(one)) return true
  if (hit === 'SIGKILL') return code === 'SIGKILL'
  if (hit === 'SIGTERM') return code === EXIT.terminated || code === EXIT.stopped || code === 'SIGTERM'
  if ((hit === 'SIGSTOP' || isStarved) && isOvertaken(one)) return true
  return code === EXIT.stopped && all.some((other) => other.hit === 'SIGTERM')
}
