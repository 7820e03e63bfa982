/** The program as one file, so that a round starts it many times a second and no build of a neighbour changes it meanwhile. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
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
  const entry = join(folder, 'entry.mjs')
  // By the command: esbuild's library does not run inside jest.
  execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [
    join(ROOT, 'src/entry.ts'),
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--log-level=error',
    `--banner:js=${REQUIRE}`,
    `--outfile=${entry}`,
  ])
  const cli = join(folder, 'cli.mjs')
  writeFileSync(cli, "import { runCli } from './entry.mjs'\nrunCli()\n")
  const agent = join(folder, 'agent.mjs')
  copyFileSync(process.env['TPI_AGENT_BUNDLE'] ?? join(ROOT, 'build/agent/agent.mjs'), agent)
  return { folder, cli, agent, remove: () => rm(folder, { recursive: true, force: true }) }
}
