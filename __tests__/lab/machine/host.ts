/** Machines, each a whole operating system, from the first process of systemd to its power-off. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, until } from '../shell.ts'
import { Nspawn } from './nspawn.ts'
import { machineRoot } from './root.ts'

export interface MachineParams {
  /** Folders and files of this host that the machine sees at the same path. */
  readonly binds: readonly string[]
  /** Units that start at boot: name → text. */
  readonly units: Readonly<Record<string, string>>
}

export class Machine {
  readonly #folder: string
  readonly #machine: Nspawn

  private constructor(folder: string, machine: Nspawn) {
    this.#folder = folder
    this.#machine = machine
  }

  /** Resolves when its first process runs. */
  static async boot(params: MachineParams): Promise<Machine> {
    const root = await machineRoot()
    const folder = await mkdtemp(join(tmpdir(), 'tpi-machine-'))
    const [upper, work, merged] = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [string, string, string]
    const units = join(upper, 'etc/systemd/system')
    for (const path of [work, merged, join(units, 'multi-user.target.wants')]) await mkdir(path, { recursive: true })
    for (const [name, text] of Object.entries(params.units)) {
      await writeFile(join(units, name), text)
      await symlink(`../${name}`, join(units, 'multi-user.target.wants', name))
    }
    await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${root},upperdir=${upper},workdir=${work}`, merged])
    const options = ['--console=pipe', ...params.binds.map((path) => `--bind=${path}`)]
    const nspawn = new Nspawn(merged, join(folder, 'console'), options)
    const machine = new Machine(folder, nspawn)
    try {
      await until('the first process of the machine', 20, async () => nspawn.first().catch(() => undefined), [nspawn.daemon])
      return machine
    } catch (error) {
      await machine.remove()
      throw error
    }
  }

  /** Runs a command in the machine to its end; resolves to its output. */
  async run(...words: readonly string[]): Promise<string> {
    return await this.#machine.run(...words)
  }

  /** It has powered off, or was killed. */
  get ended(): boolean {
    return this.#machine.daemon.ended
  }

  /** The end of its console output. */
  tail(): string {
    return this.#machine.daemon.tail()
  }

  async remove(): Promise<void> {
    await this.#machine.daemon.stop()
    await this.#machine.remove()
    await run('umount', ['--lazy', join(this.#folder, 'root')])
    await rm(this.#folder, { recursive: true, force: true })
  }
}
