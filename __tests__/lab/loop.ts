/** Files of this host as block devices. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Missing } from './missing.ts'
import { run } from './shell.ts'

/** Resolves to the device's path; its file is in the folder. */
export async function attach(folder: string, name: string, size: string): Promise<string> {
  const file = join(folder, `${name}.img`)
  await rm(file, { force: true })
  await run('truncate', ['--size', size, file])
  try {
    return (await run('losetup', ['--find', '--show', file])).trim()
  } catch (error) {
    throw new Missing(`a file could not become a block device: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

export async function detach(device: string): Promise<void> {
  await run('losetup', ['--detach', device])
}
