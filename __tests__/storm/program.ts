/** The program as one file, so that a round starts it many times a second and no build of a neighbour changes it meanwhile. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const REQUIRE = "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)"

export interface Program {
  readonly folder: string
  readonly cli: string
  readonly agent: string
  remove(): Promise<void>
}

export async function buildProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-program-'))
  bundle(join(ROOT, 'src/entry.ts'), join(folder, 'entry.mjs'))
  const cli = join(folder, 'cli.mjs')
  writeFileSync(cli, "import { runCli } from './entry.mjs'\nrunCli()\n")
  const agent = join(folder, 'agent.mjs')
  copyFileSync(AGENT, agent)
  return { folder, cli, agent, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The action, whose main step gets a signal at a chosen call: see `mortal-action.ts`. */
export async function buildMortalAction(): Promise<{ readonly dist: string; remove(): Promise<void> }> {
  const dist = await mkdtemp(join(tmpdir(), 'tpi-mortal-'))
  bundle(join(import.meta.dirname, 'mortal-action.ts'), join(dist, 'entry.mjs'))
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

const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(ROOT, 'build/agent/agent.mjs')

/** By the command: esbuild's library does not run inside jest. */
function bundle(entry: string, outfile: string): void {
  const flags = ['--bundle', '--platform=node', '--format=esm', '--log-level=error', `--banner:js=${REQUIRE}`, `--outfile=${outfile}`]
  execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [entry, ...flags])
}
