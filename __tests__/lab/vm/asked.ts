/** Reads the requests that a cloud's front gets. */
import type { IncomingMessage } from 'node:http'

/** `undefined`: the client was killed meanwhile, so there is no request. */
export async function bodyFrom(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of request) parts.push(part as Buffer)
  } catch (error) {
    if (request.complete) throw error
    return undefined
  }
  return Buffer.concat(parts)
}
