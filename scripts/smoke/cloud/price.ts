/** What the checks of a cloud may cost: known before anything is made, from the product's own plan. */
import type { Commands } from '../commands.ts'

/** USD, of both runs. */
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

/** `seconds`: of the longer run. `said`: USD per hour and machine, by the user. Throws where it could cost more than `MOST`, or nobody knows. */
export async function priceOf(commands: Commands, words: readonly string[], seconds: number, said: string | undefined): Promise<Price> {
  const asked = ['plan', ...words, '--parallelism', '2', '--timeout', `${seconds}s`, '--json', '--script', 'true']
  const { price } = (await commands.must(asked)).facts as Planned
  const told = said ? Number(said) * 2 * (seconds / 3600 + 1) : (price?.worst ?? NaN)
  if (!(told >= 0))
    throw new Error('what these machines cost at most is not known: nothing was made. SMOKE_PRICE says it, in USD per hour and machine')
  // The other run has one machine, and for less time.
  const worst = Number((told * 1.5).toFixed(3))
  if (worst > MOST)
    throw new Error(`it could cost ${worst} USD, and may cost ${MOST}: nothing was made. TPI_MACHINE names smaller machines`)
  return { worst, ...(price && { hour: Number((price.hour / 2).toFixed(4)) }) }
}
