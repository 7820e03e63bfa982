/** File systems of machines: small Debians that boot systemd, each made once. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const SUITE = 'bookworm'
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
  'golang-github-containers-image',
  'iproute2',
  'isc-dhcp-client',
  'libfaketime',
  'nftables',
  'podman',
  'procps',
  'python3',
  'runc',
  'sudo',
]
const RECIPE = '1'

/** Path of the tree, which nobody writes to: each machine has a layer of its own on top. */
export async function machineRoot(): Promise<string> {
  return await tree('machine', PACKAGES, async () => undefined)
}

/** The same with cloud-init, which recognizes its cloud by the machine's firmware. */
export async function cloudRoot(): Promise<string> {
  return await tree('cloud-machine', [...PACKAGES, ...OF_CLOUDS], async (root) => {
    await revealFirmware(root)
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

async function tree(name: string, packages: readonly string[], finish: (root: string) => Promise<void>): Promise<string> {
  try {
    const folder = await cached(name, digestOf(RECIPE, SUITE, ...packages), async (into) => {
      const root = join(into, 'root')
      await run('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${packages.join(',')}`, SUITE, root])
      // Each machine makes its own identity.
      await rm(join(root, 'etc/hostname'), { force: true })
      await writeFile(join(root, 'etc/machine-id'), '')
      await finish(root)
    })
    return join(folder, 'root')
  } catch (error) {
    throw new Missing(`a Debian that boots could not be created: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
