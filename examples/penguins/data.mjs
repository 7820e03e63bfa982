// Reads penguins.csv: who it is (species) and the four measurements of everyone who was measured.
import { readFileSync } from 'node:fs'

export const SPECIES = ['Adelie', 'Chinstrap', 'Gentoo']
const MEASURES = ['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']

/** A small generator of repeatable random numbers in [0, 1): the same seed gives the same run on every machine. */
export function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

export function shuffle(list, rng) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(rng() * (at + 1))
    ;[list[at], list[other]] = [list[other], list[at]]
  }
  return list
}

/** One fifth of every species is held out: the model never sees it while it learns. */
export function load(path, seed) {
  const [header, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const columns = MEASURES.map((name) => header.indexOf(name))
  const measured = rows.filter((row) => columns.every((column) => row[column] !== 'NA'))
  const train = []
  const held = []
  for (const [label, species] of SPECIES.entries()) {
    const group = shuffle(
      measured.filter((row) => row[0] === species).map((row) => ({ label, x: columns.map((column) => Number(row[column])) })),
      random(seed + label),
    )
    const cut = Math.round(group.length / 5)
    held.push(...group.slice(0, cut))
    train.push(...group.slice(cut))
  }
  return standardise(train, held)
}

/** Mean 0 and deviation 1 for every measurement, by the training part alone. */
function standardise(train, held) {
  for (const column of MEASURES.keys()) {
    const mean = train.reduce((sum, { x }) => sum + x[column], 0) / train.length
    const deviation = Math.sqrt(train.reduce((sum, { x }) => sum + (x[column] - mean) ** 2, 0) / train.length)
    for (const { x } of [...train, ...held]) x[column] = (x[column] - mean) / deviation
  }
  return { train, held }
}
