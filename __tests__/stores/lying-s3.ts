/** A server that speaks as much S3 as a deployment begins with, and keeps the conditions of writes or does not. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { error } from './s3-server.ts'

export interface LyingS3 extends AsyncDisposable {
  readonly endpoint: string
  readonly objects: ReadonlyMap<string, Buffer>
  /** Methods and paths, as they came. */
  readonly asked: readonly string[]
}

export async function lyingS3(keepsConditions: boolean): Promise<LyingS3> {
  const objects = new Map<string, Buffer>()
  const etags = new Map<string, string>()
  const asked: string[] = []
  let made = 0
  const put = (key: string, body: Buffer, { headers }: IncomingMessage, response: ServerResponse): void => {
    const etag = etags.get(key)
    const wanted = headers['if-match']
    const broken = (headers['if-none-match'] === '*' && etag !== undefined) || (wanted !== undefined && wanted !== etag)
    if (broken && keepsConditions) return void response.writeHead(412).end(error('PreconditionFailed'))
    objects.set(key, body)
    etags.set(key, `"${++made}"`)
    response.writeHead(200, { etag: `"${made}"` }).end()
  }
  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const { pathname: key, searchParams } = new URL(request.url ?? '', 'http://x')
    const found = objects.get(key)
    asked.push(`${request.method} ${key}`)
    if (request.method === 'PUT') return put(key, body, request, response)
    if (request.method === 'DELETE') {
      objects.delete(key)
      etags.delete(key)
      return void response.writeHead(204).end()
    }
    if (searchParams.has('list-type')) return void response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>')
    if (found === undefined) return void response.writeHead(404).end(request.method === 'HEAD' ? '' : error('NoSuchKey'))
    response.writeHead(200, { etag: etags.get(key), 'content-length': String(found.length) }).end(request.method === 'HEAD' ? '' : found)
  }
  const server = createServer((request, response) => void buffer(request).then((body) => answer(request, body, response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
