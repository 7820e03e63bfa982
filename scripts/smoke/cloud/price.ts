/** What the checks of a cloud may cost: known before anything is made, from the output of `tpi plan`. */
import type { Commands } from '../commands.ts'

/** USD, for all runs. */
export const MOST = 1

export interface Price {
  /** Per hour of one machine, at the current price; absent if the cloud does not tell. */
  readonly hour?: number
  /** If every machine worked until the hard deadline. */
  readonly worst: number
}

interface Planned {
  readonly price?: { readonly hour: number; readonly worst: number | null } | null
}

/** Machines of the two runs that all clouds have. */
const MACHINES = 3

interface Asked {
  /** Arguments for `tpi plan`. */
  readonly words: readonly string[]
  /** Timeout of the longest run. */
  readonly seconds: number
  /** USD per hour and machine, according to the user. */
  readonly said: string | undefined
  /** Machines in addition to those of the two runs. */
  readonly more: number
}

/** Throws if it could cost more than `MOST`, or if the cost is unknown. */
export async function priceOf(commands: Commands, { words, seconds, said, more }: Asked): Promise<Price> {
  const asked = ['plan', ...words, '--parallelism', '2', '--timeout', `${seconds}s`, '--json', '--script', 'true']
  const { price } = (await commands.must(asked)).facts as Planned
  const reported = said ? Number(said) * 2 * (seconds / 3600 + 1) : (price?.worst ?? NaN)
  if (!(reported >= 0))
    throw new Error('what these machines cost at most is not known: nothing was made. SMOKE_PRICE says it, in USD per hour and machine')
  // An upper bound, because the other runs have less time.
  const worst = Number(((reported / 2) * (MACHINES + more)).toFixed(3))
  if (worst > MOST)
    throw new Error(`it could cost ${worst} USD, and may cost ${MOST}: nothing was made. TPI_MACHINE names smaller machines`)
  return { worst, ...(price && { hour: Number((price.hour / 2).toFixed(4)) }) }
}
