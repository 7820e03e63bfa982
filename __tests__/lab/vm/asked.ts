/** What a front of a cloud is asked. */
import type { IncomingMessage } from 'node:http'

/** `undefined`: whoever asks was killed meanwhile, and nothing was asked. */
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
