/** The file system of a machine: a small Debian that boots systemd, made once. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const SUITE = 'bookworm'
const PACKAGES = ['dbus', 'libstdc++6', 'systemd', 'systemd-sysv']
const RECIPE = '1'

/** Path of the tree; nobody writes to it: each machine has a layer of its own above. */
export async function machineRoot(): Promise<string> {
  try {
    return join(await cached('machine', digestOf(RECIPE, SUITE, ...PACKAGES), make), 'root')
  } catch (error) {
    throw new Missing(`a Debian that boots could not be created: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function make(folder: string): Promise<void> {
  const root = join(folder, 'root')
  await run('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${PACKAGES.join(',')}`, SUITE, root])
  // Each machine finds out for itself who it is.
  await rm(join(root, 'etc/hostname'), { force: true })
  await writeFile(join(root, 'etc/machine-id'), '')
}
