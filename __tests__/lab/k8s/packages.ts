/** Programs that Debian has: fetched by apt and unpacked into the cache. Nothing is installed on the host. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const PACKAGES = ['busybox-static', 'conntrack', 'containerd', 'containernetworking-plugins', 'etcd-server', 'iptables', 'patchelf', 'runc']
/** Libraries of those that a small host may lack. */
const LIBRARIES = [
  'libip4tc2',
  'libip6tc2',
  'libmnl0',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libnftnl11',
  'libseccomp2',
  'libxtables12',
]
const RECIPE = '1'

export interface Packages {
  /** Folder of programs, for PATH. */
  readonly bin: string
  /** Folder of network plugins. */
  readonly cni: string
}

export async function debianPackages(): Promise<Packages> {
  const wanted = [...PACKAGES, ...LIBRARIES]
  try {
    const folder = await cached('debian', digestOf(RECIPE, ...wanted), (into) => unpack(into, wanted))
    return { bin: join(folder, 'bin'), cni: join(folder, 'root/usr/lib/cni') }
  } catch (error) {
    throw new Missing(
      `Debian's packages (${PACKAGES.join(', ')}) could not be had: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
}

async function unpack(folder: string, wanted: readonly string[]): Promise<void> {
  const [debs, root, bin] = ['debs', 'root', 'bin'].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [debs, root, bin]) await mkdir(path)
  await download(debs, wanted)
  for (const deb of await readdir(debs)) await run('dpkg', ['-x', join(debs, deb), root])
  for (const folders of ['bin', 'usr/bin', 'usr/sbin']) {
    const names = existsSync(join(root, folders)) ? await readdir(join(root, folders)) : []
    for (const name of names) await wrap(bin, name, folders)
  }
  for (const name of ['iptables', 'iptables-save', 'iptables-restore', 'ip6tables', 'ip6tables-save', 'ip6tables-restore']) {
    await wrap(bin, name, 'usr/sbin', 'xtables-nft-multi')
  }
}

async function download(into: string, wanted: readonly string[]): Promise<void> {
  const options = ['-o', 'APT::Sandbox::User=root', '-qq']
  try {
    await run('apt-get', [...options, 'download', ...wanted], { cwd: into })
  } catch {
    // The lists of a fresh host are old or not there.
    await run('apt-get', [...options, 'update'])
    await run('apt-get', [...options, 'download', ...wanted], { cwd: into })
  }
}

/** A program that finds its own libraries wherever the cache is. */
async function wrap(bin: string, name: string, folder: string, target?: string): Promise<void> {
  const path = join(bin, name)
  if (name === 'busybox') return await symlink(`../root/${folder}/busybox`, path)
  const text = `#!/bin/sh
root=\${0%/*}/../root
for folder in "$root"/usr/lib/*-linux-gnu "$root"/lib/*-linux-gnu; do
  LD_LIBRARY_PATH="$LD_LIBRARY_PATH\${LD_LIBRARY_PATH:+:}$folder"
  [ -d "$folder/xtables" ] && export XTABLES_LIBDIR="$folder/xtables"
done
export LD_LIBRARY_PATH
exec "$root/${folder}/${target ?? name}" ${target ? `${name} ` : ''}"$@"
`
  await writeFile(path, text)
  await chmod(path, 0o755)
}
