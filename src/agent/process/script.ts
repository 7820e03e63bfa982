/** Starts a program of the user in its own session, watched by the guard. What it writes to stdout and stderr stays in one order. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { within } from '../../lib/abort.ts'
import { pause } from '../../lib/clock.ts'
import { interpreterLine, notStarted, whyNotIn } from '../../lib/not-started.ts'
import { onPath } from '../../lib/on-path.ts'
import { exitCodeOf, identify, type ProcessId, signalGroup } from '../../lib/process.ts'
import { run } from '../../lib/run.ts'
import type { OwnSystem } from '../../wire/machine.ts'
import type { Program } from '../../wire/program.ts'
import type { Container } from '../vm/container.ts'
import { asScriptUser, giveToScript, makeEndable } from '../vm/script-user.ts'
import type { Guard } from './guard-client.ts'

/** Where and with what environment a program of the user runs. */
export interface ProgramPlace {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Present if it runs inside a container. */
  readonly container?: Container | undefined
}

export interface ScriptOptions extends ProgramPlace {
  readonly name: 'setup' | 'script'
  readonly program: Program
  /** The agent's folder, for the text of the script. */
  readonly run: string
  /** Present if the machine runs a whole operating system: then the program runs as another user. */
  readonly system?: OwnSystem | undefined
  readonly guard: Guard
  readonly say: (line: string) => void
  readonly output: OutputSink
}

export interface OutputSink {
  write(bytes: Uint8Array): void
  /** The program should wait before it prints more. */
  readonly full: boolean
  /** Resolves when it is no longer full. */
  room(): Promise<void>
}

export interface Exit {
  /** 128 + n for a signal, as in shells. */
  readonly code: number
  readonly signal?: NodeJS.Signals
}

export interface Running {
  readonly id: ProcessId
  readonly exit: Promise<Exit>
  signal(name: NodeJS.Signals): void
  /** Kills what the program left behind and resolves when its output is complete. */
  clear(): Promise<void>
}

/** Milliseconds for the rest of the output, once every process that could write it is dead. */
const DRAIN = 2000

/** Starts the program. If that is impossible, resolves to an exit code as shells have it: 127 not found, 126 cannot be run. */
export async function startProgram(options: ScriptOptions): Promise<Running | Exit> {
  const { cwd } = options
  const missing = await whyNotIn(cwd)
  if (missing !== undefined) {
    complain(options, missing)
    return { code: 127 }
  }
  const [direct, pipe] = await Promise.all([argvOf(options), makePipe(join(options.run, `${options.name}.pipe`))])
  if (options.system) await handOver(options)
  let argv = direct
  for (let tries = 0; ; tries++) {
    try {
      const child = await launch(argv, options, pipe)
      pipe?.given()
      return supervise(child, options, pipe)
    } catch (error) {
      const trouble = error as NodeJS.ErrnoException
      const { code } = trouble
      // Another child that was forked a moment ago may still have the script's file open for writing.
      if (code === 'ETXTBSY' && tries < 50) {
        await pause(10)
        continue
      }
      const reader = code === 'EACCES' && argv === direct ? readerOf(options.program) : undefined
      if (reader) {
        argv = [...reader, ...direct]
        continue
      }
      pipe?.given()
      pipe?.output.destroy()
      const [file = ''] = argv
      const name = 'script' in options.program ? `the ${options.name === 'setup' ? 'set-up' : 'script'}` : file
      const { code: exit, why } = notStarted(trouble, { name, file, cwd })
      complain(options, why)
      return { code: exit }
    }
  }
}

/** Prints a message into the program's output, as a shell would: whoever reads that must learn why there is none. */
function complain({ output }: ScriptOptions, message: string): void {
  output.write(Buffer.from(`tpi: ${message}\n`))
}

async function argvOf(options: ScriptOptions): Promise<string[]> {
  const { program, container } = options
  const file = join(options.run, options.name)
  if ('script' in program) await writeFile(file, program.script, { mode: 0o700 })
  if (container) return [...container.argvOf(program, file)]
  if ('argv' in program) return [...program.argv]
  if (program.script.startsWith('#!')) return [file]
  if (onPath('bash', options.env['PATH'])) return ['bash', '-e', '-o', 'pipefail', file]
  complain(options, 'bash was not found: the script runs with sh -e, which does not notice a failing command inside a pipe')
  return ['sh', '-e', file]
}

/**
 * The interpreter that the first line of a script names, with its argument. It can read a script that cannot be executed because its file
 * system is mounted with `noexec` (mount(8)).
 */
function readerOf(program: Program): readonly string[] | undefined {
  const line = 'script' in program ? interpreterLine(program.script) : undefined
  return line?.trim().split(/[ \t]+(.*)/, 2)
}

/** Makes the program's user the owner of all that it works on, but not of the agent's own files. */
async function handOver({ run, container }: ScriptOptions): Promise<void> {
  const ours = /^log-|\.pipe$/
  const theirs = (await readdir(run)).filter((name) => !ours.test(name)).map((name) => join(run, name))
  await giveToScript([...['work', 'tmp', 'runner', 'tools'].map((name) => join(dirname(run), name)), ...theirs], container?.owner)
}

async function launch(program: readonly string[], options: ScriptOptions, pipe: OutputPipe | undefined): Promise<ChildProcess> {
  const { name, container, system, cwd } = options
  const bare = { argv: program, env: options.env }
  const plain = system ? asScriptUser(bare, system) : bare
  const { argv, env } = (await container?.invocation({ ...options, name, argv: program })) ?? plain
  const [command = '', ...rest] = argv
  const out = pipe?.writeEnd ?? 'pipe'
  const child = spawn(command, rest, { cwd, env: { ...env }, detached: true, stdio: ['ignore', out, out] })
  if (system) makeEndable(child.pid)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  return child
}

function supervise(child: ChildProcess, options: ScriptOptions, pipe: OutputPipe | undefined): Running {
  const pid = child.pid ?? 0
  // A program that has already ended cannot be identified, but no other process gets its number before its exit is collected.
  const id = identify(pid) ?? { pid, start: 'ended' }
  options.guard.watch(id)
  const sources: Readable[] = pipe ? [pipe.output] : [child.stdout, child.stderr].filter((stream) => stream !== null)
  const drained = Promise.all(sources.map(async (source) => forward(source, options.output)))
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code: exitCodeOf(code, signal), ...(signal && { signal }) }))
  })
  let ended = false
  void exit.then(() => (ended = true))
  return {
    id,
    exit,
    signal: (name) => void (ended || signalGroup(pid, name)),
    clear: async () => {
      // If a process cannot be killed (it is stuck in the kernel), the result of the program must not be lost for that.
      await options.guard.clear(id).catch((error: unknown) => options.say(String(error)))
      while (!(await within(DRAIN, drained)) && options.output.full) await options.output.room()
      for (const source of sources) source.destroy()
    },
  }
}

/** Copies a stream into the sink and waits while that is full. */
async function forward(source: Readable, sink: OutputSink): Promise<void> {
  await new Promise<void>((resolve) => {
    source.on('data', (chunk: Buffer) => {
      sink.write(chunk)
      if (!sink.full) return
      source.pause()
      void sink.room().then(() => source.resume())
    })
    source.once('close', resolve)
    source.once('end', resolve)
    // A failure of the pipe means the same as its end.
    source.once('error', () => resolve())
  })
}

/** One pipe for everything that a program prints. */
interface OutputPipe {
  /** For the program's stdout and stderr. */
  readonly writeEnd: number
  readonly output: Socket
  /** Closes our copy of `writeEnd`, once the program has started: otherwise the output would never end. */
  given(): void
}

/**
 * A real pipe. Node would make a socket for each stream: then the order of stdout and stderr is lost, and a program that opens
 * `/dev/stderr` by name fails. `undefined` if there is no mkfifo(1).
 */
async function makePipe(path: string): Promise<OutputPipe | undefined> {
  try {
    await run('mkfifo', ['-m', '600', path])
  } catch {
    return undefined
  }
  try {
    // The reading end is opened first, without blocking: then opening the writing end does not wait either.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writeEnd = openSync(path, constants.O_WRONLY)
    const output = new Socket({ fd: readEnd, readable: true, writable: false })
    return { writeEnd, output, given: () => closeSync(writeEnd) }
  } finally {
    unlinkSync(path)
  }
}
