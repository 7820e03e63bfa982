/**
 * Stands before an S3 server that checks a condition first and writes later (versitygw on a folder does, so two writers at the same moment can both
 * win), and admits conditional requests one at a time. Then the condition holds at the moment of the write, as on S3 itself. Everything else passes
 * in parallel. Bytes and headers are unchanged, so signatures stay valid.
 *
 * The server judges a request when its body begins, and closes the connection on the rest of one that it refuses: its answer would be lost with the
 * connection if that rest were in transit. So the beginning of a large body is sent first, and the rest a moment later.
 */
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { closed, listening } from '../setup/listening.ts'

/** In bytes. */
const LARGE = 1 << 20
/** In milliseconds: the server answers within 5. */
const MOMENT = 20

export interface Gate {
  readonly port: number
  stop(): Promise<void>
}

export async function startGate(target: number): Promise<Gate> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 })
  let line: Promise<void> = Promise.resolve()
  const listener = http.createServer((request, response) => {
    const conditional =
      request.method !== 'GET' && request.method !== 'HEAD' && ('if-match' in request.headers || 'if-none-match' in request.headers)
    if (!conditional) return void pass(request, response, target, agent)
    line = line.then(() => pass(request, response, target, agent))
    return undefined
  })
  listener.keepAliveTimeout = 20_000
  const port = await listening(listener)
  return {
    port: port,
    async stop() {
      await closed(listener)
      agent.destroy()
    },
  }
}

/** Resolves when the server has answered or disconnected, even if the client has left meanwhile: only then is the next one admitted. */
async function pass(request: IncomingMessage, response: ServerResponse, port: number, agent: http.Agent): Promise<void> {
  await new Promise<void>((resolve) => {
    const { method, url: path, headers } = request
    const onward = http.request({ agent, host: '127.0.0.1', port, ...(method && { method }), path, headers, setHost: false })
    const broken = () => {
      response.destroy()
      resolve()
    }
    onward.on('error', broken)
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      response.on('close', () => answer.resume())
      answer.on('end', resolve).on('error', broken)
      answer.pipe(response)
    })
    // A client that leaves before its request is complete takes the request with it.
    request.on('error', () => onward.destroy()).on('aborted', () => !request.complete && onward.destroy())
    if (Number(headers['content-length'] ?? 0) < LARGE) request.pipe(onward)
    else beginFirst(request, onward)
  })
}

function beginFirst(request: IncomingMessage, onward: ClientRequest): void {
  request.once('data', (beginning: Buffer) => {
    request.pause()
    onward.write(beginning)
    const rest = setTimeout(() => {
      onward.off('response', refused)
      request.pipe(onward)
    }, MOMENT)
    // Reads the rest, which the server does not want.
    const refused = (): void => {
      clearTimeout(rest)
      request.resume()
    }
    onward.once('response', refused)
  })
}
