/** Before any test: builds the machine program as it is released, and the command line for tests of processes, if a source is newer. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildAgent } from '../../scripts/build-agent.ts'
import { bundleCli, CLI } from '../storm/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILD = join(ROOT, 'build')
const SOURCES = ['src', 'scripts/build-agent.ts', 'package-lock.json']
/** Milliseconds: no test run takes this long. */
const OLD = 6 * 60 * 60_000

function newest(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

export default async function programs(): Promise<void> {
  const sources = Math.max(...SOURCES.map((path) => newest(join(ROOT, path))))
  await agent(sources)
  if ((process.env['TPI_TEST'] ?? 'unit') !== 'unit') commandLine(sources)
}

async function agent(sources: number): Promise<void> {
  const bundle = join(BUILD, 'agent/agent.mjs')
  process.env['TPI_AGENT_BUNDLE'] = bundle
  if (existsSync(bundle) && statSync(bundle).mtimeMs >= sources) return
  try {
    await buildAgent(bundle)
  } catch (error) {
    // Suites that need no machine can still run; the others find no bundle and fail.
    rmSync(bundle, { force: true })
    console.error('the agent was not built:', error)
  }
}

/** Each state of the sources has a folder of its own: another test run may be using an older one. */
function commandLine(sources: number): void {
  const all = join(BUILD, 'cli')
  const folder = join(all, String(sources))
  process.env['TPI_CLI_BUNDLE'] = join(folder, CLI)
  if (existsSync(folder)) return
  mkdirSync(all, { recursive: true })
  for (const name of readdirSync(all))
    if (statSync(join(all, name)).mtimeMs < Date.now() - OLD) rmSync(join(all, name), { recursive: true })
  const part = `${folder}.${process.pid}`
  try {
    bundleCli(part)
    renameSync(part, folder)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    if (!existsSync(folder)) console.error('the command line was not built:', error)
  }
}
