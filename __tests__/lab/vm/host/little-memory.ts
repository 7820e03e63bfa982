/**
 * Limits the memory of a script on a machine. If this host has control groups of version 1, a machine has no memory group of its own, so a
 * group of the host takes the script's processes (https://docs.kernel.org/admin-guide/cgroup-v1/memory.html). Otherwise the machine's own
 * systemd sets the limit (systemd.resource-control(5)).
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../../setup/wait.ts'
import { inside, type VirtualMachine } from './virtual-machine.ts'

const GROUPS = '/sys/fs/cgroup/memory'
const SLICE = 'tpi-script.slice'

/** Resolves to a function that lifts the limit, for when the script has ended. */
export async function littleMemory(machine: Pick<VirtualMachine, 'first' | 'run'>, bytes: number): Promise<() => Promise<void>> {
  if (!existsSync(GROUPS)) {
    await machine.run('systemctl', 'set-property', '--runtime', SLICE, `MemoryMax=${bytes}`)
    return async () => undefined
  }
  const group = join(GROUPS, `tpi-lab-${process.pid}`)
  await mkdir(group)
  await writeFile(join(group, 'memory.limit_in_bytes'), String(bytes))
  const space = await readlink(`/proc/${await machine.first()}/ns/pid`)
  for (const pid of await inside(space)) {
    const ofScript = await readFile(`/proc/${pid}/cgroup`, 'utf8').then(
      (text) => text.includes(SLICE),
      () => false,
    )
    if (ofScript) await writeFile(join(group, 'cgroup.procs'), String(pid))
  }
  return async () => {
    await until('the group is empty', async () => (await readFile(join(group, 'cgroup.procs'), 'utf8')) === '')
    await rmdir(group)
  }
}
