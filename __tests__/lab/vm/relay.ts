/** Passes a request on to a server behind a lab's door, and takes its whole answer. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { hasCode } from '../../../src/lib/files.ts'

export interface Passed {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export async function relay(
  request: IncomingMessage,
  body: Buffer,
  { port, secure }: { readonly port: number; readonly secure: boolean },
): Promise<Passed> {
  return await new Promise((resolve, reject) => {
    const { connection: _, 'transfer-encoding': __, ...headers } = request.headers
    const call = (secure ? https : http).request({
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      rejectUnauthorized: false,
      headers: { ...headers, 'content-length': body.length },
    })
    call.on('error', (error) => {
      // It was closed for being idle while this was on its way: https://nodejs.org/api/http.html#requestreusedsocket
      if (call.reusedSocket && hasCode(error, 'ECONNRESET')) resolve(relay(request, body, { port, secure }))
      else reject(error)
    })
    call.on('response', (message) => {
      const parts: Buffer[] = []
      message.on('data', (part: Buffer) => parts.push(part))
      message.on('error', reject)
      message.on('end', () => {
        const { connection: _c, 'transfer-encoding': _t, 'keep-alive': _k, ...rest } = message.headers
        resolve({ status: message.statusCode ?? 502, headers: rest, body: Buffer.concat(parts) })
      })
    })
    call.end(body)
  })
}
