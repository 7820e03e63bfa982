/** The two runs of a cloud that all its checks use, and the runs of its own checks. More of them would cost more, and answer nothing else. */

import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cloudById, clouds } from '../../../src/clouds/registry.ts'
import type { Cloud, CloudContext } from '../../../src/core/cloud.ts'
import { pause, systemClock } from '../../../src/lib/clock.ts'
import { ownersOf, ownNumber } from '../../../src/lib/user.ts'
import { parseCommandLine } from '../../../src/options/parse.ts'
import { optionTable } from '../../../src/options/rows/table.ts'
import type { Facts } from '../begun.ts'
import type { Settings } from '../check.ts'
import { Commands, newNonce } from '../commands.ts'
import type { Account, Thing, Vendor } from './account.ts'
import { Hung } from './hung.ts'
import { MOST, type Price, priceOf } from './price.ts'
import type { Run, Stage, Times } from './run.ts'

export const TIMES: Times = { pair: 5400, hung: 420, late: 900, rest: 180, patience: 2400 }

/** Kinds of things that belong to a machine. */
const PARTS = ['machine', 'disk', 'interface', 'address']
const SCRIPT = 'machine.py'

export class Runs implements Stage {
  readonly vendor: Vendor
  readonly times: Times
  readonly commands: Commands
  readonly cloud: Cloud
  readonly account: Account
  readonly price: Price
  readonly machine: string
  /** Part of every name that is made. */
  readonly nonce: string
  readonly #signal: AbortSignal
  readonly #all: Run[] = []
  #over = false
  #pair: Run | undefined
  #hung: Hung | undefined

  /** Makes nothing yet. `prepare`: fills the home of the commands. */
  static async open(vendor: Vendor, settings: Settings, times: Times, prepare?: (home: string) => Promise<void>): Promise<Runs> {
    if (settings.env['SMOKE_SPEND'] !== 'yes') throw new Error('SMOKE_SPEND is not "yes": nothing was made')
    const commands = await Commands.open(settings, {}, vendor.variables)
    try {
      await prepare?.(commands.home)
      await mkdir(join(commands.home, 'p'))
      await copyFile(join(import.meta.dirname, SCRIPT), join(commands.home, 'p', SCRIPT))
      const machine = settings.env['TPI_MACHINE'] || 's'
      const words = ['--cloud', vendor.id, '--machine', machine, '--spot']
      const said = settings.env['SMOKE_PRICE']
      const price = await priceOf(commands, { words, seconds: times.pair, said, more: vendor.more?.machines ?? 0 })
      const context = await contextOf(commands, words)
      const cloud = await openCloud(vendor, context)
      return new Runs({ vendor, times, commands, cloud, account: await vendor.open(context), price, machine }, settings.signal)
    } catch (error) {
      await commands.close()
      throw error
    }
  }

  private constructor(parts: Pick<Runs, 'vendor' | 'times' | 'commands' | 'cloud' | 'account' | 'price' | 'machine'>, signal: AbortSignal) {
    this.vendor = parts.vendor
    this.times = parts.times
    this.commands = parts.commands
    this.cloud = parts.cloud
    this.account = parts.account
    this.price = parts.price
    this.machine = parts.machine
    this.#signal = signal
    this.nonce = `smoke-${newNonce()}`
  }

  /** Two machines, followed by a command: 0 ends with exit code 3 once both have met, 1 runs until it is told to end. */
  pair(): Run {
    const { closed, name } = this.vendor
    this.#pair ??= this.start('pair', this.times.pair, ['--parallelism', '2', '--output', 'r-*'], `pair ${name} ${closed.join(' ')}`)
    return this.#pair
  }

  hung(): Hung {
    this.#hung ??= new Hung(this)
    return this.#hung
  }

  /** Only if a check has started it. */
  get hanging(): Hung | undefined {
    return this.#hung
  }

  start(what: string, seconds: number, more: readonly string[], act: string): Run {
    this.#signal.throwIfAborted()
    if (this.#over) throw new Error('these checks are over')
    const name = `${this.nonce}-${what}`
    const place = ['--cloud', this.vendor.id, '--machine', this.machine, ...(more.includes('--spot') ? [] : ['--spot'])]
    const words = ['task', '--name', name, ...place, '--workdir', 'p', '--verbose']
    // A budget needs a price from the cloud.
    const share = (MOST / (2 + (this.vendor.more?.runs ?? 0))).toFixed(2)
    const limits = ['--timeout', `${seconds}s`, ...(this.price.hour === undefined ? [] : ['--max-cost', share])]
    const timeout = new Date(Date.now() + seconds * 1000)
    const run = { name, timeout, command: this.commands.begin([...words, ...limits, ...more, '--script', `python3 ${SCRIPT} ${act}`]) }
    this.#all.push(run)
    return run
  }

  /** Waits for a line of the script; resolves to when it came, and to its words. */
  async line(run: Run, what: RegExp): Promise<{ readonly at: number; readonly words: readonly string[] }> {
    await this.commands.within(this.times.patience, async () => run.command.over || run.command.said(what) !== undefined)
    const found = run.command.said(what)
    if (!found) throw new Error(`${run.name} did not say ${what.source}${run.command.over ? ' and has ended' : ''}: ${run.command.last}`)
    return { at: Number(found.at.toFixed(1)), words: found.match.slice(1) }
  }

  /** Resolves once the condition holds, or when patience is over. */
  async status(run: Run, is: (facts: Facts) => boolean = () => true): Promise<Facts> {
    let facts: Facts = {}
    await this.commands.within(this.times.patience, async () => {
      facts = await this.commands.status(run.name)
      return is(facts)
    })
    return facts
  }

  async parts(run: Run): Promise<ReadonlyMap<string, number>> {
    const things = (await this.account.things(run.name)).filter(({ kind }) => PARTS.includes(kind))
    const kinds = [...new Set(things.map(({ kind }) => kind))]
    return new Map(kinds.map((kind) => [kind, things.filter((thing) => thing.kind === kind).length]))
  }

  async deserted(run: Run, seconds: number): Promise<number | undefined> {
    return this.commands.within(seconds, async () => ((await this.parts(run)).get('machine') ?? 0) === 0)
  }

  /** What is left after everything was removed, also if these checks were told to end. */
  async left(): Promise<readonly string[]> {
    this.#over = true
    const left = (await Promise.all(this.#all.map(async (run) => this.#removed(run)))).flat()
    const { out } = await this.commands.run(['sweep', '--cloud', this.vendor.id, '--json'])
    return [...left.map(({ kind, name }) => `${kind} ${name}`), ...(out.includes(this.nonce) ? ['something that tpi sweep finds'] : [])]
  }

  /** Resolves to what is left all the same. */
  async #removed(run: Run): Promise<readonly Thing[]> {
    const things = async (): Promise<readonly Thing[]> => this.account.things(run.name)
    if (!run.command.over) run.command.kill()
    if ((await things()).length > 0) await this.commands.run(['destroy', run.name, '--cloud', this.vendor.id, '--discard'])
    const end = performance.now() + this.times.patience * 1000
    // The vendor's lists lag.
    let left = await things()
    while (left.length > 0 && performance.now() < end) {
      await pause(2000)
      left = await things()
    }
    return left
  }
}

/** The same context as for the commands: options in the user's variables apply to both. */
async function contextOf({ env, home }: Commands, words: readonly string[]): Promise<CloudContext> {
  const there = { readFile: async (path: string) => readFile(path, 'utf8'), ownersOf, user: ownNumber() }
  const surroundings = { env, cwd: home, ...there, readStdin: async () => '' }
  const { values } = await parseCommandLine(optionTable(clouds), ['doctor', ...words], surroundings)
  const quiet = () => undefined
  return {
    env,
    home,
    values,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    clock: systemClock,
    signal: new AbortController().signal,
    agent: async () => Promise.reject(new Error('checks boot no machine by themselves')),
  }
}

async function openCloud({ id }: Vendor, context: CloudContext): Promise<Cloud> {
  const descriptor = cloudById(id)
  if (!descriptor) throw new Error(`there is no cloud ${id}`)
  return (await descriptor.load()).open(context)
}
