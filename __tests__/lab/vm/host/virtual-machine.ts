/** One machine, from firmware to power-off: a layer of its own over a Debian with cloud-init, with a disk and a network of its own. */
import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MetadataService } from '../../../boot/metadata.ts'
import { signal } from '../../../storm/processes.ts'
import { attach, detach } from '../../loop.ts'
import { Nspawn } from '../../machine/nspawn.ts'
import { cloudRoot, FIRMWARE } from '../../machine/root.ts'
import { run, until } from '../../shell.ts'
import { VENDORS } from './cloud.ts'
import type { BootParams, Fault } from './machine-host.ts'
import { gatewayOf, METADATA, Network, type Way } from './network.ts'
import type { Street } from './street.ts'

/** Size of its disk, a sparse file. */
const DISK = '4G'
const LOCAL_DISK = '2G'
let booted = 0

export class VirtualMachine {
  /** Resolves when it is off and nothing of it runs: `true` if it powered itself off. */
  readonly over: Promise<boolean>
  readonly #folder: string
  readonly #network: Network
  readonly #metadata: MetadataService
  readonly #machine: Nspawn
  readonly #local: string | undefined
  #ended = false

  private constructor(folder: string, network: Network, metadata: MetadataService, machine: Nspawn, local: string | undefined) {
    this.#folder = folder
    this.#network = network
    this.#metadata = metadata
    this.#machine = machine
    this.#local = local
    this.over = machine.daemon.over.then(() => !this.#ended)
  }

  /** Resolves when its first process runs. */
  static async boot(params: BootParams, parent: string, ways: readonly Way[], street: Street): Promise<VirtualMachine> {
    const vendor = VENDORS[params.vendor]
    const [root, tools] = await Promise.all([cloudRoot(params.system), cloudRoot()])
    const folder = join(parent, params.id)
    await mkdir(folder)
    const local = params.localDisk === undefined ? undefined : await attach(folder, 'local', LOCAL_DISK)
    await layDisk(folder, root, {
      ...Object.fromEntries(Object.entries(vendor.firmware).map(([name, text]) => [`${FIRMWARE}/${name}`, text])),
      'etc/cloud/ds-identify.cfg': `policy: enabled\ndatasource: ${vendor.source}`,
      'etc/cloud/cloud.cfg.d/99-lab.cfg': `datasource_list: [${vendor.source}, None]\nssh_genkeytypes: []`,
      'etc/machine-id': '',
      'etc/hosts': '127.0.0.1 localhost',
      // Before what netplan writes, which looks for the permanent address of the card: that of the lab has none.
      'etc/systemd/network/10-eth0.network': '[Match]\nName=eth0\n[Network]\nDHCP=yes',
      ...(params.system !== 'ubuntu' && { 'etc/resolv.conf': `nameserver ${gatewayOf(params.address)}` }),
      ...vendor.files(params),
      ...params.files,
      ...(local !== undefined && named(local, params.localDisk ?? '')),
    })
    const socket = join(folder, 'metadata.socket')
    const metadata = await vendor.serve(params, socket)
    const name = `tpi${process.pid % 10_000}-${(booted += 1)}`
    const { further = [], dhcp = [] } = vendor.network?.(params) ?? {}
    const own = [[METADATA, 80] as const, ...further].map(([address, port]) => [address, port, socket] as const)
    const { address, among } = params
    const network = await Network.make(name, { address, root: tools, folder, ways: [...own, ...ways], street, among, dhcp })
    const nspawn = new Nspawn(join(folder, 'root'), join(folder, 'console'), [
      '--resolv-conf=off',
      '--console=read-only',
      `--network-namespace-path=/run/netns/${name}`,
      '--capability=CAP_NET_ADMIN,CAP_NET_RAW',
      ...(local === undefined ? [] : [`--bind=${local}`]),
    ])
    const machine = new VirtualMachine(folder, network, metadata, nspawn, local)
    try {
      await until('the first process of the machine', 20, async () => nspawn.first().catch(() => undefined), [nspawn.daemon])
      return machine
    } catch (error) {
      await machine.end('hard')
      await machine.remove()
      throw error
    }
  }

  static async console(parent: string, id: string): Promise<string> {
    return await readFile(join(parent, id, 'console'), 'utf8').catch(() => '')
  }

  /** The pid of its first process on this host. */
  async first(): Promise<string | undefined> {
    return await this.#machine.first()
  }

  /** Runs a command in the machine to its end; resolves to what it printed. */
  async run(...words: readonly string[]): Promise<string> {
    return await this.#machine.run(...words)
  }

  async end(how: 'soft' | 'hard'): Promise<void> {
    this.#ended = true
    const space = await this.#space()
    await this.#signal('SIGCONT').catch(() => undefined)
    // systemd(1): SIGRTMIN+4 is the power button.
    const first = await this.first()
    if (how === 'hard') this.#machine.daemon.signal('SIGKILL')
    else if (first !== undefined) await run('kill', ['-s', 'RTMIN+4', first]).catch(() => undefined)
    await this.#machine.daemon.over
    await until('all that ran in the machine is gone', 20, async () => ((await inside(space)).length === 0 ? true : undefined))
  }

  async fault(fault: Fault): Promise<void> {
    if (fault === 'freeze') await this.#signal('SIGSTOP')
    else if (fault === 'thaw') await this.#signal('SIGCONT')
    else if (fault === 'cut') await this.#network.wire('down')
    else if (fault === 'join') await this.#network.wire('up')
    else if (fault === 'disk-full') await fill(join(this.#folder, 'root/var'))
    else this.#metadata.silent = fault === 'metadata-silent'
  }

  /** Signals everything in it at once, as a hypervisor would pause it, and a second time for processes that were started meanwhile. */
  async #signal(name: NodeJS.Signals): Promise<void> {
    const space = await this.#space()
    for (let time = 0; time < 2; time++) for (const pid of await inside(space)) signal(pid, name)
  }

  /** The name of its process namespace; empty while it is off. */
  async #space(): Promise<string> {
    return await readlink(`/proc/${await this.first()}/ns/pid`).catch(() => 'none')
  }

  /** Removes what is left of a machine that is off, except its console. */
  async remove(): Promise<void> {
    await Promise.all([this.#network.remove(), this.#metadata.stop(), this.#machine.remove()])
    for (const mount of ['root', 'disk']) await run('umount', ['--lazy', join(this.#folder, mount)])
    if (this.#local !== undefined) await detach(this.#local)
    for (const image of ['disk.img', 'local.img']) await rm(join(this.#folder, image), { force: true })
  }
}

/** What udev would do when the system starts: files by path. */
function named(device: string, name: string): Readonly<Record<string, string>> {
  const link = join('/dev/disk', name)
  return {
    'etc/systemd/system/lab-disk.service': `[Unit]
DefaultDependencies=no
[Service]
Type=oneshot
ExecStart=mkdir -p ${dirname(link)}
ExecStart=ln -s ${device} ${link}`,
    'etc/systemd/system/sysinit.target.d/lab-disk.conf': '[Unit]\nWants=lab-disk.service\nAfter=lab-disk.service',
  }
}

/** Pids of the processes in a namespace. */
export async function inside(space: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const spaces = await Promise.all(pids.map(async (pid) => readlink(`/proc/${pid}/ns/pid`).catch(() => '')))
  return pids.flatMap((pid, at) => (spaces[at] === space ? [Number(pid)] : []))
}

/** Fills the disk of a folder. */
async function fill(folder: string): Promise<void> {
  const script = 'fallocate -l $(($(stat --file-system --format "%f * %S" "$0"))) "$0/full"; head -c 1G /dev/zero >> "$0/rest"; true'
  await run('sh', ['-c', script, folder])
}

/** A disk of limited size, so that it can be full; `files`: text by path. */
async function layDisk(folder: string, root: string, files: Readonly<Record<string, string>>): Promise<void> {
  const [image, disk, merged] = ['disk.img', 'disk', 'root'].map((name) => join(folder, name)) as [string, string, string]
  const [upper, work] = [join(disk, 'upper'), join(disk, 'work')]
  await run('truncate', ['--size', DISK, image])
  await run('mkfs.ext4', ['-q', '-O', '^has_journal', '-E', 'lazy_itable_init=1', image])
  for (const path of [disk, merged]) await mkdir(path)
  await run('mount', ['-o', 'loop', image, disk])
  const wants = join(upper, 'etc/systemd/system/multi-user.target.wants')
  for (const path of [upper, work, wants]) await mkdir(path, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(upper, name, '..'), { recursive: true })
    await writeFile(join(upper, name), text === '' ? '' : `${text}\n`, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  await symlink('/lib/systemd/system/systemd-networkd.service', join(wants, 'systemd-networkd.service'))
  await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${root},upperdir=${upper},workdir=${work}`, merged])
}
