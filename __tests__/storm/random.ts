/** Numbers that a seed decides: a round is repeated by its seed alone. */

/** Of every storm: `npm run test:storm -- --seed S` plays it again. */
export const SEED = Number(process.env['TPI_STORM_SEED'] ?? 1)

/** How many to play, where nobody asks for another number: `npm run test:storm -- --rounds N`. */
export const roundsOr = (usual: number): number => Number(process.env['TPI_STORM_ROUNDS'] ?? usual)

export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform in [from, to). */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** splitmix32: small, well mixed also for neighbouring seeds. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (from) => {
      const chosen = from[Math.floor(next() * from.length)]
      if (chosen === undefined) throw new RangeError('nothing to pick from')
      return chosen
    },
  }
}

/** Of what takes minutes with each of several: all, or only the one that the seed picks where one is given, as CI gives another with each commit. */
export const sampled = <T>(all: readonly T[]): readonly T[] =>
  process.env['TPI_STORM_SEED'] === undefined ? all : [seeded(SEED).pick(all)]
