/** Container images without a registry or a builder: a folder becomes an archive that `docker load` and containerd accept. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../src/lib/run.ts'
import { sha256 } from '../src/lib/sha256.ts'

export interface ImageConfig {
  readonly env?: Readonly<Record<string, string>>
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  /** uid, or uid:gid */
  readonly user?: string
  readonly workdir?: string
}

/** Writes `archive` (in the format of `docker save`) with one layer: the folder `root`, owned by root. */
export async function writeImage(archive: string, name: string, root: string, config: ImageConfig = {}): Promise<void> {
  const build = `${archive}.build`
  await mkdir(build, { recursive: true })
  try {
    const layer = join(build, 'layer.tar')
    await run('tar', ['--numeric-owner', '--owner=0', '--group=0', '--sort=name', '--mtime=@0', '-C', root, '-cf', layer, '.'])
    const digest = await digestOfFile(layer)
    const text = JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: {
        Env: Object.entries({ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...config.env }).map((pair) =>
          pair.join('='),
        ),
        ...(config.entrypoint && { Entrypoint: config.entrypoint }),
        ...(config.command && { Cmd: config.command }),
        ...(config.user && { User: config.user }),
        ...(config.workdir && { WorkingDir: config.workdir }),
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
      history: [{ created: '1970-01-01T00:00:00Z', created_by: 'lab' }],
    })
    const file = `${sha256(text)}.json`
    await writeFile(join(build, file), text)
    await writeFile(join(build, 'manifest.json'), JSON.stringify([{ Config: file, RepoTags: [name], Layers: ['layer.tar'] }]))
    await run('tar', ['-C', build, '-cf', archive, 'manifest.json', file, 'layer.tar'])
  } finally {
    await rm(build, { recursive: true, force: true })
  }
}

/** SHA-256 (hex) of a file of any size. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
