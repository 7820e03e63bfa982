/** Checks of this host before anything is made. */
import { mkdtemp, rmdir } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { MachineRequest } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { makePrivate } from '../../lib/files.ts'
import { onPath } from '../../lib/on-path.ts'
import { messageOf, plural } from '../../lib/text.ts'
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
    await makePrivate(home)
    await rmdir(await mkdtemp(join(home, 'doctor-')))
    return home
  } catch (cause) {
    throw new RemoteError(`${home} cannot be written to: ${messageOf(cause)}`, {
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
function shell(path: string): Check | string {
  return (
    onPath('bash', path) ?? {
      what: 'shell',
      state: 'warning',
      says: 'there is no bash',
      hint: 'start scripts with a line such as #!/bin/sh',
    }
  )
}
