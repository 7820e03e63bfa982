/** For faults of machines that boot: an account with such machines, its runs, and what is left of them. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type Ran, type World, world } from '../../setup/world.ts'
import { orMissing } from '../missing.ts'
import { MachineHost } from './host/machine-host.ts'
import type { VmLab } from './labs.ts'
import type { RunningLab } from './running-lab.ts'
import { shareRuntime } from './runtime.ts'
import type { Machine } from './simulation/types.ts'

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

export class Account {
  readonly vm: VmLab
  readonly host: MachineHost
  readonly lab: RunningLab
  readonly w: World
  /** Runs that were started, until all of them are removed. */
  readonly #begun = new Map<string, Promise<unknown>>()

  private constructor(vm: VmLab, host: MachineHost, lab: RunningLab, w: World) {
    this.vm = vm
    this.host = host
    this.lab = lab
    this.w = w
  }

  static async open(vm: VmLab): Promise<Account | undefined> {
    const host = await orMissing('no machines of a cloud', async () => MachineHost.start())
    const lab = host && (await vm.start(host))
    if (!host || !lab) return undefined
    const w = await world()
    await shareRuntime(w.home)
    await w.write('p/data', 'one\n')
    return new Account(vm, host, lab, w)
  }

  /** Starts a run of one spot machine with this script. */
  task(name: string, script: string, more: readonly string[] = [], how: Parameters<World['tpi']>[1] = {}): Promise<Ran> {
    const { cloud, types } = this.vm
    const words = `task --cloud ${cloud} --machine ${types} --spot --name ${name} --workdir p --output r --checkpoint-interval 1s --json`
    const run = this.w.tpi([...words.split(' '), '--script', script, ...more], { ...how, env: { ...this.lab.env, ...how.env } })
    this.#begun.set(
      name,
      run.catch(() => undefined),
    )
    return run
  }

  /** Waits until the script has printed this so many times; fails with the run's output if it ends first. */
  async printed(name: string, text: RegExp, run: Promise<Ran>, times = 1): Promise<void> {
    let over: Ran | undefined
    run.then(
      (ran) => (over = ran),
      () => undefined,
    )
    const says = async (): Promise<boolean> => {
      if (over) throw new Error(`the run has ended: ${over.host.lines.join(' | ')}\n${over.host.scriptText()}`)
      const said = (await this.w.tpi(`logs ${name}`, { env: this.lab.env })).host.scriptText()
      return (said.match(new RegExp(text, 'gm'))?.length ?? 0) >= times
    }
    await until(`${name} prints ${text} for the ${times}. time`, says, PATIENCE)
  }

  /** Machines of its cloud that are not about to end. */
  present(): readonly Machine[] {
    return this.lab.world.fleet.present(this.vm.region).filter(({ state }) => state === 'starting' || state === 'up')
  }

  machine(): Machine {
    const [only, ...more] = this.present()
    if (!only || more.length > 0) throw new Error(`there are ${more.length + Number(only !== undefined)} machines`)
    return only
  }

  /** Removes what a run leaves on purpose, and checks that nothing of it remains. */
  async givenBack(before: readonly string[], name?: string): Promise<void> {
    const { env } = this.lab
    if (name !== undefined) expect(await this.w.tpi(`destroy ${name} --discard --json`, { env })).toMatchObject({ code: 0 })
    await untilSame('the account is as before', async () => this.lab.inventory(), before)
    await until('no machine runs', () => this.host.running().length === 0)
    this.#begun.clear()
  }

  /** After a failed test: its second try, and later tests, must find an account without its runs. */
  async clear(): Promise<void> {
    if (this.#begun.size === 0) return
    for (const [name, run] of this.#begun) {
      let over = false
      void run.then(() => (over = true))
      // Resources that are still being created can be removed in a later round.
      const goes = async (): Promise<boolean> => {
        await this.w.tpi(`destroy ${name} --discard`, { env: this.lab.env })
        return over
      }
      await until(`${name} has ended`, goes, PATIENCE)
    }
    await until('no machine runs', () => this.host.running().length === 0, PATIENCE)
    // Disks and interfaces of machines that are gone stay a moment longer.
    await until('nothing of its machines is left', () => [...this.lab.world.fleet.parts.values()].every(({ goesWithIt }) => !goesWithIt))
    // Otherwise their output would be taken for that of later runs.
    await rm(join(this.w.home, 'history'), { recursive: true, force: true })
    this.#begun.clear()
  }

  async close(): Promise<void> {
    await this.host.stop()
    await this.lab.stop()
    await this.w.end()
  }
}

/** One account for all tests of a block; `undefined` if no account is possible here. */
export function accountOf(vm: VmLab): () => Account | undefined {
  let account: Account | undefined
  beforeAll(async () => {
    account = await Account.open(vm)
  }, 200_000)
  afterEach(async () => account?.clear(), 2 * PATIENCE)
  afterAll(async () => account?.close())
  return () => {
    if (!account) expect(process.env['CI']).toBeUndefined()
    return account
  }
}

/**
 * A script that works until its last attempt and resumes from its checkpoint: its result is the same however often it was cut off. It prints where it
 * starts, and its progress.
 */
export const steadily = (attempts: number): string =>
  `n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt 8 ] || [ $TPI_ATTEMPT -lt ${attempts} ]; do n=$((n+1)); echo $n > n; echo at $n; sleep 0.5; done; echo done by way of $(cat data) > r`
/** The final content of its file `r`. */
export const STEADY = 'done by way of one\n'
