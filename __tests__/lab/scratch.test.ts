/** `scratch` on real block devices (loop devices): which are formatted, which are only used, and which are never touched. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { layScratch } from '../../src/agent/vm/scratch.ts'
import { attach, detach } from './loop.ts'
import { orMissing } from './missing.ts'
import { run } from './shell.ts'

const DISKS = /^by-id\/nvme-Local_/

let folder: string
let home: string
let able: boolean
const devices: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-scratch-'))
  home = join(folder, 'home')
  await mkdir(join(folder, 'links/by-id'), { recursive: true })
  able = (await orMissing('no loop devices', async () => detach(await attach(folder, 'probe', '16M')).then(() => true))) ?? false
})
afterEach(async () => {
  for (const mount of [home, join(folder, 'mnt')]) await run('umount', [mount]).catch(() => undefined)
  for (const device of devices.splice(0)) await detach(device)
  await rm(join(folder, 'links/by-id'), { recursive: true })
  await mkdir(join(folder, 'links/by-id'))
})
afterAll(async () => rm(folder, { recursive: true, force: true }))

/** A disk of the machine, named as by udev. */
async function disk(name: string, size = '64M'): Promise<string> {
  const device = await attach(folder, name, size)
  devices.push(device)
  await symlink(device, join(folder, 'links/by-id', name))
  return device
}

async function lay(): Promise<{ why: string | undefined; said: string }> {
  const said: string[] = []
  const why = await layScratch({ home, disks: DISKS, links: join(folder, 'links'), say: (line) => said.push(line) })
  return { why, said: said.join('\n') }
}

const source = async (): Promise<string> =>
  (await run('findmnt', ['--noheadings', '--output', 'SOURCE,FSTYPE', home])).trim().replace(/\s+/g, ' ')
const start = async (device: string): Promise<string> => (await readFile(device)).subarray(0, 1 << 20).toString('base64')

test('a blank local disk is formatted and holds the folder; the other disks of the machine stay as they are', async () => {
  if (!able) return
  const [local, other] = [await disk('nvme-Local_1'), await disk('nvme-Elastic_1')]
  const before = await start(other)
  expect(await lay()).toEqual({ why: undefined, said: `scratch: on ${local} (67 MB)` })
  expect(await source()).toBe(`${local} ext4`)
  expect(await start(other)).toBe(before)
  // An agent that restarts finds the folder mounted; a machine that restarts finds its own file system on the disk.
  await writeFile(join(home, 'kept'), 'yes')
  expect(await lay()).toEqual({ why: undefined, said: '' })
  await run('umount', [home])
  expect(await lay()).toEqual({ why: undefined, said: `scratch: on ${local} (67 MB)` })
  expect(await readFile(join(home, 'kept'), 'utf8')).toBe('yes')
})

test('without mdadm the largest of several is used, and the output says so', async () => {
  if (!able) return
  const [small, large] = [await disk('nvme-Local_1'), await disk('nvme-Local_2', '96M')]
  const { why, said } = await lay()
  expect(why).toBeUndefined()
  expect(said).toMatch(new RegExp(`^scratch: only one of ${small} and ${large} is used: .*\nscratch: on ${large} \\(101 MB\\)$`))
})

const SOMETHING: readonly (readonly [what: string, put: (device: string) => Promise<unknown>])[] = [
  ['a file system', async (device) => run('mkfs.ext4', ['-q', device])],
  ['a partition table', async (device) => writeFile(device, table(), { flag: 'r+' })],
  ['a swap area', async (device) => run('mkswap', [device])],
  ['an encrypted volume', async (device) => writeFile(device, Buffer.from('LUKS\xba\xbe\x00\x01', 'latin1'), { flag: 'r+' })],
]

test.each(SOMETHING)('a local disk with %s is not formatted, and the script does not start', async (_, put) => {
  if (!able) return
  const device = await disk('nvme-Local_1')
  await put(device)
  await run('sync', [])
  const before = await start(device)
  expect((await lay()).why).toBe(`scratch: ${device} is in use or has something on it, and is not formatted`)
  expect(await start(device)).toBe(before)
})

test('a disk that the image has mounted is used where it is mounted', async () => {
  if (!able) return
  const device = await disk('nvme-Local_1')
  const mnt = join(folder, 'mnt')
  await mkdir(mnt, { recursive: true })
  await run('mkfs.ext4', ['-q', device])
  await run('mount', [device, mnt])
  await writeFile(join(mnt, 'theirs'), '')
  expect((await lay()).said).toBe(`scratch: in ${mnt}/tpi, where the image has mounted ${device} (67 MB)`)
  await writeFile(join(home, 'ours'), 'here')
  expect(await readFile(join(mnt, 'tpi/ours'), 'utf8')).toBe('here')
})

test('a machine without a local disk says so', async () => {
  if (!able) return
  await disk('nvme-Elastic_1')
  expect((await lay()).why).toBe('scratch: this machine has no local disk; choose a machine type that has one')
})

/** A partition table with one partition, as in DOS: https://en.wikipedia.org/wiki/Master_boot_record */
function table(): Buffer {
  const sector = Buffer.alloc(512)
  sector.set([0x00, 0, 2, 0, 0x83, 0xff, 0xff, 0xff], 446)
  sector.writeUInt32LE(2048, 454)
  sector.writeUInt32LE(4096, 458)
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}
