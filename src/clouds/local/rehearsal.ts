/** Random reclaims, as of spot machines. A seed makes them repeatable. */
import { bootNow } from '../../lib/clock.ts'

export class Rehearsal {
  readonly #every: number
  readonly #random: () => number
  #next: number | undefined

  /** `every`: seconds on average. `round`: different for each supervisor of a group. */
  constructor(params: { readonly every: number; readonly seed: number }, round: number) {
    this.#every = params.every
    this.#random = generator(params.seed * 1000 + round)
  }

  /** The machine to be reclaimed now, if any. The first wait begins when there is a machine. */
  pick<T>(candidates: readonly T[], now: number = bootNow()): T | undefined {
    if (candidates.length === 0) return undefined
    if (this.#next === undefined) this.#next = now + this.#wait()
    if (now < this.#next) return undefined
    this.#next = now + this.#wait()
    return candidates[Math.floor(this.#random() * candidates.length)]
  }

  /** Milliseconds to the next one: exponentially distributed, as for independent events. */
  #wait(): number {
    return -Math.log(1 - this.#random()) * this.#every * 1000
  }
}

/** Park and Miller's generator with the multiplier 48271 (CACM 36:7, 1993): uniform in [0, 1), small and the same everywhere. */
function generator(seed: number): () => number {
  const modulus = 2 ** 31 - 1
  let state = (Math.abs(Math.trunc(seed)) % (modulus - 1)) + 1
  const next = (): number => {
    state = (state * 48_271) % modulus
    return (state - 1) / (modulus - 1)
  }
  // Small seeds give small first numbers, so some numbers are skipped.
  for (let skip = 0; skip < 8; skip += 1) next()
  return next
}
