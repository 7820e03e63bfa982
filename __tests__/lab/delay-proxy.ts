/**
 * A TCP proxy on the loopback with the latency of a distant server, and network failures on demand. Bytes keep their order; each direction takes half
 * of the round trip.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listening } from '../setup/listening.ts'

export interface DelayProxy {
  readonly port: number
  /** `http://127.0.0.1:port` */
  readonly endpoint: string
  /** How many connections have been made so far. */
  readonly connections: number
  /** Milliseconds of the round trip, for bytes that arrive from now on. */
  setDelay(roundTrip: number): void
  /** Bytes per second of each direction, over all connections; unlimited by default. */
  setRate(bytesPerSecond: number | undefined): void
  /** Loses the next `count` answers: the whole request reaches the server, but at the first byte of the answer the client's connection is reset. */
  dropReplies(count: number): void
  /** Resets the next `count` connections as soon as the client has sent something, of which the server gets nothing. */
  refuse(count: number): void
  /** Resets every open connection. */
  cut(): void
  /** `true`: nothing passes in either direction, and nobody notices (new connections are accepted and stay silent). `false`: everything continues. */
  stall(stalled: boolean): void
  stop(): Promise<void>
}

/** One direction of the line; `free`: when it has carried everything it was given. */
interface Line {
  free: number
}

interface State {
  half: number
  rate: number | undefined
  drops: number
  refusals: number
  stalled: boolean
  connections: number
  readonly waiting: Set<() => void>
  readonly pairs: Set<Pair>
  readonly there: Line
  readonly back: Line
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

export async function startDelayProxy(target: number, roundTrip = 30): Promise<DelayProxy> {
  const state: State = {
    half: roundTrip / 2,
    rate: undefined,
    drops: 0,
    refusals: 0,
    stalled: false,
    connections: 0,
    waiting: new Set(),
    pairs: new Set(),
    there: { free: 0 },
    back: { free: 0 },
  }
  const listener = createServer({ noDelay: true }, (client) => join(client, target, state))
  const port = await listening(listener)
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    get connections() {
      return state.connections
    },
    setDelay: (milliseconds) => void (state.half = milliseconds / 2),
    setRate: (rate) => void (state.rate = rate),
    dropReplies: (count) => void (state.drops = count),
    refuse: (count) => void (state.refusals = count),
    cut: () => cutAll(state),
    stall: (stalled) => setStalled(state, stalled),
    stop: async () => {
      setStalled(state, false)
      cutAll(state)
      listener.close()
      await once(listener, 'close')
    },
  }
}

function join(client: Socket, target: number, state: State): void {
  state.connections++
  const server = connect({ port: target, host: '127.0.0.1', noDelay: true })
  const pair: Pair = { client, server }
  state.pairs.add(pair)
  const reset = () => {
    hangUp(client)
    server.destroy()
    state.pairs.delete(pair)
  }
  client.on('error', reset).on('close', () => state.pairs.delete(pair))
  server.on('error', reset)
  carry(client, server, state, state.there, () => {
    if (state.refusals <= 0) return true
    state.refusals--
    reset()
    return false
  })
  carry(server, client, state, state.back, () => {
    if (state.drops <= 0) return true
    state.drops--
    reset()
    return false
  })
}

/** Bytes and the end use the same queue: each leaves after its own delay, and never before what came earlier. */
function carry(from: Socket, to: Socket, state: State, line: Line, allowed: () => boolean): void {
  let queue = Promise.resolve()
  const later = (action: () => void | Promise<void>) => {
    const due = performance.now() + state.half
    queue = queue.then(async () => {
      await until(due)
      while (state.stalled) await new Promise<void>((resolve) => state.waiting.add(resolve))
      if (!to.destroyed) await action()
      // Nobody reads the rest, and a paused socket would never notice its end.
      else from.destroy()
    })
  }
  let held = 0
  from.on('data', (chunk: Buffer) => {
    if (!allowed()) return
    held += chunk.length
    const most = state.rate === undefined ? MAX_HELD : 0
    if (held > most) from.pause()
    later(async () => {
      if (state.rate !== undefined) await until((line.free = Math.max(line.free, performance.now()) + (1000 * chunk.length) / state.rate))
      if (!to.write(chunk)) await drained(to)
      held -= chunk.length
      if (held <= most) from.resume()
    })
  })
  from.on('end', () => later(() => void to.end()))
  from.on('close', () => later(() => void to.end()))
}

/** Bytes in transit per direction: plenty for the delays here at loopback speed. */
const MAX_HELD = 32 * 1024 * 1024

/** Resets the socket if that is still possible: resetting one that is ending would leave its handle open for ever. */
function hangUp(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

async function until(due: number): Promise<void> {
  const left = due - performance.now()
  if (left > 0.5) await new Promise((resolve) => setTimeout(resolve, left))
}

function setStalled(state: State, stalled: boolean): void {
  state.stalled = stalled
  if (stalled) return
  for (const go of state.waiting) go()
  state.waiting.clear()
}

function cutAll(state: State): void {
  for (const { client, server } of state.pairs) {
    hangUp(client)
    server.destroy()
  }
  state.pairs.clear()
}
