/** The program of a caller that is lied to: runs commands and steps one after the other, and reports what each printed and what it cost. */
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { PassThrough } from 'node:stream'
import { type ActionProcess, runMainStep } from '../../src/action.ts'
import { type Process, runCommandLine } from '../../src/cli.ts'
import { keepHeapSmall, tidyUp } from '../../src/lib/heap.ts'
import { openStore } from '../../src/stores/registry.ts'

export interface Call {
  /** Arguments of the command line; absent: the main step of the action, with its inputs in the environment. */
  readonly argv?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly terminal: boolean
}

export interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Seconds of processor time of this call. */
  readonly cpu: number
  /** The most bytes during this call, beyond what the program held before it: it keeps memory that earlier lies took. */
  readonly memory: number
}

keepHeapSmall()
const agentFile = process.env['TPI_AGENT_BUNDLE'] ?? ''
const nobody = (() => process) as unknown as NodeJS.Process['on']

function stream(isTTY: boolean): { readonly stream: NodeJS.WriteStream; text(): string } {
  const through = new PassThrough({ highWaterMark: 1 << 30 })
  return {
    stream: Object.assign(through, { isTTY, columns: 120 }) as unknown as NodeJS.WriteStream,
    text: () => (through.read() as Buffer | null)?.toString('utf8') ?? '',
  }
}

const CALLS = ['init', 'read', 'write', 'list', 'remove', 'clear', 'watch'] as const
let far = false

/** From now on, folder stores are read through the server that TEST_FAR names. */
async function lookThrough(text: string): Promise<void> {
  if (far) return
  far = true
  const { url, token } = JSON.parse(text) as { url: string; token: string }
  const shared = Object.getPrototypeOf(await openStore({ url: `dir://${tmpdir()}` })) as Record<string, unknown>
  const store = (await openStore({ url, credentials: { token } })) as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of CALLS) shared[name] = (...args: unknown[]) => store[name]?.(...args)
}

async function command({ argv = [], env, cwd, terminal }: Call): Promise<Pick<Answer, 'code' | 'out' | 'err'>> {
  const [out, err] = [stream(terminal), stream(terminal)]
  const stdin = Object.assign(new PassThrough().end(), { isTTY: false }) as unknown as NodeJS.ReadStream
  const parts: Process = {
    argv,
    env,
    cwd: () => cwd,
    platform: 'linux',
    stdin,
    stdout: out.stream,
    stderr: err.stream,
    on: nobody,
    agentFile,
  }
  const code = await runCommandLine(parts)
  return { code, out: out.text(), err: err.text() }
}

async function step({ env, cwd }: Call): Promise<Pick<Answer, 'code' | 'out' | 'err'>> {
  // The forge's toolkit reads only the real environment and the real streams.
  Object.assign(process.env, env)
  const [said, { write }] = [[] as string[], process.stdout]
  const stdout = { write: (text: string) => said.push(text) }
  process.stdout.write = (text: string | Uint8Array) => said.push(String(text)) > 0
  const parts: ActionProcess = {
    env,
    cwd,
    ppid: process.ppid,
    platform: process.platform,
    stdout,
    on: nobody,
    agentFile,
    workflow: async () => undefined,
  }
  try {
    return { code: await runMainStep(parts), out: said.join(''), err: '' }
  } finally {
    process.stdout.write = write
    for (const name of Object.keys(env)) delete process.env[name]
  }
}

function mostMemory(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

async function answer(call: Call): Promise<void> {
  if (call.env['TEST_FAR'] !== undefined) await lookThrough(call.env['TEST_FAR'])
  tidyUp()
  // Resets the peak that the kernel keeps: proc_pid_clear_refs(5).
  writeFileSync('/proc/self/clear_refs', '5')
  const [before, held] = [process.cpuUsage(), process.memoryUsage.rss()]
  const said = await (call.argv ? command(call) : step(call))
  const { user, system } = process.cpuUsage(before)
  const measured: Answer = { ...said, cpu: (user + system) / 1e6, memory: mostMemory() - held }
  process.send?.(measured)
}

process.on('message', (call: Call) => void answer(call))
