/** A server of this host's loopback, as pods of a cluster reach it. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { listening } from '../../setup/listening.ts'

export interface Forward {
  readonly port: number
  /** How many there have been. */
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
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
