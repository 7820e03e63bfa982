/** Before any test: the machine program, built the way it is released, when a source is newer than it. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildAgent } from '../../scripts/build-agent.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['src', 'scripts/build-agent.ts', 'package-lock.json']

function newest(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

export default async function agent(): Promise<void> {
  const bundle = join(ROOT, 'build/agent/agent.mjs')
  process.env['TPI_AGENT_BUNDLE'] = bundle
  if (!existsSync(join(ROOT, 'src/agent/main.ts'))) return
  const sources = Math.max(...SOURCES.map((path) => newest(join(ROOT, path))))
  if (existsSync(bundle) && statSync(bundle).mtimeMs >= sources) return
  try {
    await buildAgent(bundle)
  } catch (error) {
    // Suites that need no machine still have their say; those that do find no bundle and fail.
    rmSync(bundle, { force: true })
    console.error('the agent was not built:', error)
  }
}
