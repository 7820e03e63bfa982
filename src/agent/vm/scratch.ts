/**
 * `scratch`: puts the machine's folder on its local disks. A disk is formatted only if its udev name says that it is local, and only if it
 * is blank: one with a signature, a partition, a mount or an open handle belongs to somebody.
 */
import { constants } from 'node:fs'
import { mkdir, open, readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { hasCode } from '../../lib/error-code.ts'
import { run } from '../../lib/run.ts'
import { listed, messageOf } from '../../lib/text.ts'
import { isMountPoint } from './mount-point.ts'

/** Label of the file system that tpi makes, by which it is found after a restart of the machine. At most 16 characters (mke2fs(8)). */
const LABEL = 'tpi-scratch'
const ARRAY = `/dev/md/${LABEL}`
/** Mount points of the system: a disk that has one of them is not used. */
const SYSTEM = /^(?:\/|\/(?:boot|efi|usr|var|home)(?:\/.*)?)$/

export interface ScratchParams {
  /** Folder of this machine, which is put there. */
  readonly home: string
  /** Which of udev's names, below `links`, are of local disks. */
  readonly disks: RegExp
  /** Folder of udev's names; /dev/disk if absent. */
  readonly links?: string
  readonly say: (line: string) => void
}

interface Device {
  readonly path: string
  readonly bytes: number
  readonly type: string
  readonly mount: string | undefined
  readonly readOnly: boolean
  /** Its partitions, and arrays and volumes that it is a part of. */
  readonly above: readonly Device[]
}

/** Resolves to why that is impossible, for people, or to `undefined`. */
export async function layScratch(params: ScratchParams): Promise<string | undefined> {
  try {
    if (await isMountPoint(params.home)) return undefined
    await mkdir(params.home, { recursive: true })
    const disks = await localDisks(params)
    if (disks.length === 0) return 'scratch: this machine has no local disk; choose a machine type that has one'
    params.say(`scratch: ${await lay(disks, params)}`)
    return undefined
  } catch (error) {
    return `scratch: ${messageOf(error)}`
  }
}

/** Resolves to where the folder is now, for people. */
async function lay(disks: readonly Device[], { home, say }: ScratchParams): Promise<string> {
  const all = disks.flatMap((disk) => [disk, ...disk.above])
  const used = largest(all.filter(({ mount }) => mount?.startsWith('/') && !SYSTEM.test(mount)))
  if (used?.mount) {
    const folder = join(used.mount, 'tpi')
    await mkdir(folder, { recursive: true })
    await run('mount', ['--bind', folder, home])
    return `in ${folder}, where the image has mounted ${used.path} (${formatBytes(used.bytes)})`
  }
  const device = (await laidBefore(all)) ?? (await format(disks, say))
  await run('mount', ['-o', 'noatime', device.path, home])
  return `on ${device.path} (${formatBytes(device.bytes)})`
}

/** A file system that tpi made at an earlier boot. */
async function laidBefore(devices: readonly Device[]): Promise<Device | undefined> {
  const labels = await Promise.all(
    devices.map(async ({ path }) => run('blkid', ['--probe', '--match-tag', 'LABEL', '--output', 'value', path]).catch(() => undefined)),
  )
  return devices.find(({ mount }, at) => mount === undefined && labels[at]?.stdout.trim() === LABEL)
}

/** Makes a file system on all blank disks together, or on the largest one. */
async function format(disks: readonly Device[], say: (line: string) => void): Promise<Pick<Device, 'path' | 'bytes'>> {
  const blank = await blankOf(disks)
  if (blank.length === 0) throw new Error(`${names(disks)} is in use or has something on it, and is not formatted`)
  const device = (blank.length > 1 && (await stripe(blank, say))) || largest(await blankOf(blank))
  if (!device) throw new Error(`${names(blank)} is no longer blank`)
  const options = ['-E', 'nodiscard,lazy_itable_init=1,lazy_journal_init=1']
  await run('mkfs.ext4', ['-q', '-L', LABEL, '-m', '0', ...options, device.path])
  return device
}

/** One device from all of the disks; `undefined` if the image has no program for that. */
async function stripe(disks: readonly Device[], say: (line: string) => void): Promise<Pick<Device, 'path' | 'bytes'> | undefined> {
  try {
    const members = disks.map(({ path }) => path)
    await run('mdadm', ['--create', ARRAY, '--run', '--level=0', '--metadata=1.2', `--raid-devices=${members.length}`, ...members])
    return { path: ARRAY, bytes: disks.reduce((sum, { bytes }) => sum + bytes, 0) }
  } catch (error) {
    const isMissing = hasCode(error, 'ENOENT')
    say(`scratch: only one of ${names(disks)} is used: ${isMissing ? 'the image has no mdadm to stripe them' : messageOf(error)}`)
    return undefined
  }
}

async function blankOf(disks: readonly Device[]): Promise<readonly Device[]> {
  const kept: Device[] = []
  for (const disk of disks) if (await isBlank(disk)) kept.push(disk)
  return kept
}

async function isBlank({ path, type, mount, readOnly, above }: Device): Promise<boolean> {
  if (type === 'part' || readOnly || mount !== undefined || above.length > 0) return false
  // It can be opened exclusively only if the system does not use it (open(2), O_EXCL on a block device).
  const alone = await open(path, constants.O_RDWR | constants.O_EXCL).catch(() => undefined)
  if (!alone) return false
  await alone.close()
  // This prints all signatures that it finds, also of partition tables, and fails if it cannot read the disk (wipefs(8)).
  const { stdout } = await run('wipefs', ['--no-act', '--noheadings', path])
  return stdout.trim() === ''
}

async function localDisks({ disks, links = '/dev/disk' }: ScratchParams): Promise<readonly Device[]> {
  // udev may still be making the names.
  await run('udevadm', ['settle', '--timeout=30']).catch(() => undefined)
  const entries = await readdir(links, { recursive: true, withFileTypes: true }).catch(() => [])
  const named = entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name))
  const meant = named.filter((link) => disks.test(relative(links, link)) && !/-part\d+$/.test(link))
  const paths = new Set(await Promise.all(meant.map(async (link) => realpath(link))))
  return Promise.all([...paths].sort().map(deviceAt))
}

async function deviceAt(path: string): Promise<Device> {
  // One line for the device, and one for each thing on it (lsblk(8)).
  const { stdout } = await run('lsblk', ['--pairs', '--bytes', '--paths', '--output', 'NAME,SIZE,TYPE,MOUNTPOINT,RO', path])
  const [found, ...above] = stdout.trim().split('\n').map(deviceOf)
  if (!found) throw new Error(`lsblk knows nothing of ${path}`)
  return { ...found, above }
}

function deviceOf(line: string): Device {
  const fields = Object.fromEntries([...line.matchAll(/([A-Z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  const { NAME: path = '', SIZE: bytes = 0, TYPE: type = '', MOUNTPOINT: mount = '', RO: readOnly = '1' } = fields
  return { path, bytes: Number(bytes), type, mount: mount || undefined, readOnly: readOnly !== '0', above: [] }
}

const largest = (devices: readonly Device[]): Device | undefined => [...devices].sort((a, b) => b.bytes - a.bytes)[0]
const names = (devices: readonly Device[]): string =>
  listed(
    devices.map(({ path }) => path),
    'and',
  )
