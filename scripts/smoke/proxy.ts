/** A proxy on this host between a program and its service, which can be cut. */
import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface Proxy {
  readonly url: string
  /** Connections that it has carried. */
  readonly carried: number
  cut: boolean
  stop(): Promise<void>
}

export async function startProxy(): Promise<Proxy> {
  const open = new Set<Socket>()
  let cut = false
  let carried = 0
  const server = createServer((request, response) => {
    // Plain HTTP: the request names the whole address.
    carried++
    const far = ask(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    far.on('error', () => response.destroy())
    request.pipe(far)
  })
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    if (cut) socket.destroy()
  })
  server.on('connect', (request, near: Socket, head: Buffer) => {
    carried++
    const [host = '', port = '443'] = (request.url ?? '').split(':')
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      far.pipe(near)
      near.pipe(far)
    })
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get carried() {
      return carried
    },
    get cut() {
      return cut
    },
    set cut(now) {
      cut = now
      if (cut) for (const socket of open) socket.destroy()
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
