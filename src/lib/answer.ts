/** Reads the body of a server's answer, which may be anything. */

interface Answer {
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The body as text. `undefined`: it is longer than `most` bytes; the rest of it is not read. */
export async function textUpTo(most: number, answer: Answer): Promise<string | undefined> {
  return (await bytesUpTo(most, answer))?.toString('utf8')
}

/** The same, as bytes. */
export async function bytesUpTo(most: number, { body }: Answer): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > most) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** `undefined`: it is not JSON, but the page of a proxy for example. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
