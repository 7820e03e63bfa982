/** The runtime of machines, downloaded by curl from npm's registry: unlike `fetch` of Node, curl knows this host's certificates. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { RUNTIMES } from '../../../src/boot/runtime.ts'
import { labCache } from '../cache.ts'
import { run } from '../shell.ts'

/** Once for all tests. Resolves to a home that has the runtime. */
export async function runtimeHome(): Promise<string> {
  const { path, digest } = RUNTIMES.x86_64
  const folder = join(labCache(), 'runtime')
  const file = join(folder, `${digest}.tgz`)
  if (existsSync(file)) return labCache()
  await mkdir(folder, { recursive: true })
  const part = await mkdtemp(join(folder, 'part-'))
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim().replace(/\/+$/, '')
  await run('curl', ['-fsSL', '--retry', '3', '-o', join(part, 'package'), `${registry}/${path}`])
  await rename(join(part, 'package'), file)
  await rm(part, { recursive: true })
  return labCache()
}

/** Commands of this home need not download it. */
export async function shareRuntime(home: string): Promise<void> {
  await mkdir(home, { recursive: true })
  await symlink(join(await runtimeHome(), 'runtime'), join(home, 'runtime'))
}
