/** Programs from Debian: downloaded by apt and unpacked into the cache. Nothing is installed on the host. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const PACKAGES = ['busybox-static', 'conntrack', 'containerd', 'containernetworking-plugins', 'etcd-server', 'iptables', 'patchelf', 'runc']
/** Their libraries that a small host may lack. */
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
const RECIPE = '2'
const OPTIONS = ['-o', 'APT::Sandbox::User=root', '-qq']

export interface Packages {
  /** Folder of programs, for PATH. */
  readonly bin: string
  /** Folder of network plugins. */
  readonly cni: string
  /** Digest of the packages, for recipes of what is made from them. */
  readonly digest: string
}

let asked: Promise<Packages> | undefined

export async function debianPackages(): Promise<Packages> {
  return await (asked ??= had())
}

async function had(): Promise<Packages> {
  try {
    return await unpacked(await listed())
  } catch {
    try {
      // The package lists of a fresh host are old or missing.
      await run('apt-get', [...OPTIONS, 'update'])
      return await unpacked(await listed())
    } catch (error) {
      throw new Missing(
        `Debian's packages (${PACKAGES.join(', ')}) could not be had: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
  }
}

/** A package from the signed index of the host's suite; apt accepts no other bytes. */
interface Listed {
  readonly name: string
  readonly version: string
  /** Including the name of its algorithm. */
  readonly digest: string
}

async function listed(): Promise<readonly Listed[]> {
  const wanted = [...PACKAGES, ...LIBRARIES]
  const text = await run('apt-get', [...OPTIONS, '--print-uris', 'download', ...wanted])
  return wanted.map((name) => {
    const [, version, digest] = new RegExp(`^'[^']*' ${name}_([^_]+)_\\S+ \\d+ (SHA\\d+:[0-9a-f]+)$`, 'm').exec(text) ?? []
    if (version === undefined || digest === undefined) throw new Error(`apt knows no digest of ${name}`)
    return { name, version: decodeURIComponent(version), digest }
  })
}

/** Cached by everything that identifies the packages: another version, or other bytes, are downloaded and unpacked again. */
async function unpacked(packages: readonly Listed[]): Promise<Packages> {
  const lines = packages.map(({ name, version, digest }) => `${name} ${version} ${digest}`).toSorted()
  const digest = digestOf(RECIPE, ...lines)
  const folder = await cached('debian', digest, async (into) => {
    await writeFile(join(into, 'packages'), `${lines.join('\n')}\n`)
    await unpack(
      into,
      packages.map(({ name, version }) => `${name}=${version}`),
    )
  })
  return { bin: join(folder, 'bin'), cni: join(folder, 'root/usr/lib/cni'), digest }
}

async function unpack(folder: string, wanted: readonly string[]): Promise<void> {
  const [debs, root, bin] = ['debs', 'root', 'bin'].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [debs, root, bin]) await mkdir(path)
  await run('apt-get', [...OPTIONS, 'download', ...wanted], { cwd: debs })
  for (const deb of await readdir(debs)) await run('dpkg', ['-x', join(debs, deb), root])
  for (const folders of ['bin', 'usr/bin', 'usr/sbin']) {
    const names = existsSync(join(root, folders)) ? await readdir(join(root, folders)) : []
    for (const name of names) await wrap(bin, name, folders)
  }
  for (const name of ['iptables', 'iptables-save', 'iptables-restore', 'ip6tables', 'ip6tables-save', 'ip6tables-restore']) {
    await wrap(bin, name, 'usr/sbin', 'xtables-nft-multi')
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
