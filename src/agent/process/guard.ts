/**
 * The guard: a small separate process that outlives the agent. It reads a pipe from the agent. If that ends without a farewell, or the hard
 * deadline comes, it kills everything that the agent has started.
 */
import { createInterface } from 'node:readline'
import { untilDue } from '../../lib/clock.ts'
import { identify, killMarked, type ProcessId, signalGroup, signalProcess } from '../../lib/process.ts'

/** The agent's first message. */
interface Hello {
  readonly agent: ProcessId
  /** The value of `TPI_MACHINE`, by which the machine's processes are known. */
  readonly machine: string
  /** Boot clock: the hard deadline. */
  readonly due: number
}

/** Lines of JSON from the agent. */
export type GuardMessage =
  | { readonly hello: Hello }
  /** A session that the agent started, by its leader. */
  | { readonly session: ProcessId }
  /** That session has ended, and its remaining processes are gone. */
  | { readonly over: number }
  /** The normal end: the guard exits without killing anything. */
  | { readonly farewell: true }

/** Kills a session's own process group, unless its number belongs to another process by now. */
export function killSession(leader: ProcessId): void {
  const now = identify(leader.pid)
  if (now === undefined || now.start === leader.start) signalGroup(leader.pid, 'SIGKILL')
}

/** The program of the guard. Reads messages on stdin, and resolves to its exit code. */
export async function guard(): Promise<number> {
  // Only the agent or the deadline ends the guard, not a signal that a service manager sends to all processes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const sessions = new Map<number, ProcessId>()
  let hello: Hello | undefined
  const over = new AbortController()
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const message = messageIn(line)
    // An incomplete line: the agent was killed while it was writing, so the pipe ends here.
    if (!message) break
    if ('farewell' in message) return 0
    if ('session' in message) sessions.set(message.session.pid, message.session)
    else if ('over' in message) sessions.delete(message.over)
    else {
      const greeting = message.hello
      hello = greeting
      void untilDue(greeting.due, over.signal).then(
        async () => strikeAll(greeting, sessions),
        () => undefined,
      )
      process.stdout.write('ready\n')
    }
  }
  over.abort()
  for (const leader of sessions.values()) killSession(leader)
  if (hello) await killMarked('TPI_MACHINE', hello.machine)
  return 1
}

function messageIn(line: string): GuardMessage | undefined {
  try {
    return JSON.parse(line) as GuardMessage
  } catch {
    return undefined
  }
}

/** The hard deadline, which the agent should have met: kills it too, and exits. */
async function strikeAll(hello: Hello, sessions: Map<number, ProcessId>): Promise<never> {
  for (const leader of sessions.values()) killSession(leader)
  signalProcess(hello.agent, 'SIGKILL')
  await killMarked('TPI_MACHINE', hello.machine, { ancestors: true })
  process.exit(1)
}
