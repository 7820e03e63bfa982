/** The program, bundled so that a round can start it many times a second; a separate copy, which other builds do not change meanwhile. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const REQUIRE = "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)"

export const CLI = 'cli.mjs'

export interface Program {
  readonly folder: string
  readonly cli: string
  readonly agent: string
  remove(): Promise<void>
}

/** Shared by all tests that only run it. */
export function commonCli(): string {
  const cli = process.env['TPI_CLI_BUNDLE']
  if (!cli) throw new Error('the command line is built for tests of processes, labs and storms alone: see __tests__/setup/programs.ts')
  return cli
}

/** Bundles the command line into a folder of its own. Like the released one, it keeps what Node has compiled: beside that folder, for all tests. */
export function bundleCli(folder: string): void {
  bundle(join(ROOT, 'src/entry.ts'), folder)
  const text = `import module from 'node:module'
module.enableCompileCache(${JSON.stringify(join(dirname(folder), 'compiled'))})
const { runCli } = await import('./entry.mjs')
runCli()
`
  writeFileSync(join(folder, CLI), text)
}

export async function buildProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-program-'))
  cpSync(dirname(commonCli()), folder, { recursive: true })
  const cli = join(folder, CLI)
  const agent = join(folder, 'agent.mjs')
  copyFileSync(AGENT, agent)
  return { folder, cli, agent, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The same, on a host whose wall clock is set: all of its processes are off by the number of milliseconds in the file. */
export async function buildJumpingProgram(): Promise<Program & { jump(milliseconds: number): void }> {
  const program = await buildProgram()
  const [file, shim] = [join(program.folder, 'offset'), join(program.folder, 'clock.mjs')]
  const jump = (milliseconds: number): void => {
    // Replaced as a whole, so that no reader sees half a number.
    writeFileSync(`${file}.new`, String(milliseconds))
    renameSync(`${file}.new`, file)
  }
  jump(0)
  writeFileSync(
    shim,
    `import { readFileSync } from 'node:fs'
const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [Real.now() + off()] : given))
  }
  static now = () => Real.now() + off()
}
function off() {
  return Number(readFileSync(${JSON.stringify(file)}, 'latin1'))
}
`,
  )
  for (const path of [program.cli, program.agent]) {
    const text = readFileSync(path, 'utf8')
    const [, first = '', rest = ''] = /^(#![^\n]*\n)?([^]*)$/.exec(text) ?? []
    writeFileSync(path, `${first}import ${JSON.stringify(shim)}\n${rest}`)
  }
  return { ...program, jump }
}

/** The action, whose main step gets a signal at a chosen call: see `mortal-action.ts`. */
export async function buildMortalAction(): Promise<{ readonly dist: string; remove(): Promise<void> }> {
  const dist = await mkdtemp(join(tmpdir(), 'tpi-mortal-'))
  bundle(join(import.meta.dirname, 'mortal-action.ts'), dist)
  writeFileSync(join(dist, 'package.json'), '{"type":"module"}')
  for (const [door, run] of [
    ['main', 'runMortalMain'],
    ['post', 'runPost'],
  ])
    writeFileSync(join(dist, `${door}.js`), `import { ${run} } from './entry.mjs'\nawait ${run}()\n`)
  mkdirSync(join(dist, 'agent'))
  copyFileSync(AGENT, join(dist, 'agent/agent.mjs'))
  return { dist, remove: () => rm(dist, { recursive: true, force: true }) }
}

/** Also shared by all tests. */
export const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(ROOT, 'build/agent/agent.mjs')

/** Like `entry.mjs`, with separate chunks that are loaded on demand: loading everything would take longer than many a command. */
function bundle(entry: string, folder: string): void {
  const names = [`--outdir=${folder}`, '--entry-names=entry', '--out-extension:.js=.mjs']
  bundled(entry, '--splitting', `--banner:js=${REQUIRE}`, ...names)
}

/** A program for Node.js in one file, unless the options lead it into a folder. */
export function bundled(entry: string, ...options: readonly string[]): Buffer {
  const flags = ['--bundle', '--platform=node', '--format=esm', '--log-level=error']
  // Through the command, because esbuild's library does not run inside jest.
  return execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [entry, ...flags, ...options])
}
