/** What a runner and its jobs find on the machine: as on the forge's own machines, where that costs nothing. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OF_RUNNER } from '../../wire/machine.ts'
import type { RunnerProgram } from '../../wire/runner.ts'

/** Where a shared library may be: the loader's default folders, and below them those of Debian's architectures. */
const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64']
const ARCHITECTURE = /^(?:x86_64|aarch64)-linux-gnu$/

/**
 * A folder for tools, which stay there from job to job, under the names that GitHub's own machines and its `setup-…` actions use for it.
 */
export async function toolFolder(home: string, base: Readonly<Record<string, string | undefined>>): Promise<Record<string, string>> {
  // The image may have its own folder with tools.
  const folder = base['RUNNER_TOOL_CACHE'] ?? base['AGENT_TOOLSDIRECTORY'] ?? join(home, OF_RUNNER.tools)
  await mkdir(folder, { recursive: true }).catch(() => undefined)
  return { RUNNER_TOOL_CACHE: folder, AGENT_TOOLSDIRECTORY: folder }
}

/** What the environment needs in addition if an optional library is missing. `given`: what the runner gets in any case. */
export async function withoutLibrary(
  { lacking }: Pick<RunnerProgram, 'lacking'>,
  given: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  if (lacking === undefined || Object.keys(lacking.env).some((name) => name in given)) return {}
  const paths = [...(given['LD_LIBRARY_PATH'] ?? '').split(':').filter(Boolean), ...LIBRARIES]
  return (await hasLibrary(lacking.library, paths)) ? {} : lacking.env
}

export async function hasLibrary(name: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const names = await readdir(folder).catch((): string[] => [])
    if (names.some((one) => one.startsWith(`${name}.so`))) return true
    const below = names.filter((one) => ARCHITECTURE.test(one)).map((one) => join(folder, one))
    if (below.length > 0 && (await hasLibrary(name, below))) return true
  }
  return false
}
