/** Where a bench runs: its own folder on a real disk, a copy of the build that nobody replaces meanwhile, and the built command line. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { labCache } from '../__tests__/lab/cache.ts'
import { answered } from '../__tests__/setup/wait.ts'
import type { Row } from './measure.ts'

export interface Ground {
  readonly folder: string
  /** Small sizes and one round, to check that it works, not how fast. */
  readonly quick: boolean
  readonly dist: string
  /** `$TPI_HOME` of everything that runs here. */
  readonly home: string
  /** A new, empty folder. */
  fresh(name: string): Promise<string>
  /** Bytes that can still be written. */
  room(): Promise<number>
  say(text: string): void
}

export interface Bench {
  readonly name: string
  readonly title: string
  readonly notes: readonly string[]
  run(ground: Ground): Promise<readonly Row[]>
}

const ROOT = join(import.meta.dirname, '..')

export async function openGround(quick: boolean, say: (text: string) => void): Promise<Ground & { close(): Promise<void> }> {
  const folder = join(labCache(), `bench-${process.pid}`)
  const dist = join(folder, 'dist')
  await mkdir(folder, { recursive: true })
  await cp(join(ROOT, 'dist'), dist, { recursive: true })
  const ground: Ground = {
    folder,
    quick,
    dist,
    home: join(folder, 'home'),
    async fresh(name) {
      const path = join(folder, name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      return path
    },
    async room() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    say,
  }
  return { ...ground, close: () => leave(ground) }
}

async function leave(ground: Ground): Promise<void> {
  // A failed bench leaves runs only in this home.
  for (const { name } of await facts<{ name: string }[]>(ground, ['list']).catch(() => []))
    await tpi(ground, ['destroy', name, '--discard']).ended
  await rm(ground.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Flushes memory to the disk, so that no bench pays for the one before. */
export function settle(): void {
  spawnSync('sync')
}

/** Runs a shell script with `args` as `$1`, `$2`… */
export async function shell(script: string, args: readonly string[]): Promise<void> {
  const child = spawn('sh', ['-ec', script, 'sh', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`"${script}" ended with ${String(code)}`)
}

export interface Heard {
  /** Milliseconds, wall clock. */
  readonly at: number
  readonly text: string
}

export interface Command {
  readonly child: ChildProcess
  /** Wall clock at its start. */
  readonly began: number
  readonly lines: readonly Heard[]
  /** The first line that matches, including earlier ones. Rejects if the command ends without one. */
  saw(pattern: RegExp): Promise<Heard>
  /** Wall clock at its end; rejects unless the exit code is 0. */
  readonly ended: Promise<number>
}

export function environment(ground: Ground, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: ground.folder, TPI_HOME: ground.home, ...more }
}

/** The environment of a command without Node's compile cache, as in a CI job. https://nodejs.org/api/module.html#module-compile-cache */
export const FRESH = { NODE_DISABLE_COMPILE_CACHE: '1' }

/** Runs the built `tpi`, and reads both its streams line by line. */
export function tpi(ground: Ground, args: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return command([join(ground.dist, 'cli.js'), ...args], environment(ground, env), ground.folder)
}

/** Runs a program with Node. */
export function command(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Command {
  const began = Date.now()
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: Heard[] = []
  const changed = new Set<() => void>()
  const tell = (heard: Heard): void => {
    lines.push(heard)
    for (const look of changed) look()
  }
  for (const stream of [child.stdout, child.stderr]) hear(stream, tell)
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => {
      const tail = lines.slice(-12).map(({ text }) => text)
      if (code === 0) resolve(Date.now())
      else reject(new Error(`${args.slice(0, 6).join(' ')} ended with ${code ?? signal}:\n${tail.join('\n')}`))
    })
  })
  // If nobody waits for the end, its rejection must not count as unhandled.
  ended.catch(() => undefined)
  async function saw(pattern: RegExp): Promise<Heard> {
    return await new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find(({ text }) => pattern.test(text))
        if (found === undefined) return
        changed.delete(look)
        resolve(found)
      }
      changed.add(look)
      look()
      ended.then(() => reject(new Error(`ended without ${String(pattern)}`)), reject)
    })
  }
  return { child, began, lines, saw, ended }
}

function hear(stream: NodeJS.ReadableStream, tell: (heard: Heard) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const at = Date.now()
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const text of parts) tell({ at, text })
  })
}

/** The JSON that a verb prints with `--json`. */
export async function facts<T>(ground: Ground, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<T> {
  const child = spawn(process.execPath, [join(ground.dist, 'cli.js'), ...args, '--json'], {
    env: environment(ground, env),
    cwd: ground.folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  return JSON.parse(text) as T
}

/** Looks until there is an answer. */
export async function poll<T>(what: string, look: () => Promise<T | undefined> | T | undefined, every = 5, limit = 600_000): Promise<T> {
  return answered(look, { limit, every }, () => new Error(`waited ${limit / 1000} s in vain for ${what}`))
}
