/** A folder store as storms see it from outside: each state of a record is a file, and the last 32 are kept. */
import { readdir, readFile } from 'node:fs/promises'

/** Bytes before the body in a file of a folder store. */
const HEADER = 16

export async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** `undefined`: removed in the meantime, or the empty final state of a removed record. */
export async function readState<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse((await readFile(path)).subarray(HEADER).toString()) as T
  } catch {
    return undefined
  }
}

/** Looks repeatedly, with this pause in milliseconds, until it is closed. */
export class Looks {
  #over = false
  readonly #looking: Promise<void>

  constructor(look: () => Promise<void>, rest: number) {
    this.#looking = this.#repeat(look, rest)
  }

  async close(): Promise<void> {
    this.#over = true
    await this.#looking
  }

  async #repeat(look: () => Promise<void>, rest: number): Promise<void> {
    while (!this.#over) {
      await look()
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }
}
