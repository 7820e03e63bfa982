/** Servers for tests, on free ports. */
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { answered } from './wait.ts'

/** Resolves to the port. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return portOf(server)
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** All open connections are cut off. */
export async function closed(server: HttpServer): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/**
 * A free loopback port for a program that cannot choose one itself. It is below those that the kernel gives to whoever asks for none in particular (from
 * 32768: ip_local_port_range, https://docs.kernel.org/networking/ip-sysctl.html), so that nobody else gets it before the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(20_000, 32_000), '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    const port = portOf(server)
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Waits until a program accepts connections at its loopback port. `complaints`: what it has said about itself. */
export async function accepting(program: ChildProcess, port: number, complaints: () => string = () => ''): Promise<void> {
  const trouble = (what: string): Error => new Error(`${program.spawnfile} ${what}: ${complaints()}`)
  const ask = async (): Promise<true | undefined> => {
    if (program.exitCode !== null) throw trouble(`ended with ${program.exitCode}`)
    return (await connects(port)) || undefined
  }
  try {
    await answered(ask, { limit: 30_000, every: 50 }, () => trouble('does not listen'))
  } catch (error) {
    program.kill('SIGKILL')
    throw error
  }
}

export async function connects(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
