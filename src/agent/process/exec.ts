/** Runs commands that `tpi exec` asks for by way of the store (`wire/exec.ts`): beside the script, as its user, in its folder. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { orAborted, within } from '../../lib/abort.ts'
import { abortIn, systemClock } from '../../lib/clock.ts'
import { type NotStarted, notStarted, whyNotIn } from '../../lib/not-started.ts'
import { exitCodeOf, identify, killMarked } from '../../lib/process.ts'
import { messageOf } from '../../lib/text.ts'
import { type ExecAnswer, type ExecRequest, MOST_OUTPUT } from '../../wire/exec.ts'
import { VERSION } from '../../wire/parse.ts'
import type { MachineContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import { asScriptUser, makeEndable } from '../vm/script-user.ts'
import type { Guard } from './guard-client.ts'
import type { ProgramPlace } from './script.ts'

/** Commands that may run at the same time. */
const AT_ONCE = 4
/** Milliseconds for the rest of the output once the command has ended: a background process may keep the pipe open. */
const DRAIN = 500
/** The variable by which all processes of a command are known, wherever they are: its value is the id of the request. */
const MARK = 'TPI_EXEC'
/** Times that a command is killed until its client has ended, and milliseconds between them: an engine may be about to start it. */
const KILLS = { tries: 20, pause: 250 }
const RESTARTED = 'the agent of this machine was restarted, and the command was lost: run it again'

export interface ExecParts {
  readonly context: Pick<MachineContext, 'config' | 'store' | 'keys' | 'say'>
  readonly guard: Pick<Guard, 'watch' | 'release'>
  /** The slot that this machine holds, if any. */
  readonly slot: () => number | undefined
  /** Where the user's program runs; `undefined`: none has started yet. */
  readonly place: () => ProgramPlace | undefined
  readonly over: AbortSignal
}

export class ExecRequests {
  readonly #parts: ExecParts
  /** Ids of the requests that the last look found; `undefined` before the first look. */
  #seen: ReadonlySet<string> | undefined
  readonly #running = new Map<string, AbortController>()

  constructor(parts: ExecParts) {
    this.#parts = parts
  }

  /** Takes note of all requests on record: runs new ones, and ends commands whose request is gone. */
  heed(requests: readonly ExecRequest[]): void {
    if (this.#parts.context.config.execs !== true) return
    const seen = this.#seen
    this.#seen = new Set(requests.map(({ id }) => id))
    for (const [id, unwanted] of this.#running) if (!this.#seen.has(id)) unwanted.abort()
    const { context, slot } = this.#parts
    if (!seen) {
      // What the first look finds was asked of an earlier agent on this machine: nobody knows how far that command got.
      for (const request of requests)
        if (request.machine === context.config.machine) void this.#reply(request, refused(RESTARTED)).catch(() => undefined)
      return
    }
    for (const request of requests)
      if (!seen.has(request.id) && request.machine === context.config.machine && request.slot === slot()) void this.#serve(request)
  }

  async #serve(request: ExecRequest): Promise<void> {
    const { context, over } = this.#parts
    const unwanted = new AbortController()
    const busy = this.#running.size >= AT_ONCE
    this.#running.set(request.id, unwanted)
    try {
      const said = busy
        ? refused(`${AT_ONCE} commands are already running on this machine`)
        : await this.#run(request, AbortSignal.any([unwanted.signal, over])).catch((error: unknown) =>
            // `spawn` itself may throw: an argument may be longer than the system allows.
            refused(`it could not be started: ${messageOf(error)}`),
          )
      if (!unwanted.signal.aborted) await this.#reply(request, said)
    } catch (error) {
      if (!over.aborted) context.say(`exec: the answer could not be stored: ${messageOf(error)}`)
    } finally {
      this.#running.delete(request.id)
    }
  }

  async #reply({ id }: ExecRequest, said: Answer): Promise<void> {
    const { context, over } = this.#parts
    const bytes = Buffer.from(JSON.stringify({ v: VERSION, ...said }))
    await persist(async (limit) => context.store.write(context.keys.answer(id), bytes, { absent: true }, limit), over)
  }

  async #run({ id, argv, seconds }: ExecRequest, halt: AbortSignal): Promise<Answer> {
    const { guard } = this.#parts
    const place = this.#parts.place()
    if (!place) return refused('the machine is still starting: there is no work directory yet')
    const why = await whyNotIn(place.cwd)
    if (why !== undefined) return refused(why)
    const child = this.#start(id, argv, place)
    const [out, err] = [new Kept(child.stdout), new Kept(child.stderr)]
    using late = abortIn(systemClock, seconds * 1000)
    const leader = child.pid === undefined ? undefined : identify(child.pid)
    if (leader) guard.watch(leader)
    const exit = ended(child, place.cwd)
    const end = await orAborted(exit, AbortSignal.any([halt, late.signal])).catch(() => undefined)
    const left = end ? undefined : await this.#kill(id, exit)
    if (end) await within(DRAIN, Promise.all([out.whole, err.whole]))
    if (leader) guard.release(leader)
    const how = end ? { code: end.code } : { problem: `it ran for longer than ${seconds} s, and ${left ?? 'was killed'}` }
    const said = end?.why === undefined ? err.text : Buffer.from(`tpi: ${end.why}\n`).toString('base64')
    return { ...how, out: out.text, err: said, ...(out.cut || err.cut ? { cut: true } : {}) }
  }

  #start(id: string, argv: readonly string[], { env, cwd, container }: ProgramPlace): Child {
    const { system } = this.#parts.context.config
    const bare = { argv, env: { ...env, [MARK]: id } }
    const plain = system ? asScriptUser(bare, system) : bare
    const own = container?.beside(argv, cwd, `${MARK}=${id}`) ?? plain
    const [command = '', ...rest] = own.argv
    const child = spawn(command, rest, { cwd, env: { ...own.env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    if (system) makeEndable(child.pid)
    return child
  }

  /** Kills the command with all that it has started. Resolves to what people need to know if some of it could not be killed. */
  async #kill(id: string, exit: Promise<unknown>): Promise<string | undefined> {
    try {
      // A daemon that started the command in a container lets it go on when its client is gone. So the client is killed last.
      for (let kills = 0; kills < KILLS.tries; kills++) {
        await killMarked(MARK, id)
        if (await within(KILLS.pause, exit)) return undefined
      }
      return 'may not have ended, although it was killed'
    } catch (error) {
      const left = `not all of it could be killed (${messageOf(error)})`
      this.#parts.context.say(`exec: ${left}`)
      return left
    }
  }
}

type Answer = Omit<ExecAnswer, 'v'>

const refused = (problem: string): Answer => ({ problem, out: '', err: '' })

type Child = ChildProcessByStdio<null, Readable, Readable>

/** The exit code, as in shells: 127 not found, 126 cannot be run, 128 + n after a signal. With the reason if the system did not start it. */
async function ended(child: Child, cwd: string): Promise<Pick<NotStarted, 'code'> & Partial<NotStarted>> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error, { name: child.spawnfile, cwd })))
    child.once('exit', (code, signal) => resolve({ code: exitCodeOf(code, signal) }))
  })
}

/** The beginning of a stream. The rest is read, so that the command can go on, and dropped. */
class Kept {
  readonly whole: Promise<void>
  readonly #parts: Buffer[] = []
  #length = 0
  cut = false

  constructor(stream: Readable) {
    this.whole = new Promise((resolve) => {
      stream.on('data', (bytes: Buffer) => this.#take(bytes))
      stream.once('close', () => resolve())
      stream.once('error', () => resolve())
    })
  }

  #take(bytes: Buffer): void {
    const room = MOST_OUTPUT - this.#length
    if (bytes.length > room) this.cut = true
    // Even an empty view would keep the memory of its whole piece.
    if (room === 0) return
    this.#parts.push(bytes.subarray(0, room))
    this.#length += Math.min(bytes.length, room)
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString('base64')
  }
}
