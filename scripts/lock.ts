/**
 * Run after every change of the lockfile. Tools bring a binary per platform, as optional packages; a registry mirror that lacks some of them
 * makes npm leave those out of the lockfile without a word, and then `npm ci` refuses it as incomplete, also where they are not wanted. This
 * puts them back by what their parent says and by their name. Without a checksum: the next install from a complete registry adds it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly cpu?: readonly string[]
  readonly os?: readonly string[]
  readonly libc?: readonly string[]
}

interface Lockfile {
  readonly packages: Record<string, Locked>
}

const FILE = join(import.meta.dirname, '../package-lock.json')
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** What a name such as `binding-linux-arm-musleabihf` says of the machine it is for. */
function platform(name: string): Pick<Locked, 'cpu' | 'os' | 'libc'> | undefined {
  const parts = name.split('/').at(-1)?.split('-') ?? []
  const os = SYSTEMS.find((system) => parts.includes(system))
  const cpu = PROCESSORS.find((processor) => parts.includes(processor))
  if (!os || !cpu) return undefined
  const musl = parts.some((part) => part.startsWith('musl'))
  const gnu = parts.some((part) => part.startsWith('gnu'))
  return { cpu: [cpu], ...(musl ? { libc: ['musl'] } : gnu ? { libc: ['glibc'] } : {}), os: [os] }
}

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile
const added: string[] = []
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`]
    if (places.some((place) => lock.packages[place])) continue
    const machine = platform(name)
    if (!machine || !/^\d+\.\d+\.\d+$/.test(version))
      throw new Error(`${name}@${version} is missing and its name does not say for which machine it is`)
    const { cpu, ...rest } = machine
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu ? { cpu } : {}),
      ...(parent.dev ? { dev: true } : {}),
      ...rest,
      optional: true,
    }
    added.push(name)
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(added.length === 0 ? 'the lockfile is complete' : `added ${added.join(', ')}`)
