/** A long answer in pieces: a line of JSON that says what follows, then its bytes. An empty line is a sign of life. */
import type { Change } from '../../wire/store.ts'

/** Key, version and size; without a version: the record is gone. The empty one: caught up. */
type Head = readonly [key: string, version: string, size: number] | readonly [key: string] | readonly []

export function frameOf(told: Change | 'caught-up'): Uint8Array {
  if (told === 'caught-up') return lineOf([])
  const { key, object } = told
  return object ? Buffer.concat([lineOf([key, object.version, object.bytes.length]), object.bytes]) : lineOf([key])
}

const lineOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)

export async function* framesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Change | 'caught-up'> {
  let held: Buffer = Buffer.alloc(0)
  let head: Head | undefined
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      if (!head) {
        const end = held.indexOf(10)
        if (end < 0) break
        const line = held.toString('utf8', 0, end)
        held = held.subarray(end + 1)
        if (line === '') continue
        head = JSON.parse(line) as Head
      }
      const [key, version, size = 0] = head
      if (held.length < size) break
      head = undefined
      if (key === undefined) yield 'caught-up'
      else if (version === undefined) yield { key }
      else yield { key, object: { version, bytes: Buffer.from(held.subarray(0, size)) } }
      held = held.subarray(size)
    }
  }
}
