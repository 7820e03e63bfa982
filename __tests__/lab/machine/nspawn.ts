/** A whole operating system in namespaces, which ends with whoever started it, however that ends. */
import { Daemon, run } from '../shell.ts'

export class Nspawn {
  readonly daemon: Daemon

  /** `root`: its tree. `console`: a file for what it writes there. */
  constructor(root: string, console: string, options: readonly string[]) {
    // systemd-nspawn alone would leave its machine behind when it is killed; with a process namespace of its own, whose first process it is, it takes all with it.
    const keeper = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
    const machine = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--boot', ...options, '--directory', root]
    this.daemon = new Daemon('machine', console, [...keeper, ...machine])
  }

  /** The pid that the machine's first process has on this host; `undefined` while there is none. */
  async first(): Promise<string | undefined> {
    const nspawn = await childOf(String(this.daemon.pid))
    return nspawn && (await childOf(nspawn))
  }

  /** Runs a command in the machine to its end; resolves to what it printed. */
  async run(...words: readonly string[]): Promise<string> {
    return run('nsenter', ['--target', (await this.first()) ?? '0', '--all', '--', ...words])
  }
}

async function childOf(pid: string): Promise<string | undefined> {
  const children = (await run('ps', ['-o', 'pid=', '--ppid', pid])).trim().split(/\s+/)
  return children[0] || undefined
}
