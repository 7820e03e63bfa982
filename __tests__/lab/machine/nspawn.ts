/** A whole operating system in namespaces, which ends with the process that started it, however that ends. */
import { Daemon, run } from '../shell.ts'

export class Nspawn {
  readonly daemon: Daemon

  /** `root`: its file tree. `console`: a file for its console output. */
  constructor(root: string, console: string, options: readonly string[]) {
    // When killed, systemd-nspawn alone would leave its machine running; as the first process of its own process namespace, it ends everything with
    // itself.
    const keeper = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
    // A DHCP client sets its interface up in /proc/sys/net (systemd: docs/ENVIRONMENT.md).
    const writable = ['env', 'SYSTEMD_NSPAWN_API_VFS_WRITABLE=network']
    const machine = [...writable, 'systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--boot', ...options, '--directory', root]
    this.daemon = new Daemon('machine', console, [...keeper, ...machine])
  }

  /** The pid of the machine's first process on this host; `undefined` if there is none yet. */
  async first(): Promise<string | undefined> {
    const nspawn = await childOf(String(this.daemon.pid))
    return nspawn && (await childOf(nspawn))
  }

  /** Runs a command in the machine to its end; resolves to its output. */
  async run(...words: readonly string[]): Promise<string> {
    return run('nsenter', ['--target', (await this.first()) ?? '0', '--all', '--', ...words])
  }
}

async function childOf(pid: string): Promise<string | undefined> {
  // It ends with 1 if there is none, as when the machine has just gone off.
  const children = (await run('ps', ['-o', 'pid=', '--ppid', pid]).catch(() => '')).trim().split(/\s+/)
  return children[0] || undefined
}
