/** What uploads of large bodies have in common, whatever the server calls their parts. */
import type { OnBytes } from '../wire/store.ts'

export interface Upload<Client> {
  readonly client: Client
  /** Full key. */
  readonly key: string
  readonly body: Uint8Array
  readonly signal?: AbortSignal | undefined
  /** Hears how much was sent of a body that goes in one request. */
  readonly sent?: OnBytes | undefined
}

/** All parts in parallel. If one fails, the others are stopped, and all have ended when this rejects. */
export async function sendParts<T>(
  { body, signal }: Pick<Upload<unknown>, 'body' | 'signal'>,
  size: number,
  send: (part: Uint8Array, index: number, signal: AbortSignal) => Promise<T>,
): Promise<readonly T[]> {
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const sends = Array.from({ length: Math.ceil(body.length / size) }, async (_, index) =>
    send(body.subarray(index * size, (index + 1) * size), index, either),
  )
  try {
    return await Promise.all(sends)
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(sends)
    throw error
  }
}

/** How often an upload is started, if the server has lost it, or refused it because of a race. */
const UPLOADS = 3

interface Steps<Begun, Done> {
  begin(): Promise<Begun>
  send(begun: Begun): Promise<Done>
  /** Must not reject: the caller gets the failure of `send`. */
  abandon(begun: Begun): Promise<void>
  /** Whether another upload may succeed. */
  again(error: unknown): boolean
}

export async function uploadAnew<Begun, Done>(steps: Steps<Begun, Done>): Promise<Done> {
  for (let round = 1; ; round++) {
    const begun = await steps.begin()
    try {
      return await steps.send(begun)
    } catch (error) {
      await steps.abandon(begun)
      if (round >= UPLOADS || !steps.again(error)) throw error
    }
  }
}
