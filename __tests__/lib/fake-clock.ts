/** A clock that a test moves by hand. */
import type { Clock } from '../../src/core/cloud.ts'

export interface FakeClock extends Clock {
  /** Moves both clocks forward, and wakes all sleepers that are due, in order. */
  advance(milliseconds: number): Promise<void>
  /** Moves only the wall clock: a jump. */
  jump(milliseconds: number): void
  /** The number of sleepers now. */
  readonly sleepers: number
}

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/** With `auto`, every sleep moves the clock, so that waiting code runs through at once. */
export function fakeClock(start = '2030-01-01T00:00:00.000Z', options: { readonly auto?: boolean } = {}): FakeClock {
  let now = 0
  let wall = Date.parse(start)
  let sleepers: Sleeper[] = []

  async function advance(milliseconds: number): Promise<void> {
    const end = now + milliseconds
    for (;;) {
      const next = sleepers.filter((sleeper) => sleeper.due <= end).toSorted((a, b) => a.due - b.due)[0]
      const to = Math.max(now, next?.due ?? end)
      wall += to - now
      now = to
      if (next === undefined) return
      sleepers = sleepers.filter((sleeper) => sleeper !== next)
      next.wake()
      // Lets the woken code run, and perhaps sleep again, before time goes on.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const sleeper = { due: now + milliseconds, wake }
      const aborted = (): void => {
        sleepers = sleepers.filter((other) => other !== sleeper)
        reject(signal?.reason)
      }
      function wake(): void {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }
      sleepers.push(sleeper)
      signal?.addEventListener('abort', aborted)
      if (options.auto) setImmediate(() => void advance(Math.max(0, sleeper.due - now)))
    })
  }

  return {
    now: () => now,
    date: () => new Date(wall),
    sleep,
    advance,
    jump: (milliseconds) => {
      wall += milliseconds
    },
    get sleepers() {
      return sleepers.length
    },
  }
}
