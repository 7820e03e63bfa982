/** An HTTP proxy for tunnels, which all lead to the same target. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listening, portOf } from '../../setup/listening.ts'

export interface ConnectProxy {
  readonly url: string
  /** Requested targets. */
  readonly asked: ReadonlySet<string>
  stop(): Promise<void>
}

export async function connectProxy(target: URL): Promise<ConnectProxy> {
  const asked = new Set<string>()
  const open = new Set<Socket>()
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', (request, near: Socket, head: Buffer) => {
    asked.add(request.url ?? '')
    const far = connect(Number(target.port), target.hostname, () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      far.pipe(near)
      near.pipe(far)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await listening(server)
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
