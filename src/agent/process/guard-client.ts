/** The agent's side of the guard: starts it, tells it what to watch, and does the same killing itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import { within } from '../../lib/abort.ts'
import { findMarked, identify, killMarked, type ProcessId, signalGroup, signalProcess } from '../../lib/process.ts'
import type { Freeze } from '../../snapshot/types.ts'
import { type GuardMessage, killSession } from './guard.ts'

export interface GuardOptions {
  /** The agent's own program file. */
  readonly agentFile: string
  readonly machine: string
  /** Boot clock: the hard deadline, when the guard kills everything of this machine. */
  readonly due: number
}

export class Guard {
  readonly #child: ChildProcess
  readonly #machine: string
  #leaving = false
  /** Resolves when the guard watches. Rejects when it could not be started. */
  readonly ready: Promise<void>
  /** Aborts if the guard has died. */
  readonly died: AbortSignal

  constructor(options: GuardOptions) {
    this.#machine = options.machine
    // In a session of its own, so that signals to the agent or the script do not reach it; without the mark by which it would be killed.
    const env = { PATH: process.env['PATH'] ?? '' }
    this.#child = spawn(process.execPath, [options.agentFile, 'guard'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      env,
      cwd: '/',
    })
    const died = new AbortController()
    this.died = died.signal
    this.ready = new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        if (!this.#leaving) died.abort(error)
        reject(error)
      }
      this.#child.once('error', fail)
      this.#child.once('exit', (code, signal) => fail(new Error(`guard died (${signal ?? code})`)))
      this.#child.stdout?.once('data', () => resolve())
    })
    // Whoever needs the guard awaits this; `died` aborts as well.
    this.ready.catch(() => undefined)
    this.#child.stdin?.on('error', () => undefined)
    const agent = identify(process.pid)
    if (!agent) throw new Error('the agent cannot find itself among the processes')
    this.#tell({ hello: { agent, machine: options.machine, due: options.due } })
  }

  watch(leader: ProcessId): void {
    this.#tell({ session: leader })
  }

  /** Kills what is left of a session, and nothing else on the machine. The guard no longer watches it. */
  release(leader: ProcessId): void {
    killSession(leader)
    this.#tell({ over: leader.pid })
  }

  /** Kills what is left of a session, and everything else that has the machine's mark. Resolves when all of it is gone. */
  async clear(leader?: ProcessId): Promise<void> {
    if (leader) killSession(leader)
    await killMarked('TPI_MACHINE', this.#machine, { spare: [this.#child.pid ?? 0] })
    if (leader) this.#tell({ over: leader.pid })
  }

  /** Stops and resumes a session, and processes that have left it: while they are stopped, its files can be copied. */
  freeze(leader: ProcessId): Freeze {
    const signal = async (name: 'SIGSTOP' | 'SIGCONT'): Promise<void> => {
      signalGroup(leader.pid, name)
      const own = new Set([process.pid, process.ppid, this.#child.pid])
      for (const id of findMarked('TPI_MACHINE', this.#machine)) if (!own.has(id.pid)) signalProcess(id, name)
    }
    return { stop: async () => signal('SIGSTOP'), resume: async () => signal('SIGCONT') }
  }

  /** The normal end: tells the guard to exit without killing anything. */
  async farewell(): Promise<void> {
    this.#leaving = true
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#tell({ farewell: true })
    this.#child.stdin?.end()
    await within(500, gone)
    this.#child.kill('SIGKILL')
  }

  #tell(message: GuardMessage): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`)
  }
}
