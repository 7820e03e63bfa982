/** A long answer in pieces: a line of JSON that says what follows, then its bytes. An empty line is a sign of life. */
import { type Change, MAX_OBJECT_BYTES, StoreError } from '../../wire/store.ts'

/** Key, version and size; without a version: the record is gone. The empty one: caught up. */
type Head = readonly [key: string, version: string, size: number] | readonly [key: string] | readonly []

export function frameOf(change: Change | 'caught-up'): Uint8Array {
  if (change === 'caught-up') return lineOf([])
  const { key, object } = change
  return object ? Buffer.concat([lineOf([key, object.version, object.bytes.length]), object.bytes]) : lineOf([key])
}

const lineOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)

/** Bytes of the line that says what follows: a key and a version. */
const LONGEST_HEAD = 8192

/** Throws StoreError `corrupt` if it is not such an answer: nothing longer than an object is collected. */
export async function* framesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Change | 'caught-up'> {
  const held = new Gathered()
  let head: Head | undefined
  for await (const chunk of chunks) {
    held.add(chunk)
    for (;;) {
      if (!head) {
        const line = held.line()
        if (line === undefined) break
        if (line === '') continue
        head = headOf(line)
      }
      const [key, version, size = 0] = head
      if (held.length < size) break
      head = undefined
      if (key === undefined) yield 'caught-up'
      else if (version === undefined) yield { key }
      else yield { key, object: { version, bytes: held.take(size) } }
    }
  }
}

/** Bytes that have not been parsed yet; a long body is joined once, when it is complete. */
class Gathered {
  #parts: Buffer[] = []
  length = 0

  add(part: Buffer): void {
    this.#parts.push(part)
    this.length += part.length
  }

  /** Belongs to the reader, who may keep it. */
  take(size: number): Buffer {
    const bytes = Buffer.from(this.#joined().subarray(0, size))
    this.#drop(size)
    return bytes
  }

  line(): string | undefined {
    const all = this.#joined()
    const end = all.indexOf(10)
    if ((end < 0 ? all.length : end) > LONGEST_HEAD) throw foreign()
    if (end < 0) return undefined
    const line = all.toString('utf8', 0, end)
    this.#drop(end + 1)
    return line
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts
    if (this.#parts.length < 2) return first
    const all = Buffer.concat(this.#parts)
    this.#parts = [all]
    return all
  }

  #drop(size: number): void {
    const rest = this.#joined().subarray(size)
    this.#parts = rest.length > 0 ? [rest] : []
    this.length = rest.length
  }
}

function headOf(line: string): Head {
  let head: unknown
  try {
    head = JSON.parse(line)
  } catch (cause) {
    throw foreign({ cause })
  }
  if (!Array.isArray(head)) throw foreign()
  const [key, version, size]: unknown[] = head
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'
  const isSize = size === undefined || (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && size <= MAX_OBJECT_BYTES)
  if (!isText(key) || !isText(version) || !isSize) throw foreign()
  return head as unknown as Head
}

function foreign(options?: ErrorOptions): StoreError {
  return new StoreError('corrupt', 'storage: the list of objects that the server gave was not written by this program', options)
}
