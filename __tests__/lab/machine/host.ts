/** Machines: a whole operating system each, from the first process of systemd to its power-off. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Daemon, run, until } from '../shell.ts'
import { machineRoot } from './root.ts'

export interface MachineWish {
  /** Folders and files of this host that the machine sees under the same path. */
  readonly binds: readonly string[]
  /** Units that start at boot: text by name. */
  readonly units: Readonly<Record<string, string>>
}

export class Machine {
  readonly #folder: string
  readonly #daemon: Daemon

  private constructor(folder: string, daemon: Daemon) {
    this.#folder = folder
    this.#daemon = daemon
  }

  /** Resolves when its first process runs. */
  static async boot(wish: MachineWish): Promise<Machine> {
    const root = await machineRoot()
    const folder = await mkdtemp(join(tmpdir(), 'tpi-machine-'))
    const [upper, work, merged] = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [string, string, string]
    const units = join(upper, 'etc/systemd/system')
    for (const path of [work, merged, join(units, 'multi-user.target.wants')]) await mkdir(path, { recursive: true })
    for (const [name, text] of Object.entries(wish.units)) {
      await writeFile(join(units, name), text)
      await symlink(`../${name}`, join(units, 'multi-user.target.wants', name))
    }
    await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${root},upperdir=${upper},workdir=${work}`, merged])
    const command = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--boot', '--console=pipe', '--directory', merged]
    const daemon = new Daemon('machine', join(folder, 'console'), [...command, ...wish.binds.map((path) => `--bind=${path}`)])
    const machine = new Machine(folder, daemon)
    try {
      await until('the first process of the machine', 20, async () => machine.#first().catch(() => undefined), [daemon])
      return machine
    } catch (error) {
      await machine.remove()
      throw error
    }
  }

  /** The pid that the machine's first process has on this host. */
  async #first(): Promise<string | undefined> {
    const children = (await run('ps', ['-o', 'pid=', '--ppid', String(this.#daemon.pid)])).trim().split(/\s+/)
    return children[0] || undefined
  }

  /** Runs a command in the machine to its end; resolves to what it printed. */
  async run(...words: readonly string[]): Promise<string> {
    return run('nsenter', ['--target', (await this.#first()) ?? '0', '--all', '--', ...words])
  }

  /** It has powered off, or was killed. */
  get ended(): boolean {
    return this.#daemon.ended
  }

  /** The end of what it wrote to its console. */
  tail(): string {
    return this.#daemon.tail()
  }

  async remove(): Promise<void> {
    await this.#daemon.stop()
    await run('umount', ['--lazy', join(this.#folder, 'root')])
    await rm(this.#folder, { recursive: true, force: true })
  }
}
