/** Random numbers from a seed: the seed alone repeats a round. */

/** The seed of every storm: `npm run test:storm -- --seed S` plays it again. */
export const SEED = Number(process.env['TPI_STORM_SEED'] ?? 1)

/**
 * The seed of a commit is below this. CI's second machine adds this to it (`.ci/run 2`): it plays other rounds, and another sample. It is odd, so the
 * remainders of the two seeds differ too, by which a storm may choose its calls.
 */
const PART = 2 ** 24 + 1
const COMMIT = SEED % PART
/** How many machines take their samples before this one. */
const BEFORE = Math.floor(SEED / PART)

/** The number of rounds, unless another one is given: `npm run test:storm -- --rounds N`. */
export const roundsOr = (usual: number): number => Number(process.env['TPI_STORM_ROUNDS'] ?? usual)

export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform in [from, to). */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** splitmix32: small, and well mixed even for neighbouring seeds. */
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

/**
 * For tests that take minutes each: all of these, or only `most` that the seed picks if one is set, as CI does with each commit. `npm run test:storm`
 * plays all.
 */
export const sampled = <T>(all: readonly T[], most = 1): readonly T[] => (isWhole() ? all : picked(all, most))

const isWhole = (): boolean => process.env['TPI_STORM_SEED'] === undefined || process.env['TPI_STORM_WHOLE'] !== undefined

/** The same for what is tested alike on several clouds, by their ids: one cloud, first those in `TPI_STORM_CLOUDS`, which the change touched. */
export function sampledCloud<T>(all: Readonly<Record<string, T>>): readonly T[] {
  const touched = process.env['TPI_STORM_CLOUDS']?.split(' ') ?? []
  const clouds = Object.entries(all)
  return (isWhole() ? clouds : picked(clouds, 1, ([id]) => touched.includes(id))).map(([, one]) => one)
}

/** The same for tables of short tests: one n-th of them. */
export const sampledPart = <T>(all: readonly T[], nth = 3): readonly T[] => sampled(all, Math.ceil(all.length / nth))

/** The same for tests that are written one by one: declares about one of `nth`. */
export const sampledBy =
  <Body>(declare: (title: string, body: Body, limit?: number) => void, nth = 2) =>
  (title: string, body: Body, limit?: number): void => {
    const number = Buffer.from(title).reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, COMMIT)
    if (isWhole() || Math.floor(seeded(number).next() * nth) === BEFORE % nth) declare(title, body, limit)
  }

/** The seed puts all in an order; this machine takes those that follow the ones of the machines before it, and begins again after the last. */
function picked<T>(all: readonly T[], most: number, isFirst: (one: T) => boolean = () => false): readonly T[] {
  const random = seeded(COMMIT)
  const left = [...all]
  const later: T[] = []
  while (left.length > most) later.unshift(...left.splice(random.between(0, left.length), 1))
  const order = [...left, ...later].toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
  const from = (BEFORE % Math.ceil(all.length / most)) * most
  return order.slice(from, from + most)
}
