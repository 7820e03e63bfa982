/** Secret values taken out of byte streams and texts. */

const MASK = Buffer.from('***')

/** Shorter values, in bytes, are not looked for: they would black out ordinary words, and outputs that happen to contain them. */
export const SHORTEST_SECRET = 4
/** Lines of a secret of several lines are masked one by one, since logs go by lines; of short ones every file is full. */
const SHORTEST_LINE = 8

/**
 * What to mask for one secret value, wherever that is done: the value, the same without the white space around it (it may have come with a
 * newline at its end), and its lines (a key may be printed by a tool that indents it), each if long enough.
 */
export function maskable(value: string): string[] {
  const lines = value
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const parts = lines.length > 1 ? lines.filter((line) => Buffer.byteLength(line) >= SHORTEST_LINE) : []
  return [...new Set([value, value.trim(), ...parts])].filter((text) => Buffer.byteLength(text.trim()) >= SHORTEST_SECRET)
}

/** What to look for, as UTF-8. */
export function secretNeedles(values: Iterable<string>): Buffer[] {
  return [...new Set([...values].flatMap(maskable))].map((text) => Buffer.from(text, 'utf8'))
}

/**
 * Masks secrets in a stream, however it is cut into chunks. Bytes that may be the beginning of a secret are held back until it is clear what
 * they are; overlapping secrets are masked as one. Everything else passes unchanged.
 */
export class Redactor {
  readonly #needles: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)
  /** Leading bytes of `#held` that belong to a secret whose mask is out already. */
  #covered = 0

  constructor(needles: readonly Buffer[]) {
    this.#needles = needles
  }

  push(chunk: Uint8Array): Buffer {
    return this.#pass(chunk, false)
  }

  /** The end of the stream: what is still held back. */
  end(): Buffer {
    return this.#pass(Buffer.alloc(0), true)
  }

  #pass(chunk: Uint8Array, last: boolean): Buffer {
    const data =
      this.#held.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([this.#held, chunk])
    if (this.#needles.length === 0) return data
    const tail = last ? data.length : this.#tail(data)
    const out: Buffer[] = []
    let at = 0
    let covered = 0
    for (const [from, to] of this.#secrets(data)) {
      const masked = from === 0 && this.#covered > 0
      if (from >= tail && !masked) break
      if (!masked) out.push(data.subarray(at, from), MASK)
      at = Math.min(to, tail)
      covered = Math.max(0, to - tail)
    }
    out.push(data.subarray(at, tail))
    this.#held = Buffer.from(data.subarray(tail))
    this.#covered = covered
    return Buffer.concat(out)
  }

  /** Where the first possible, but unfinished secret begins. */
  #tail(data: Buffer): number {
    let earliest = data.length
    for (const needle of this.#needles) {
      for (let start = Math.max(0, data.length - needle.length + 1); start < earliest; start++) {
        const length = data.length - start
        if (data[start] === needle[0] && data.compare(needle, 0, length, start) === 0) earliest = start
      }
    }
    return earliest
  }

  /** Half-open ranges of whole secrets, sorted, overlapping ones joined. */
  #secrets(data: Buffer): [number, number][] {
    const found: [number, number][] = this.#covered > 0 ? [[0, this.#covered]] : []
    for (const needle of this.#needles) {
      for (let at = data.indexOf(needle); at >= 0; at = data.indexOf(needle, at + 1)) found.push([at, at + needle.length])
    }
    found.sort((a, b) => a[0] - b[0])
    const joined: [number, number][] = []
    for (const [from, to] of found) {
      const before = joined.at(-1)
      if (before && from < before[1]) before[1] = Math.max(before[1], to)
      else joined.push([from, to])
    }
    return joined
  }
}

/** Masks secrets in a whole text. */
export function redactText(text: string, needles: readonly Buffer[]): string {
  if (needles.length === 0) return text
  const redactor = new Redactor(needles)
  return Buffer.concat([redactor.push(Buffer.from(text, 'utf8')), redactor.end()]).toString('utf8')
}
