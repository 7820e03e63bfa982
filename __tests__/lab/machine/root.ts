/** File systems of machines: small Debians and Ubuntus that boot systemd, each made once. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

/** A distribution, as mmdebstrap needs it. */
interface Distribution {
  readonly suite: string
  /** Lines of sources.list; without them, Debian's own. */
  readonly sources: readonly string[]
  readonly keyring?: { readonly url: string; readonly sha256: string; readonly file: string }
}

const DEBIAN: Distribution = { suite: 'bookworm', sources: [] }
const ARCHIVE = 'http://archive.ubuntu.com/ubuntu'
/** What `--image ubuntu` is on each cloud. The keyring is the package that Ubuntu itself has; Debian has none of it. */
const UBUNTU: Distribution = {
  suite: 'noble',
  sources: ['noble', 'noble-updates'].map((suite) => `deb ${ARCHIVE} ${suite} main universe`),
  keyring: {
    url: `${ARCHIVE}/pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb`,
    sha256: '36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8',
    file: 'usr/share/keyrings/ubuntu-archive-keyring.gpg',
  },
}
const PACKAGES = ['dbus', 'libstdc++6', 'systemd', 'systemd-sysv']
/**
 * What images of clouds have in addition (NVIDIA's a container engine), what the gateway of such a machine runs, and what shows programs a wrong
 * clock.
 */
const OF_CLOUDS = [
  'catatonit',
  'cloud-guest-utils',
  'cloud-init',
  'dnsmasq-base',
  'iproute2',
  'libfaketime',
  'nftables',
  'podman',
  'procps',
  'python3',
  'runc',
  'sudo',
]
/** How each of them gets its first address, and resolves names. */
const OF_SYSTEMS = {
  debian: { distribution: DEBIAN, packages: ['golang-github-containers-image', 'isc-dhcp-client'] },
  ubuntu: { distribution: UBUNTU, packages: ['dhcpcd-base', 'netplan.io', 'systemd-resolved'] },
} as const
/** Systems of machines that boot like a cloud's. */
export type System = keyof typeof OF_SYSTEMS
const RECIPE = '1'

/** Path of the tree, which nobody writes to: each machine has a layer of its own on top. */
export async function machineRoot(): Promise<string> {
  return await tree('machine', DEBIAN, PACKAGES, async () => undefined)
}

/** The same with cloud-init, which recognizes its cloud by the machine's firmware. */
export async function cloudRoot(system: System = 'debian'): Promise<string> {
  const { distribution, packages } = OF_SYSTEMS[system]
  const name = system === 'debian' ? 'cloud-machine' : `cloud-machine-${system}`
  return await tree(name, distribution, [...PACKAGES, ...[...OF_CLOUDS, ...packages].toSorted()], async (root) => {
    await revealFirmware(root)
    // As on Ubuntu's own images (systemd-resolved(8)); what mmdebstrap needed is this host's.
    if (system === 'ubuntu') await symlinkOver('../run/systemd/resolve/stub-resolv.conf', join(root, 'etc/resolv.conf'))
    // Nothing of podman starts by itself, as on a maintained image.
    const units = join(root, 'etc/systemd/system')
    for (const name of await readdir(units, { recursive: true })) if (/\/podman[^/]*$/.test(name)) await rm(join(units, name))
  })
}

/** Where a machine of the lab has what its firmware would say. */
export const FIRMWARE = '/etc/tpi-lab/dmi'

/** A container has no firmware, and cloud-init knows that: this makes it look for the cloud's name in the lab's folder, with nothing else changed. */
async function revealFirmware(root: string): Promise<void> {
  const file = join(root, 'usr/lib/python3/dist-packages/cloudinit/dmi.py')
  const text = await readFile(file, 'utf8')
  const changed = text.replace(/^DMI_SYS_PATH = .*$/m, `DMI_SYS_PATH = "${FIRMWARE}"`).replace('if is_container():', 'if False:')
  if (!changed.includes(FIRMWARE) || !changed.includes('if False:')) throw new Error('cloud-init looks for its cloud in another way now')
  await writeFile(file, changed)
}

async function tree(
  name: string,
  { suite, sources, keyring }: Distribution,
  packages: readonly string[],
  finish: (root: string) => Promise<void>,
): Promise<string> {
  try {
    const folder = await cached(name, digestOf(RECIPE, suite, ...sources, ...packages), async (into) => {
      const root = join(into, 'root')
      const keys = keyring === undefined ? [] : [`--keyring=${await keysOf(keyring, into)}`]
      await run('mmdebstrap', ['--quiet', '--variant=minbase', ...keys, `--include=${packages.join(',')}`, suite, root, ...sources])
      // Each machine makes its own identity.
      await rm(join(root, 'etc/hostname'), { force: true })
      await writeFile(join(root, 'etc/machine-id'), '')
      await finish(root)
    })
    return join(folder, 'root')
  } catch (error) {
    throw new Missing(`a system of ${suite} that boots could not be created: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function symlinkOver(target: string, path: string): Promise<void> {
  await rm(path, { force: true })
  await symlink(target, path)
}

/** The path of the keyring in a package that has this digest. */
async function keysOf({ url, sha256, file }: NonNullable<Distribution['keyring']>, into: string): Promise<string> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${url} has the digest ${found}`)
  const [deb, folder] = [join(into, 'keyring.deb'), join(into, 'keyring')]
  await writeFile(deb, bytes)
  await run('dpkg-deb', ['--extract', deb, folder])
  return join(folder, file)
}
