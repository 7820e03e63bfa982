/**
 * A control group (cgroup) for each machine, so that all of its processes are found: even one that has left its session, its parents and its
 * environment is still in it. Only on hosts with version 2 (Linux 5.14 or later) that allow making one below this process's own.
 */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bootNow, pause } from '../../lib/clock.ts'
import { readSystemFile } from '../../lib/files.ts'
import { exists, type MachineFolder } from './folder.ts'

/** Where version 2 is mounted: alone, or beside version 1. */
const TREES = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']

const nameOf = (machine: MachineFolder): string => `tpi-${machine.name}`

/** The folder of this process's own control group; `undefined`: none can be seen. */
function ownFolder(): string | undefined {
  const line = readSystemFile('/proc/self/cgroup')
    ?.split('\n')
    .find((text) => text.startsWith('0::'))
  if (line === undefined) return undefined
  // In a container the path may be the host's: then the mounted root is this process's own group.
  const folders = TREES.flatMap((tree) => [join(tree, line.slice(3)), tree])
  return folders.find((folder) => exists(join(folder, 'cgroup.controllers')))
}

/** Makes the control group of a machine that is about to start; `undefined` if that is not possible. */
export async function makeCgroup(machine: MachineFolder): Promise<string | undefined> {
  const own = ownFolder()
  if (own === undefined) return undefined
  const folder = join(own, nameOf(machine))
  // Recorded first: if it was made without a record, nobody would remove it.
  await writeFile(machine.path('cgroup'), folder, { mode: 0o600 })
  try {
    mkdirSync(folder)
  } catch {
    return undefined
  }
  if (exists(join(folder, 'cgroup.kill'))) return folder
  rmdirSync(folder)
  return undefined
}

/** Called right after the start, before the process can have started others. If it cannot be moved, it is still found by its environment. */
export function enterCgroup(folder: string, pid: number): void {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  } catch {
    // It has died already, or the host refuses after all.
  }
}

/** SIGKILLs every process in the control group of a machine, and removes the group. `patience`: milliseconds. Rejects if some process stays. */
export async function killCgroup(machine: MachineFolder, patience: number): Promise<void> {
  const folder = await folderOf(machine)
  if (folder === undefined || !exists(folder)) return
  stepOut(folder)
  const giveUp = bootNow() + patience
  for (;;) {
    try {
      writeFileSync(join(folder, 'cgroup.kill'), '1')
      removeTree(folder)
      return
    } catch (error) {
      if (!exists(folder)) return
      if (bootNow() > giveUp) throw new Error(`processes of ${machine.name} could not be killed: see ${folder}`, { cause: error })
    }
    await pause(5)
  }
}

/** The recorded folder. Without a record (the machine's folder is gone), the one that this process would have made. */
async function folderOf(machine: MachineFolder): Promise<string | undefined> {
  const noted = await readFile(machine.path('cgroup'), 'utf8').catch(() => undefined)
  if (noted !== undefined) return basename(noted) === nameOf(machine) ? noted : undefined
  const own = ownFolder()
  return own && join(own, nameOf(machine))
}

/** A command that ends the machine in which it runs itself must survive: it leaves that control group. */
function stepOut(folder: string): void {
  if (ownFolder()?.startsWith(folder)) enterCgroup(dirname(folder), process.pid)
}

/** Files in a control group cannot be removed, and need not be: only groups that programs have made in it. */
function removeTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeTree(join(folder, entry.name))
  rmdirSync(folder)
}
