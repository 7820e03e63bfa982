/** The images that tests use, each made here and cached by the digest of its recipe. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type ImageConfig, writeImage } from '../../../scripts/image-archive.ts'
import { nodeTree, runtimeTree } from '../../../scripts/runtime-image.ts'
import { cached, digestOf } from '../cache.ts'
import { alpineLike } from '../container/layers.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'
import { PAUSE_IMAGE } from './node-config.ts'
import { debianPackages } from './packages.ts'

export interface Image {
  readonly name: string
  /** Path of the archive. */
  readonly archive: string
}

const REPOSITORY = join(import.meta.dirname, '../../..')

/** The program of a pod's sandbox: waits for its end and reaps orphans. */
export async function pauseImage(): Promise<Image> {
  const source = `#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void end(int signal) { (void)signal; _exit(0); }
static void bury(int signal) { (void)signal; while (waitpid(-1, 0, WNOHANG) > 0); }
int main(void) {
  signal(SIGTERM, end);
  signal(SIGINT, end);
  signal(SIGCHLD, bury);
  for (;;) pause();
}
`
  return await image('pause', PAUSE_IMAGE, digestOf(source), { entrypoint: ['/pause'] }, async (root) => {
    await writeFile(`${root}.c`, source)
    await run('gcc', ['-static', '-Os', '-o', join(root, 'pause'), `${root}.c`])
  })
}

/** Almost nothing: a static busybox and two users. */
export async function bareImage(): Promise<Image> {
  const config = { command: ['sh'], user: '1000:1000', env: { FROM_IMAGE: 'bare' } }
  const { bin, digest } = await debianPackages()
  return await image('bare', 'lab.test/bare:1', digestOf('bare 2', digest), config, async (root) => bareTree(root, bin))
}

async function bareTree(root: string, programs: string): Promise<void> {
  for (const folder of ['bin', 'etc', 'tmp', 'home/lab']) await mkdir(join(root, folder), { recursive: true })
  await copyFile(join(programs, 'busybox'), join(root, 'bin/busybox'))
  await chmod(join(root, 'tmp'), 0o1777)
  const names = (await run(join(programs, 'busybox'), ['--list'])).trim().split('\n')
  for (const name of names) if (name !== 'busybox') await symlink('busybox', join(root, 'bin', name))
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\nlab:x:1000:1000:lab:/home/lab:/bin/sh\n')
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nlab:x:1000:\n')
}

/** One program and nothing else: no shell, no users, no folders. */
export async function emptyImage(): Promise<Image> {
  const { bin, digest } = await debianPackages()
  return await image('empty', 'lab.test/empty:1', digestOf('empty 1', digest), { user: '1000:1000' }, async (root) => {
    await copyFile(join(bin, 'busybox'), join(root, 'echo'))
  })
}

/** A newer C library than that of tpi's runtime, as in an installation of Debian, and what needs it. */
export async function debianImage(): Promise<Image> {
  const wanted = ['--variant=extract', '--include=bash,coreutils', 'trixie']
  return await image('debian', 'lab.test/debian:1', digestOf('debian 1', ...wanted), { user: '1000:1000' }, async (root) => {
    await run('mmdebstrap', ['--quiet', ...wanted, root])
    // Every container has its own devices, and nobody reads there.
    for (const folder of ['dev', 'usr/share']) await rm(join(root, folder), { recursive: true })
  })
}

/** What `node:24-alpine` is to a program: musl, busybox, and a Node.js built for them. No bash, no coreutils, no GNU library. */
export async function alpineImage(): Promise<Image> {
  const layers = await alpineLike(24)
  const config = { command: ['sh'], user: '1000:1000' }
  return await image(
    'alpine',
    'lab.test/alpine:1',
    digestOf('alpine 1', ...layers.map((path) => basename(dirname(path)))),
    config,
    async (root) => {
      for (const layer of layers.toReversed()) await run('cp', ['-a', `${layer}/.`, root])
      // Its package manager and headers are half of it, and are not used here.
      for (const folder of ['lib', 'include', 'share']) await rm(join(root, 'usr/local', folder), { recursive: true, force: true })
    },
  )
}

/** tpi's own Node.js with its libraries, which a pod's init container brings into any image. Made by the recipe of the released one. */
export async function runtimeImage(): Promise<Image> {
  return await image('runtime', 'lab.test/tpi-runtime:1', await nodeDigest(), {}, async (root) => {
    const { bin } = await debianPackages()
    await runtimeTree(root, join(bin, 'patchelf'))
  })
}

/** For training scripts: a shell, and a Node.js of the image's own. */
export async function trainerImage(): Promise<Image> {
  return await nodeImage('trainer', {}, { command: ['sh'], user: '1000:1000' })
}

/** A shell, a Node.js of the image's own, and programs that are texts, by name or by whole path. */
export async function nodeImage(kind: string, programs: Readonly<Record<string, string>>, config: ImageConfig = {}): Promise<Image> {
  const { bin, digest } = await debianPackages()
  const recipe = digestOf(await nodeDigest(), digest, ...Object.entries(programs).flat())
  return await image(kind, `lab.test/${kind}:1`, recipe, config, async (root) => {
    await bareTree(root, bin)
    await nodeTree(root, '/opt/node', join(bin, 'patchelf'))
    await symlink('/opt/node/node', join(root, 'bin/node'))
    for (const [name, text] of Object.entries(programs)) {
      const path = join(root, name.startsWith('/') ? name : `bin/${name}`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { mode: 0o755 })
    }
  })
}

async function nodeDigest(): Promise<string> {
  return digestOf(
    await digestOfFile(join(REPOSITORY, 'node_modules/node/bin/node')),
    await readFile(join(REPOSITORY, 'scripts/runtime-image.ts')),
  )
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function image(
  kind: string,
  name: string,
  digest: string,
  config: Parameters<typeof writeImage>[3],
  make: (root: string) => Promise<void>,
): Promise<Image> {
  try {
    const folder = await cached(`image-${kind}`, digestOf(digest, name, JSON.stringify(config)), async (into) => {
      const root = join(into, 'root')
      await mkdir(root)
      await make(root)
      await writeImage(join(into, 'image.tar'), name, root, config)
      await run('rm', ['-rf', root])
    })
    return { name, archive: join(folder, 'image.tar') }
  } catch (error) {
    throw new Missing(`image ${name} could not be created: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
