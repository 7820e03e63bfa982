/** Reads and sends bodies with as little as possible in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { free, tidyUp } from '../../lib/heap.ts'
import { MAX_OBJECT_BYTES, StoreError } from '../../wire/store.ts'

/** Bytes that pass before garbage is collected. Collecting takes ten milliseconds; a good disk needs a hundred to write as much. */
const WASTE = 16 * 1024 * 1024

/** The whole body of a request; it is in memory only once. */
export async function body(request: IncomingMessage): Promise<Buffer> {
  const size = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(size <= MAX_OBJECT_BYTES)) throw new StoreError('invalid', 'storage: the body is too long, or of unknown length')
  const whole = Buffer.allocUnsafeSlow(size)
  let length = 0
  for await (const piece of pieces(request, size)) length += piece.copy(whole, length)
  return whole
}

/** Exactly `size` bytes, or it rejects. A caller that does not want all of it can leave the rest unread. */
export async function* pieces(request: IncomingMessage, size: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > size) throw new StoreError('invalid', 'storage: the body is longer than announced')
    yield piece
    passed(piece.length)
  }
  if (!request.complete || length !== size) throw new StoreError('invalid', 'storage: the body was cut short')
}

let waste = 0

/** The garbage collector sees only small objects, and would let a hundred megabytes of these pile up. */
function passed(bytes: number): void {
  waste += bytes
  if (waste < WASTE) return
  waste = 0
  tidyUp()
}

/** Resolves once they are sent; rejects with the signal's reason. The caller must not use them again. */
export async function sent(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => reject(gone.reason as Error)
    gone.addEventListener('abort', stop, { once: true })
    response.write(bytes, (error) => {
      gone.removeEventListener('abort', stop)
      // After a failure, a part may still be on its way.
      if (!error) free(bytes)
      resolve()
    })
  })
}
