/**
 * The metadata service of EC2, version 2 only: a PUT gives a token with a lifetime, and reads show that token; 401 without it, 404 for unknown paths.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { closed, portOf } from '../setup/listening.ts'

export interface MetadataService {
  readonly url: string
  /** Paths below `/latest/` that were read with a valid token. */
  readonly asked: string[]
  /** It accepts requests and never answers. */
  silent: boolean
  stop(): Promise<void>
}

/** Starts to listen. `socket`: a path instead of a port. */
export async function serve(server: http.Server, asked: string[], socket?: string): Promise<MetadataService> {
  if (socket === undefined) server.listen(0, '127.0.0.1')
  else server.listen(socket)
  await once(server, 'listening')
  return {
    url: socket ?? `http://127.0.0.1:${portOf(server)}`,
    asked,
    silent: false,
    async stop() {
      await closed(server)
    },
  }
}

/** `get`: what is below `/latest/` now; any version of the service gives the same. `socket`: a path to listen at instead of a port. */
export async function startMetadata(get: (path: string) => string | undefined, socket?: string): Promise<MetadataService> {
  const tokens = new Map<string, number>()
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    const answer = (status: number, text = ''): void => void response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
    if (service.silent) return
    const path = (request.url ?? '').replace(/^\/(latest|\d{4}-\d\d-\d\d)\//, '')
    if (request.method === 'PUT' && path === 'api/token') {
      const seconds = Number(request.headers['x-aws-ec2-metadata-token-ttl-seconds'])
      if (!(seconds >= 1 && seconds <= 21_600) || request.headers['x-forwarded-for']) return answer(400)
      const token = randomUUID()
      tokens.set(token, Date.now() + seconds * 1000)
      return answer(200, token)
    }
    const until = tokens.get(String(request.headers['x-aws-ec2-metadata-token']))
    if (until === undefined || until < Date.now()) return answer(401)
    asked.push(path)
    const text = get(path)
    return text === undefined ? answer(404) : answer(200, text)
  })
  const service = await serve(server, asked, socket)
  return service
}
