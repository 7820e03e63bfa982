/** A branch of control groups for each node, in whichever version the host has. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answered } from '../../setup/wait.ts'
import { signal } from '../../storm/processes.ts'

const ROOT = '/sys/fs/cgroup'
const ALL = 'tpi-lab'

/** Roots of all hierarchies: one in version 2, one per controller in version 1. */
async function hierarchies(): Promise<string[]> {
  if (existsSync(join(ROOT, 'cgroup.controllers'))) return [ROOT]
  const names = await readdir(ROOT, { withFileTypes: true })
  return names.filter((entry) => entry.isDirectory()).map((entry) => join(ROOT, entry.name))
}

/** Makes the branch, and resolves to its path in the kubelet's form. */
export async function makeCgroups(cluster: string, node: string): Promise<string> {
  const path = ['/', ALL, cluster, node]
  for (const hierarchy of await hierarchies()) {
    for (let depth = 2; depth <= path.length; depth++) {
      const folder = join(hierarchy, ...path.slice(0, depth))
      await mkdir(folder, { recursive: true })
      await inherit(folder)
      if (depth === 2) await weigh(folder)
    }
  }
  return join(...path)
}

/** A new branch has no processors (version 1) or no controllers (version 2) until it gets its parent's. */
async function inherit(folder: string): Promise<void> {
  const parent = join(folder, '..')
  for (const name of ['cpuset.cpus', 'cpuset.mems']) {
    const mine = join(folder, name)
    if (!existsSync(mine) || existsSync(join(parent, 'cgroup.controllers'))) continue
    if ((await readFile(mine, 'utf8')).trim() === '') await writeFile(mine, await readFile(join(parent, name)))
  }
  const control = join(parent, 'cgroup.subtree_control')
  if (!existsSync(control)) return
  const controllers = (await readFile(join(parent, 'cgroup.controllers'), 'utf8')).trim().split(' ').filter(Boolean)
  for (const name of controllers) await writeFile(control, `+${name}`).catch(() => undefined)
}

/** Without more weight, all pods together would count as one process among the host's, and starve, which no node of a real cluster does. */
async function weigh(folder: string): Promise<void> {
  for (const [name, weight] of Object.entries({ 'cpu.shares': '16384', 'cpu.weight': '1600' }))
    if (existsSync(join(folder, name))) await writeFile(join(folder, name), weight)
}

/** Removes the branch of a cluster, or of one of its nodes, and kills what still runs there: a killed node leaves its containers. */
export async function removeCgroups(cluster: string, node = ''): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    await removeBranch(join(hierarchy, ALL, cluster, node))
    // Shared with other clusters, so the last one removes it.
    await rmdir(join(hierarchy, ALL, cluster)).catch(() => undefined)
    await rmdir(join(hierarchy, ALL)).catch(() => undefined)
  }
}

async function killAll(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '')
  for (const pid of list.split('\n').map(Number).filter(Boolean)) signal(pid, 'SIGKILL')
}

async function removeBranch(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await removeBranch(join(folder, entry.name))
  // The kernel counts killed processes for a moment longer.
  const remove = async (): Promise<true | undefined> => {
    try {
      await rmdir(folder)
      return true
    } catch {
      await killAll(folder)
      return undefined
    }
  }
  await answered(remove, { limit: 10_000, every: 50 }, () => new Error(`control group ${folder} is still in use`))
}
