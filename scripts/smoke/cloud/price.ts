/** What the checks of a cloud may cost: known before anything is made, from the product's own plan. */
import type { Commands } from '../commands.ts'

/** USD, of all runs. */
export const MOST = 1

export interface Price {
  /** Of one machine, as it is now; absent where the cloud does not tell. */
  readonly hour?: number
  /** If every machine worked until nothing of it may run any more. */
  readonly worst: number
}

interface Planned {
  readonly price?: { readonly hour: number; readonly worst: number | null } | null
}

/** Of the two runs that all clouds have. */
const MACHINES = 3

interface Asked {
  /** For `tpi plan`. */
  readonly words: readonly string[]
  /** Of the longest run. */
  readonly seconds: number
  /** USD per hour and machine, by the user. */
  readonly said: string | undefined
  /** Machines besides those of the two runs. */
  readonly more: number
}

/** Throws where it could cost more than `MOST`, or nobody knows. */
export async function priceOf(commands: Commands, { words, seconds, said, more }: Asked): Promise<Price> {
  const asked = ['plan', ...words, '--parallelism', '2', '--timeout', `${seconds}s`, '--json', '--script', 'true']
  const { price } = (await commands.must(asked)).facts as Planned
  const reported = said ? Number(said) * 2 * (seconds / 3600 + 1) : (price?.worst ?? NaN)
  if (!(reported >= 0))
    throw new Error('what these machines cost at most is not known: nothing was made. SMOKE_PRICE says it, in USD per hour and machine')
  // The other runs have less time.
  const worst = Number(((reported / 2) * (MACHINES + more)).toFixed(3))
  if (worst > MOST)
    throw new Error(`it could cost ${worst} USD, and may cost ${MOST}: nothing was made. TPI_MACHINE names smaller machines`)
  return { worst, ...(price && { hour: Number((price.hour / 2).toFixed(4)) }) }
}
