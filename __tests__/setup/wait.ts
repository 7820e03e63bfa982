/** Loops that wait for something real. They do not need jest, so benches use them too. */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { PATIENCE } from './patience.ts'

export interface Patience {
  /** Milliseconds on a calm machine. */
  readonly limit: number
  /** Milliseconds between two tries. */
  readonly every: number
}

/**
 * Many asks start a process, and tests that wait side by side must not keep the processors from what they wait for: after each ask, a wait rests four
 * times as long as the ask took, but never longer than this. Milliseconds.
 */
const LONGEST_PAUSE = 2000

/** Tries until the answer is not `undefined`. `complain`: makes the error if the time is over. */
export async function answered<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { limit, every }: Patience,
  complain: () => Error,
): Promise<T> {
  const end = performance.now() + limit * PATIENCE
  for (;;) {
    const began = performance.now()
    const answer = await ask()
    if (answer !== undefined) return answer
    const now = performance.now()
    if (now > end) throw complain()
    await sleep(Math.max(every, Math.min(4 * (now - began), LONGEST_PAUSE)))
  }
}

/** Waits until `check` holds; the error says what it was about. */
export async function until(what: string, check: () => Promise<boolean> | boolean, limit = 30_000): Promise<void> {
  const complain = (): Error => new Error(`waited ${limit * PATIENCE} ms in vain until ${what}`)
  await answered(async () => (await check()) || undefined, { limit, every: 50 }, complain)
}

/** Waits until `look` gives the wanted value; the error shows the difference. */
export async function untilSame<T>(what: string, look: () => Promise<T>, wanted: T, limit?: number): Promise<void> {
  let seen: T | undefined
  try {
    await until(what, async () => isDeepStrictEqual((seen = await look()), wanted), limit)
  } catch (error) {
    deepStrictEqual(seen, wanted)
    throw error
  }
}
