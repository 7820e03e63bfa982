/**
 * Boots machines like a cloud's: each is a whole operating system, whose cloud-init finds the vendor's metadata service by itself and runs tpi's
 * user-data. A simulated cloud boots and ends them; what happens inside is real.
 */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portOf } from '../../../setup/listening.ts'
import type { System } from '../../machine/root.ts'
import { run } from '../../shell.ts'
import { Street } from './street.ts'
import { VirtualMachine } from './virtual-machine.ts'

/**
 * The metadata service's own answers for one machine: below `/latest/`, below `/computeMetadata/v1/`, or the parts of Azure's
 * (`host/azure.ts`). They come before the answers that all machines get, and may change while the machine runs (notice, target state,
 * credentials of the role).
 */
export interface MetadataView {
  get(path: string): string | undefined
  /** The machine is ready for these announced events, so they may begin. */
  begin?(events: readonly string[]): void
}

export interface BootParams {
  readonly id: string
  readonly vendor: 'aws' | 'gce' | 'azure'
  /** `MachineHost.system`, unless another one is given. */
  readonly system?: System | undefined
  readonly region: string
  readonly zone: string
  readonly address: string
  readonly userData: Uint8Array
  readonly metadata: MetadataView
  readonly spot: boolean
  /** Machines with the same value admit each other, and nobody else; without it, all machines on this host are admitted. */
  readonly among?: string | undefined
  /** The name below /dev/disk that udev gives the local disk, if its type has one. */
  readonly localDisk?: string
  /** Additional files of its image: text by path. */
  readonly files?: Readonly<Record<string, string>>
}

export type Fault = 'freeze' | 'thaw' | 'cut' | 'join' | 'metadata-silent' | 'metadata-back' | 'disk-full'

/** Machines at a time on a host with two processors. */
const AT_A_TIME = 3

export class MachineHost {
  /** The address at which machines and this host reach exposed ports. */
  readonly address: string
  /** Additional files of machines that boot from now on: text by path. */
  files: Readonly<Record<string, string>> = {}
  /** What machines have that boot from now on. */
  system: System = 'debian'
  readonly #folder: string
  readonly #street: Street
  readonly #machines = new Map<string, VirtualMachine>()
  /** Resolves when nothing of the machine is left on this host. */
  readonly #gone = new Map<string, Promise<void>>()
  readonly #listeners: ((id: string) => void)[] = []
  readonly #doors = new Map<number, readonly Door[]>()
  #waiting: (() => void)[] = []
  readonly #booting = new Set<Promise<void>>()
  #places = AT_A_TIME

  private constructor(folder: string, address: string, street: Street) {
    this.#folder = folder
    this.#street = street
    this.address = address
  }

  static async start(): Promise<MachineHost> {
    const address = `10.99.${randomInt(1, 250)}.${randomInt(2, 250)}`
    const folder = await mkdtemp(join(tmpdir(), 'tpi-host-'))
    await run('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo'])
    return new MachineHost(folder, address, await Street.lay(`tpi-street-${address}`))
  }

  /**
   * Makes a server, or a port of this host's loopback, available at `address`, here and on every machine that boots from now on. Resolves
   * to its URL. A server of this process takes connections itself: to pass everything on would take the processor from the machines, which
   * no vendor's service does.
   */
  async expose(what: HttpServer | number): Promise<string> {
    const port = typeof what === 'number' ? what : portOf(what)
    const url = `http://${this.address}:${port}`
    if (this.#doors.has(port)) return url
    const take = typeof what === 'number' ? passedOn(port) : (from: Socket) => void what.emit('connection', from)
    const doors = [await door(take, { host: this.address, port }), await door(take, { path: this.#socketOf(port) })]
    this.#doors.set(port, doors)
    return url
  }

  #socketOf(port: number): string {
    return join(this.#folder, `${port}.socket`)
  }

  /** Resolves when its first process runs; waits for a place if there are too many machines. */
  async boot(params: BootParams): Promise<void> {
    const booting = this.#boot(params)
    this.#booting.add(booting)
    await booting.finally(() => this.#booting.delete(booting))
  }

  async #boot(params: BootParams): Promise<void> {
    if (this.#machines.has(params.id)) throw new Error(`machine ${params.id} has been booted already`)
    while (this.#places === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#places -= 1
    try {
      const ways = [...this.#doors.keys()].map((port) => [this.address, port, this.#socketOf(port)] as const)
      const machine = await VirtualMachine.boot(
        { files: this.files, ...params, system: params.system ?? this.system },
        this.#folder,
        ways,
        this.#street,
      )
      this.#machines.set(params.id, machine)
      const gone = machine.over.then(async (byItself) => {
        this.#machines.delete(params.id)
        await machine.remove()
        this.#free()
        if (byItself) for (const listener of this.#listeners) listener(params.id)
      })
      this.#gone.set(params.id, gone)
    } catch (error) {
      this.#free()
      throw error
    }
  }

  #free(): void {
    this.#places += 1
    this.#waiting.shift()?.()
  }

  /** Ends it like a terminated instance: at once, or by its power button. Resolves when it is off. */
  async end(id: string, how: 'soft' | 'hard'): Promise<void> {
    await this.#machines.get(id)?.end(how)
    await this.#gone.get(id)
  }

  async fault(id: string, fault: Fault): Promise<void> {
    await this.machine(id).fault(fault)
  }

  /** A running machine, for a look inside. */
  machine(id: string): VirtualMachine {
    const machine = this.#machines.get(id)
    if (!machine) throw new Error(`no machine ${id} is running`)
    return machine
  }

  running(): readonly string[] {
    return [...this.#machines.keys()]
  }

  /** Called when a machine powered itself off. */
  onExit(listener: (id: string) => void): void {
    this.#listeners.push(listener)
  }

  /** Everything that it wrote to its console, also after it is off. */
  async console(id: string): Promise<string> {
    return await VirtualMachine.console(this.#folder, id)
  }

  async stop(): Promise<void> {
    // A group may be replacing a machine just now: until that one runs, nothing can end it.
    for (let round = 0; round < 5 && this.#booting.size + this.#machines.size > 0; round++) {
      await Promise.all([...this.#machines.values()].map(async (machine) => machine.end('hard')))
      await Promise.allSettled([...this.#booting, ...this.#gone.values()])
    }
    await Promise.all(this.#gone.values())
    for (const one of [...this.#doors.values()].flat()) one.close()
    await this.#street.remove()
    await run('ip', ['addr', 'del', `${this.address}/32`, 'dev', 'lo'])
    await rm(this.#folder, { recursive: true, force: true })
  }
}

interface Door {
  close(): void
}

/** Takes connections for a port of the loopback. */
function passedOn(port: number): (from: Socket) => void {
  return (from) => {
    const to = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    const end = (): void => {
      from.destroy()
      to.destroy()
    }
    from.on('error', end).on('close', () => to.destroy())
    to.on('error', end)
    from.pipe(to).pipe(from)
  }
}

/** Listens at `at`. */
async function door(take: (from: Socket) => void, at: { host: string; port: number } | { path: string }): Promise<Door> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (from) => {
    open.add(from)
    from.on('close', () => open.delete(from))
    take(from)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })
  return {
    // Its address is removed too, so nobody would notice the end of a connection any more.
    close() {
      server.close()
      for (const one of open) one.destroy()
    },
  }
}
