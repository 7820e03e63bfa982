/**
 * The runtime image of cloud k8s: our Node with the libraries that it needs, and nothing else. `node scripts/runtime-image.ts FILE [NAME]` writes the
 * archive for `docker load`; needs `patchelf` and `strip`. The lab builds its own copy in the same way.
 */
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { run } from '../src/lib/run.ts'
import { digestOfFile, writeImage } from './image-archive.ts'

const NODE = join(import.meta.dirname, '../node_modules/node/bin/node')
const LOADER = 'ld-linux-x86-64.so.2'

/**
 * Puts Node and its libraries below `root` at `place` (absolute, as it will be in a container), so that it finds its own loader and libraries there
 * whatever else the container has. `runtime.json` names each file with its SHA-256; pods check it.
 */
export async function nodeTree(root: string, place: string, patchelf = 'patchelf'): Promise<void> {
  const folder = join(root, place)
  const node = join(folder, 'node')
  await mkdir(join(folder, 'lib'), { recursive: true })
  await run('cp', ['--reflink=auto', '-L', NODE, node])
  await run('strip', ['--strip-debug', node]).catch(() => undefined)
  await run(patchelf, ['--set-interpreter', `${place}/lib/${LOADER}`, '--force-rpath', '--set-rpath', `${place}/lib`, node])
  for (const library of await librariesOf(NODE)) await copyFile(library, join(folder, 'lib', basename(library)))
  const names = ['node', ...(await readdir(join(folder, 'lib'))).sort().map((name) => `lib/${name}`)]
  const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digestOfFile(join(folder, name))] as const)))
  await writeFile(join(folder, 'runtime.json'), `${JSON.stringify({ v: 1, files }, undefined, 1)}\n`)
}

/** The whole root file system of the image. */
export async function runtimeTree(root: string, patchelf?: string): Promise<void> {
  await nodeTree(root, '/tpi', patchelf)
  await mkdir(join(root, 'tmp'))
  await chmod(join(root, 'tmp'), 0o1777)
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program])
  return stdout.split('\n').flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])
}

if (import.meta.main) {
  const [file, name = 'ghcr.io/iterative/tpi-runtime:24'] = process.argv.slice(2)
  if (file === undefined) throw new Error('give the file to write')
  const root = await mkdtemp(join(tmpdir(), 'tpi-runtime-'))
  try {
    await runtimeTree(root)
    await writeImage(file, name, root)
    console.log(`${file}: ${name}, sha256 ${await digestOfFile(file)}`)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
