/**
 * The guard: a small separate process that outlives the agent to do one thing. It holds a pipe from the agent; if the pipe ends without a
 * farewell, or the hard deadline comes, it kills everything the agent started.
 */
import { createInterface } from 'node:readline'
import { untilDue } from '../../lib/clock.ts'
import { identify, isAlive, killMarked, type ProcessId, signalGroup, signalProcess } from '../../lib/process.ts'

/** Lines of JSON from the agent. */
export type GuardMessage =
  | { readonly hello: { readonly agent: ProcessId; readonly machine: string /** Boot clock. */; readonly due: number } }
  /** A session that the agent started, by its leader. */
  | { readonly session: ProcessId }
  /** That session has ended, and its remaining processes are gone. */
  | { readonly over: number }
  /** Normal end: exit without killing anything. */
  | { readonly farewell: true }

/** Kills a session's own process group, unless its number has been reused by now. */
export function killSession(leader: ProcessId): void {
  const now = identify(leader.pid)
  if (now === undefined || now.start === leader.start) signalGroup(leader.pid, 'SIGKILL')
}

/** Runs on stdin; resolves to the process's exit code. */
export async function guard(): Promise<number> {
  // Only the agent or the deadline ends it, not signals to its group or from service managers.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const sessions = new Map<number, ProcessId>()
  let hello: { agent: ProcessId; machine: string; due: number } | undefined
  const over = new AbortController()
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const message = messageIn(line)
    // Incomplete line: the agent was killed while it was writing, and this is the end of the pipe.
    if (!message) break
    if ('farewell' in message) return 0
    if ('session' in message) sessions.set(message.session.pid, message.session)
    else if ('over' in message) sessions.delete(message.over)
    else {
      const greeting = message.hello
      hello = greeting
      void untilDue(greeting.due, over.signal).then(
        async () => strike(greeting, sessions, true),
        () => undefined,
      )
      process.stdout.write('ready\n')
    }
  }
  over.abort()
  if (hello) await strike(hello, sessions, false)
  return 1
}

function messageIn(line: string): GuardMessage | undefined {
  try {
    return JSON.parse(line) as GuardMessage
  } catch {
    return undefined
  }
}

/** `all`: the agent too. It should have ended the work in time. */
async function strike(hello: { agent: ProcessId; machine: string }, sessions: Map<number, ProcessId>, all: boolean): Promise<void> {
  for (const leader of sessions.values()) killSession(leader)
  if (all && isAlive(hello.agent)) signalProcess(hello.agent, 'SIGKILL')
  await killMarked('TPI_MACHINE', hello.machine, { ancestors: all })
  if (all) process.exit(1)
}
