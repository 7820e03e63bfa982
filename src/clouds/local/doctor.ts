/** Checks of this host before anything is made. */
import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { MachineRequest } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { plural } from '../../lib/text.ts'
import { faultsOf, freeBytes } from './faults.ts'

/** Bytes. With less free space, a large checkpoint may fail. */
const LITTLE = 1e9

export async function examine(request: MachineRequest, home: string, path: string): Promise<readonly Check[]> {
  const faults = faultChecks(faultsOf(request, home))
  return [
    await looked('host', async () => `${process.platform}, ${plural(availableParallelism(), 'CPU')}, ${formatBytes(totalmem())} of memory`),
    await looked('home', async () => homeOf(home)),
    await looked('disk', async () => disk(home)),
    await looked('shell', async () => shell(path)),
    ...faults,
  ]
}

async function homeOf(home: string): Promise<string> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    await rmdir(await mkdtemp(join(home, 'doctor-')))
    return home
  } catch (cause) {
    throw new RemoteError(`${home} cannot be written to: ${(cause as Error).message}`, {
      cause,
      hint: 'set TPI_HOME to a folder that you can write to',
    })
  }
}

async function disk(home: string): Promise<Check | string> {
  const free = freeBytes(home)
  const says = `${formatBytes(free)} are free at ${home}`
  return free >= LITTLE ? says : { what: 'disk', state: 'warning', says, hint: 'checkpoints are kept there until the task is collected' }
}

/** Scripts whose first line does not name a program are run by bash. */
async function shell(path: string): Promise<Check | string> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, 'bash')
    if (await access(file, constants.X_OK).then(...SEEN)) return file
  }
  return { what: 'shell', state: 'warning', says: 'there is no bash', hint: 'start scripts with a line such as #!/bin/sh' }
}

const SEEN = [() => true, () => false] as const
