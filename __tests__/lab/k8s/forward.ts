/** Makes a server on this host's loopback reachable for pods of a cluster. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listening, portOf } from '../../setup/listening.ts'

export interface Forward {
  readonly port: number
  /** How many connections there have been. */
  readonly connections: () => number
  stop(): Promise<void>
}

export async function forward(host: string, target: number): Promise<Forward> {
  const open = new Set<Socket>()
  let count = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    count += 1
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => open.delete(one))
        .pipe(other)
    }
  })
  await listening(server, host)
  return {
    port: portOf(server),
    connections: () => count,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
