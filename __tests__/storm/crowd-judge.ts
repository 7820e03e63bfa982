/** What a command of a crowd may come to, by what befell it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT } from '../../src/core/exit-codes.ts'
import type { BlowName } from './crowd.ts'
import type { Ended } from './house.ts'

/** What a command has come to, and what befell it meanwhile. */
export interface Heard extends Ended {
  readonly folder: string
  /** What has really hit it. */
  readonly hit: Exclude<BlowName, 'SIGCONT'> | undefined
  readonly isStarved: boolean
}

/** As a scene has it. */
interface Judging {
  /** What the script ends with. */
  readonly exitCode: number
  readonly faults: string[]
}

/** What must hold of each command, whatever became of the others. */
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

/** Of commands that all want the same results. */
export function judgeEach({ exitCode, faults }: Judging, all: readonly Heard[]): void {
  for (const one of all)
    if (!mayEndSo(one, all, exitCode))
      faults.push(`${one.hit ?? 'unharmed'}, it ended with ${one.code}: ${endsOf(all)}; ${one.err.trim().slice(-400)}`)
  // Whoever was killed may have been through, and a stop ends it for all.
  const isThrough = all.some(({ code, hit }) => code === exitCode || hit === 'SIGKILL' || hit === 'SIGTERM')
  if (!isThrough) faults.push(`nobody has the results: ${endsOf(all)}, the script ended with ${exitCode}`)
}

const endsOf = (all: readonly Heard[]): string => all.map(({ code, hit }) => (hit ? `${code} (${hit})` : code)).join(', ')

/** Who comes as the others' run is given back is told where its results went; who comes after that, how it has ended. */
const isLate = ({ code, err }: Ended): boolean =>
  (code === EXIT.remote && err.includes('nothing is lost')) || (code === EXIT.invalid && err.includes('is gone; it ended as'))

/** Its start was undone by others. */
export const isOvertaken = ({ code, err }: Ended): boolean =>
  code === EXIT.remote && /was taken over while this command stood still|was removed while it was being created/.test(err)

/** Each by what befell it: what befell others excuses nothing but an end that they had asked for. */
function mayEndSo(one: Heard, all: readonly Heard[], exitCode: number): boolean {
  const { code, hit, isStarved } = one
  if (code === exitCode || isLate(one)) return true
  if (hit === 'SIGKILL') return code === 'SIGKILL'
  if (hit === 'SIGTERM') return code === EXIT.terminated || code === EXIT.stopped || code === 'SIGTERM'
  if ((hit === 'SIGSTOP' || isStarved) && isOvertaken(one)) return true
  return code === EXIT.stopped && all.some((other) => other.hit === 'SIGTERM')
}
