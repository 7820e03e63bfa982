/** Some entries of a tree. Only their numbers are held, because a hundred thousand entries as objects would take too much memory. */
import { parentPath } from '../path.ts'
import type { Entries, Entry } from '../types.ts'

export class Chosen implements Entries {
  readonly #tree: Entries
  readonly #numbers: readonly number[]
  readonly #seen: (entry: Entry) => Entry

  /** `numbers`: in the tree's order. `seen`: what the caller sees of each entry. */
  constructor(tree: Entries, numbers: readonly number[], seen: (entry: Entry) => Entry = (entry) => entry) {
    this.#tree = tree
    this.#numbers = numbers
    this.#seen = seen
  }

  get length(): number {
    return this.#numbers.length
  }

  at(index: number): Entry | undefined {
    const number = this.#numbers[index]
    const entry = number === undefined ? undefined : this.#tree.at(number)
    return entry && this.#seen(entry)
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let index = 0; index < this.length; index++) {
      const entry = this.at(index)
      if (entry !== undefined) yield entry
    }
  }
}

/** Adds the folders that the chosen entries lie in. Both lists of numbers are in the tree's order. */
export function withFolders(tree: Entries, numbers: readonly number[]): number[] {
  const folders = new Set<string>()
  for (const { path: inside } of new Chosen(tree, numbers))
    for (let path = parentPath(inside); path !== '' && !folders.has(path); path = parentPath(path)) folders.add(path)
  let next = 0
  const found: number[] = []
  for (let number = 0; number < tree.length; number++) {
    const isChosen = numbers[next] === number
    if (isChosen) next += 1
    const entry = isChosen ? undefined : tree.at(number)
    if (isChosen || (entry?.type === 'folder' && folders.has(entry.path))) found.push(number)
  }
  return found
}
