/** Requests that this host cannot meet. */
import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { GENERIC, namedSize } from '../../core/size.ts'
import { formatBytes } from '../../lib/bytes.ts'

/** Sizes that mean "about this large" on any cloud; every other name is a machine type of some cloud. */
const ANYWHERE = /^(xs|s|m|l|xl)(\+.*)?$/

/** Region and spot are accepted: there is only one region, and nothing costs money. */
export function faultsOf(request: MachineRequest, home: string, platform: NodeJS.Platform = process.platform): Fault[] {
  if (platform !== 'linux' && platform !== 'darwin')
    return [{ option: 'cloud', message: '"local" works only on Linux and macOS', hint: 'name another cloud' }]
  return [...sizeFaults(request), ...gpuFaults(request), ...diskFaults(request, home), ...foreignFaults(request)]
}

/** What to do if this host is too small. */
const LESS = 'ask for less, or name another cloud'

function sizeFaults({ size }: MachineRequest): Fault[] {
  const faults: Fault[] = []
  const cpus = availableParallelism()
  if (size.machine !== undefined && size.machine !== 'local' && !ANYWHERE.test(size.machine)) {
    faults.push({
      option: 'machine',
      message: `"${size.machine}" is not a machine type of cloud local`,
      hint: 'leave it out: the machine is this host',
    })
  }
  if (size.cpu !== undefined && size.cpu > cpus) {
    faults.push({ option: 'cpu', message: `${size.cpu} requested, but this host has ${cpus}`, hint: LESS })
  }
  if (size.memoryBytes !== undefined && size.memoryBytes > totalmem()) {
    const has = formatBytes(totalmem())
    faults.push({ option: 'memory', message: `${formatBytes(size.memoryBytes)} requested, but this host has ${has}`, hint: LESS })
  }
  return faults
}

interface Host {
  readonly cpus: number
  readonly memoryBytes: number
}

/** The warning for a size such as "m", which is accepted, if this host is smaller. `undefined`: it is large enough. */
export function shortfallOf(
  { size }: Pick<MachineRequest, 'size'>,
  host: Host = { cpus: availableParallelism(), memoryBytes: totalmem() },
): string | undefined {
  const [name = '', ...besides] = (namedSize(size) ?? '').split('+')
  const { cpu = 0, memoryGiB = 0 } = GENERIC[name] ?? {}
  if (besides.length === 0 && cpu <= host.cpus && memoryGiB * 2 ** 30 <= host.memoryBytes) return undefined
  const what = [`${cpu} processors`, `${memoryGiB} GiB`, ...besides].join(', ')
  const has = `${host.cpus} processors, ${Math.floor(host.memoryBytes / 2 ** 30)} GiB`
  return `machine: "${size.machine}" (${what}) has no effect: the machine is this host (${has})`
}

function gpuFaults({ size }: MachineRequest): Fault[] {
  const wanted = size.gpu?.count ?? 0
  if (wanted === 0) return []
  const { stdout, status } = spawnSync('nvidia-smi', ['-L'], { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] })
  if (status !== 0) return [{ option: 'gpu', message: 'this host has none (nvidia-smi does not work)', hint: LESS }]
  const there = stdout.split('\n').filter((line) => /^GPU \d/.test(line)).length
  return there < wanted ? [{ option: 'gpu', message: `${wanted} requested, but this host has ${there}`, hint: LESS }] : []
}

function diskFaults({ diskBytes }: MachineRequest, home: string): Fault[] {
  if (diskBytes === undefined) return []
  const free = freeBytes(home)
  if (free >= diskBytes) return []
  return [{ option: 'disk-size', message: `${formatBytes(diskBytes)} requested, but ${formatBytes(free)} are free at ${home}`, hint: LESS }]
}

/** Bytes. If the folder does not exist yet, those of the one above it. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch (error) {
    if (dirname(path) === path) throw error
    return freeBytes(dirname(path))
  }
}

function foreignFaults({ image, permissionSet }: MachineRequest): Fault[] {
  const hint = 'leave it out with cloud local: scripts run on this host, as you'
  const faults: Fault[] = []
  if (image !== undefined) faults.push({ option: 'image', message: `"${image}" cannot be booted here`, hint })
  if (permissionSet !== undefined) faults.push({ option: 'permission-set', message: `"${permissionSet}" has no meaning here`, hint })
  return faults
}
