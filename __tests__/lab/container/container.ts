/**
 * A container as CI systems start one for a job: its own file system and processes, and a first process that only waits, does not reap orphans, and
 * ends everything with itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Daemon, run, until } from '../shell.ts'
import type { Layers } from './layers.ts'

/** All mounts belong to the namespace, and disappear with it. $1 is an empty folder, $2 the layers, $3 the folder to share. */
const START = `
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$1/root"
mkdir -p "$1/root/dev" "$1/root/proc" "$1/root$3"
mount --rbind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
mount --bind "$3" "$1/root$3"
exec chroot "$1/root" /bin/sh -c 'exec tail -f /dev/null'
`

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface Ran {
  readonly status: number | null
  readonly text: string
}

export class Container {
  readonly #daemon: Daemon
  readonly #first: string

  private constructor(daemon: Daemon, first: string) {
    this.#daemon = daemon
    this.#first = first
  }

  /** `folder` belongs to the test, and has the same path inside and outside. */
  static async start(layers: Layers, folder: string): Promise<Container> {
    const place = join(folder, '.container')
    const shared = join(folder, 'shared')
    for (const path of [place, shared]) mkdirSync(path, { recursive: true })
    const unshare = ['unshare', '--fork', '--kill-child', '--pid', '--mount', '--ipc', '--', 'sh', '-ec', START]
    const daemon = new Daemon('container', join(folder, 'console'), [...unshare, 'sh', place, layers.join(':'), shared])
    const first = await until('the first process of the container', 20, () => firstOf(daemon.pid), [daemon])
    return new Container(daemon, first)
  }

  /** Runs a shell script in `cwd` to its end, with this environment and no other. */
  async sh(cwd: string, script: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const enter = ['--target', this.#first, '--mount', '--pid', '--ipc', '--root', '--', '/bin/sh', '-c', `cd "$0" || exit\n${script}`, cwd]
    const child = spawn('/usr/bin/nsenter', enter, { env: { PATH, HOME: '/root', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')))
    const [status] = (await once(child, 'close')) as [number | null]
    return { status, text }
  }

  /** Names of its live processes, without zombies. */
  processes(): string[] {
    const space = (pid: string): string => readlinkSync(`/proc/${pid}/ns/pid`)
    const ours = space(this.#first)
    return readdirSync('/proc').flatMap((pid) => {
      try {
        if (!/^\d+$/.test(pid) || space(pid) !== ours) return []
        const [, name = '', state] = /\((.*)\) (.)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return state === 'Z' ? [] : [name]
      } catch {
        return []
      }
    })
  }

  async stop(): Promise<void> {
    await this.#daemon.stop()
  }
}

/** The first process's pid on this host, once it waits. */
async function firstOf(parent: number): Promise<string | undefined> {
  const child = (await run('ps', ['-o', 'pid=', '--ppid', String(parent)])).trim()
  return child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'tail' ? child : undefined
}
