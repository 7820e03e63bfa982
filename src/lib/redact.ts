/** Secret values taken out of byte streams and texts. */
import { secretForms } from './secret-forms.ts'

const MASK = Buffer.from('***')

/** What to look for, as UTF-8; at least two bytes each. */
export function secretNeedles(values: Iterable<string>): Buffer[] {
  return [...new Set([...values].flatMap(secretForms))].map((text) => Buffer.from(text, 'utf8'))
}

/** Needles by their first bytes: one pass over the data finds all of them, however many there are. */
interface Index {
  /** Of two bytes: whether some needle begins with them. */
  readonly pairs: Uint8Array
  readonly byPair: ReadonlyMap<number, readonly Buffer[]>
  readonly firsts: ReadonlySet<number>
}

const indexes = new WeakMap<readonly Buffer[], Index>()

function indexOf(needles: readonly Buffer[]): Index {
  const known = indexes.get(needles)
  if (known) return known
  const pairs = new Uint8Array(65_536)
  const byPair = new Map<number, Buffer[]>()
  for (const needle of needles) {
    const pair = ((needle[0] ?? 0) << 8) | (needle[1] ?? 0)
    pairs[pair] = 1
    const others = byPair.get(pair)
    if (others) others.push(needle)
    else byPair.set(pair, [needle])
  }
  const made = { pairs, byPair, firsts: new Set(needles.map((needle) => needle[0] ?? 0)) }
  indexes.set(needles, made)
  return made
}

/** How many bytes at this place are those of the needle. */
function alike(data: Buffer, at: number, needle: Buffer): number {
  const most = Math.min(needle.length, data.length - at)
  let count = 0
  while (count < most && data[at + count] === needle[count]) count += 1
  return count
}

/**
 * Masks secrets in a stream, however it is cut into chunks. Bytes that may be the beginning of a secret are held back until it is clear what
 * they are; overlapping secrets are masked as one. Everything else passes unchanged.
 */
export class Redactor {
  readonly #needles: readonly Buffer[]
  readonly #index: Index
  #held: Buffer = Buffer.alloc(0)
  /** Leading bytes of `#held` that belong to a secret whose mask is already written. */
  #covered = 0

  /** The needles stay as they are. */
  constructor(needles: readonly Buffer[]) {
    this.#needles = needles
    this.#index = indexOf(needles)
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
    const { secrets, unfinished } = this.#look(data)
    const tail = last ? data.length : unfinished
    const out: Buffer[] = []
    let at = 0
    let covered = 0
    for (const [from, to] of secrets) {
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

  /** Half-open ranges of whole secrets, sorted, overlapping ones joined; and where the first possible, but unfinished one begins. */
  #look(data: Buffer): { readonly secrets: readonly [number, number][]; readonly unfinished: number } {
    const { pairs, byPair, firsts } = this.#index
    const secrets: [number, number][] = this.#covered > 0 ? [[0, this.#covered]] : []
    let unfinished = data.length
    let next = data[0] ?? 0
    for (let at = 0; at < data.length - 1; at += 1) {
      const first = next
      next = data[at + 1] ?? 0
      const pair = (first << 8) | next
      if (pairs[pair] !== 1) continue
      for (const needle of byPair.get(pair) ?? []) {
        const count = alike(data, at, needle)
        if (count === needle.length) join(secrets, at, at + count)
        else if (at + count === data.length) unfinished = Math.min(unfinished, at)
      }
    }
    if (data.length > 0 && firsts.has(data.at(-1) ?? 0)) unfinished = Math.min(unfinished, data.length - 1)
    return { secrets, unfinished }
  }
}

/** They come in the order of their beginnings. */
function join(ranges: [number, number][], from: number, to: number): void {
  const before = ranges.at(-1)
  if (before && from < before[1]) before[1] = Math.max(before[1], to)
  else ranges.push([from, to])
}

/** Masks secrets in a whole text. */
export function redactText(text: string, needles: readonly Buffer[]): string {
  if (needles.length === 0) return text
  const redactor = new Redactor(needles)
  const bytes = Buffer.from(text, 'utf8')
  const masked = Buffer.concat([redactor.push(bytes), redactor.end()])
  return masked.equals(bytes) ? text : masked.toString('utf8')
}
