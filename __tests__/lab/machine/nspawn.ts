/** A whole operating system in namespaces, which ends with the process that started it, however that ends. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Daemon, run, until } from '../shell.ts'

let started = 0

export class Nspawn {
  readonly daemon: Daemon
  readonly #groups: readonly string[]

  /** `root`: its file tree. `console`: a file for its console output. */
  constructor(root: string, console: string, options: readonly string[]) {
    this.#groups = ownGroups(`lab-machine-${process.pid}-${(started += 1)}`)
    // When killed, systemd-nspawn alone would leave its machine running; as the first process of its own process namespace, it ends everything with
    // itself.
    const keeper = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
    // Only builtins, so that the machine's first process is its first child.
    const joined = this.#groups.map((group) => `echo 0 > ${join(group, 'cgroup.procs')} && `).join('')
    // A DHCP client sets its interface up in /proc/sys/net (systemd: docs/ENVIRONMENT.md).
    const writable = ['env', 'SYSTEMD_NSPAWN_API_VFS_WRITABLE=network']
    const machine = [...writable, 'systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--boot', ...options, '--directory', root]
    this.daemon = new Daemon('machine', console, [...keeper, 'sh', '-c', `${joined}exec "$@"`, 'sh', ...machine])
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

  /** Removes what is left of it; waits for its processes, which the kernel is killing. */
  async remove(): Promise<void> {
    for (const group of this.#groups) {
      const removed = async (): Promise<true> => (await run('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']), true)
      await until('the control groups of a machine are empty', 20, removed)
    }
  }
}

/**
 * Makes control groups for one machine, where systemd keeps those of its services: the machine's are below the group in which systemd-nspawn is. In one
 * group, two machines would have the same services, and each would remove the other's groups: "Failed to attach to cgroup", and no service starts.
 * https://systemd.io/CONTAINER_INTERFACE/
 */
function ownGroups(name: string): readonly string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const [, hierarchy = '', own = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const top = tops[hierarchy]?.find((path) => existsSync(join(path, 'cgroup.procs')))
    if (top === undefined) return []
    const group = join(top, own, name)
    mkdirSync(group, { recursive: true })
    return [group]
  })
}

/** Where hierarchies are mounted, by their name in /proc/PID/cgroup: version 2 has none, and may be there besides version 1 (cgroups(7)). */
const tops: Readonly<Record<string, readonly string[]>> = {
  '': ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'],
  'name=systemd': ['/sys/fs/cgroup/systemd'],
}

async function childOf(pid: string): Promise<string | undefined> {
  // It ends with 1 if there is none, as when the machine has just gone off.
  const children = (await run('ps', ['-o', 'pid=', '--ppid', pid]).catch(() => '')).trim().split(/\s+/)
  return children[0] || undefined
}
