/** The crowd as controllers in memory, each running the program's verbs, on the awkward cloud and in its time. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cloud, CloudDescriptor } from '../../src/core/cloud.ts'
import { EXIT } from '../../src/core/exit-codes.ts'
import { parseCommandLine } from '../../src/options/parse.ts'
import { optionTable } from '../../src/options/rows/table.ts'
import { type ActingVerb, act } from '../../src/verbs/index.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { exitOf } from '../../src/verbs/shared/error-exit.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { Account, clockOf } from '../clouds/awkward/account.ts'
import { awkwardCloud, untagged } from '../clouds/awkward/cloud.ts'
import { AWKWARD, around, noFiles, OWNER } from '../clouds/awkward/commands.ts'
import { populate, type Work } from '../clouds/awkward/machine.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { signalledBy } from '../setup/signals.ts'
import { type MemoryStore, memoryStore } from '../snapshot/memory-store.ts'
import type { BlowName, Player, Stage } from './crowd.ts'
import { dyingCloud, dyingStore } from './dying.ts'
import type { Ended } from './house.ts'
import { type Actor, OwnershipTable } from './ownership-table.ts'
import { seeded } from './random.ts'

/** A factor for pauses: what takes a moment on a host takes minutes here, creating a group alone three. */
const SLOWER = 300
/** The other factor for pauses, with which commands also meet within a few calls. */
const CLOSE = 4
const MINUTE = 60_000
/** TTL of all leases here, as the options set it. */
const TTL = MINUTE
/** Milliseconds after which a command has exceeded its time limit. */
const BOUND = 12 * 60 * MINUTE
/** The longest that a request, and its answer, take on the way, in milliseconds. */
const LATENCY = 300
/** Verbs that undo nothing. */
const LOOKS: ReadonlySet<string> = new Set(['status', 'list', 'logs'])
/** How long a command on a slow connection takes to read a snapshot: longer than it takes others to remove everything. */
const THIN = 8 * MINUTE
/**
 * Some commands freeze for a moment, right where another one could come between: too short to be taken for dead, so nobody may notice. As a part of
 * the TTL, because a heartbeat may have been due just then.
 */
const STILL = 0.6
const TURNS = /^(?:write \S+(?:current|spec|control|collected)\.json|write \S+controllers|list \S+controllers|clear|remove|(?:start|end)$)/

const { options: _options, ...facts } = AWKWARD
const descriptor: CloudDescriptor = { ...facts, can: { ...AWKWARD.can, spot: false } }
const table = optionTable([descriptor])

/** Whether one controller is running, frozen or dead. */
class Life {
  #state: 'runs' | 'stands' | 'dead' = 'runs'
  #goesOn: (() => void)[] = []
  /** When it was last frozen. */
  #stood = Number.NEGATIVE_INFINITY
  readonly #now: () => number
  /** It has ended by itself. */
  isOver = false
  readonly killed = Promise.withResolvers<void>()

  constructor(now: () => number) {
    this.#now = now
  }

  stand(): void {
    if (this.#state === 'runs') this.#state = 'stands'
  }

  goOn(): void {
    if (this.#state !== 'stands') return
    this.#state = 'runs'
    this.#stood = this.#now()
    for (const go of this.#goesOn.splice(0)) go()
  }

  kill(): void {
    this.#state = 'dead'
    this.killed.resolve()
  }

  get stands(): boolean {
    return this.#state === 'stands'
  }

  get runs(): boolean {
    return this.#state === 'runs' && !this.isOver
  }

  stoodSince(time: number): boolean {
    return !this.runs || this.#stood >= time
  }

  /** Resolves while it is running; never if it is dead. */
  async turn(): Promise<void> {
    while (this.#state !== 'runs') await new Promise<void>((resolve) => this.#goesOn.push(resolve))
  }
}

export async function crowdedCloud(name: string): Promise<Stage> {
  return new CrowdedCloud(name)
}

class CrowdedCloud implements Stage {
  readonly root: string
  readonly diary: string[] = []
  readonly times = ['--timeout', '24h', '--grace', '1m']
  readonly #account = new Account()
  readonly #clock = clockOf(this.#account)
  readonly #store: MemoryStore = memoryStore()
  readonly #table = new OwnershipTable(this.#store, () => this.#clock.now())
  readonly #lives: Life[] = []
  readonly #random = seeded(7)
  readonly #begun = this.#clock.now()
  #commands = 0
  #over = false
  readonly #passing: Promise<void>

  constructor(name: string) {
    this.root = mkdtempSync(join(tmpdir(), `tpi-crowd-${name}-`))
    for (const folder of ['home', 'work', 'made']) mkdirSync(join(this.root, folder))
    writeFileSync(join(this.root, 'made', 'result'), 'done\n')
    const { groups } = this.#account
    populate(
      this.#account,
      this.#store,
      (group) => untagged(groups.get(group)?.tags ?? {}),
      (spec) => this.#work(spec),
    )
    this.#passing = this.#pass()
  }

  async #pass(): Promise<void> {
    for (let seconds = 0; !this.#over; seconds++) {
      await this.#account.clock.skip(1000)
      // What this process packs or loads meanwhile must look like some work, not like hours of it.
      if (seconds % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  /** The machine's work, from the script of the play. */
  #work(spec: Spec): Work {
    const script = JSON.stringify('program' in spec ? spec.program : '')
    const [, steps = '1', exitCode = '0'] = /seq (\d+).*exit (\d+)/.exec(script) ?? []
    return { takes: Number(steps) * 100 * SLOWER, exitCode: Number(exitCode), results: join(this.root, 'made') }
  }

  note(line: string): void {
    const minutes = (this.#clock.now() - this.#begun) / MINUTE
    this.diary.push(`${minutes.toFixed(2).padStart(8)} min ${line}`)
  }

  async nap(milliseconds: number): Promise<void> {
    await this.#clock.sleep(milliseconds * (this.#random.chance(0.5) ? CLOSE : SLOWER))
  }

  start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Player {
    const number = ++this.#commands
    const life = new Life(() => this.#clock.now())
    this.#lives.push(life)
    const cancel = new AbortController()
    this.note(`#${number} tpi ${words.join(' ').slice(0, 60)}`)
    const bound = this.#account.clock.at(this.#clock.now() + BOUND, () => {
      this.note(`#${number} does not end`)
      life.kill()
    })
    const self: Self = { number, life, signal: cancel.signal }
    let ended = false
    const end = (one: Ended): Ended => {
      ended = true
      life.isOver = true
      bound()
      this.note(`#${number} ended: ${one.code}; ${one.err.trim().split('\n').slice(-2).join(' | ').slice(0, 500)}`)
      return one
    }
    const killed = life.killed.promise.then(() => ({ code: 'SIGKILL', out: '', err: '', facts: undefined }))
    return {
      ended: Promise.race([this.#run(words, env, self), killed]).then(end),
      strike: (blow) => {
        if (ended) return false
        this.note(`#${number} ${blow}`)
        strike(life, cancel, blow)
        return true
      },
      lingerAt: (call, milliseconds) => {
        self.lingers = { call, time: milliseconds * SLOWER }
      },
    }
  }

  async #run(words: readonly string[], env: Readonly<Record<string, string>>, self: Self): Promise<Ended> {
    const { signal, life } = self
    const host = memoryHost()
    let code: number
    try {
      const parsed = await parseCommandLine(table, words, { env, ...noFiles(this.root) })
      code = await act(parsed.verb as ActingVerb, this.#context({ self, parsed, host, env }))
    } catch (error) {
      const reported = signal.aborted && error === signal.reason ? { exitCode: EXIT.terminated, message: 'interrupted' } : exitOf(error)
      host.error(reported.exitCode === EXIT.bug ? String((error as Error).stack) : reported.message)
      code = reported.exitCode
    }
    await life.turn()
    return { code, out: host.printed.join('\n'), err: host.lines.join('\n'), facts: host.jsonFacts.at(-1) }
  }

  #context({ self, parsed, host, env }: Given): VerbContext {
    const { number, life, signal } = self
    const own = seeded(number * 7919 + this.#random.between(0, 1e6))
    const [thin, hesitant] = [own.chance(0.3), own.chance(0.5)]
    const lingering = async (name: string): Promise<void> => {
      const { lingers } = self
      if (!lingers || !name.startsWith('write') || !name.endsWith(lingers.call)) return
      self.lingers = undefined
      await this.#clock.sleep(lingers.time)
    }
    const through = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
      await this.#way(life)
      if (thin && /^read \S+\/snap\//.test(name)) await this.#clock.sleep(own.between(0, THIN))
      try {
        return await act()
      } finally {
        await lingering(name)
        if (hesitant && TURNS.test(name) && own.chance(0.25)) this.#hesitate(life, own.between(0, STILL * TTL))
        await this.#way(life)
      }
    }
    const sleep = async (time: number, until?: AbortSignal): Promise<void> => {
      try {
        await this.#clock.sleep(time, until)
      } finally {
        await life.turn()
      }
    }
    const discards = parsed.values.discard || parsed.verb === 'sweep'
    const actor: Actor = { number, discards, runs: () => life.runs, stoodSince: (time) => life.stoodSince(time) }
    const open = awkwardCloud(this.#account, undefined, { signal, pause: sleep })
    const sizes: Pick<Cloud, 'start' | 'end'> = {
      start: async (spec) => {
        this.#table.starts(actor, spec.tags)
        await open.start(spec)
      },
      end: async (of) => {
        this.#table.ends(actor, of)
        await open.end(of)
      },
    }
    const cloud = dyingCloud({ ...open, ...sizes }, { through })
    const store = this.#table.as(actor, (record) => !LOOKS.has(parsed.verb) && this.#wakes(record))
    return {
      values: parsed.values,
      parsed,
      // On a host that nobody can look at, so that only its silence shows that it is dead.
      engine: {
        host,
        clock: { ...this.#clock, sleep },
        home: join(this.root, 'home'),
        actor: OWNER.key,
        process: `000000000000-1.${'0'.repeat(12)}`,
      },
      host,
      ...around(this.root, descriptor),
      env,
      signals: signalledBy(signal, 'SIGTERM'),
      clouds: async () => [{ id: descriptor.id, cloud }],
      access: async () => dyingStore(store, { through }),
    }
  }

  #hesitate(life: Life, time: number): void {
    if (!life.runs) return
    life.stand()
    this.#account.clock.at(this.#clock.now() + time, () => life.goOn())
  }

  /** A command that was frozen continues just when another one finds its silence long enough: the worst moment. */
  #wakes(record: CurrentRecord | undefined): void {
    if (record === undefined || this.#table.silence < (record.ttl ?? 0) || !this.#random.chance(0.5)) return
    for (const life of this.#lives.filter(({ stands }) => stands)) life.goOn()
  }

  async #way(life: Life): Promise<void> {
    await life.turn()
    await this.#clock.sleep(this.#random.between(1, LATENCY))
    await life.turn()
  }

  /** Nothing here takes longer than the plays say. */
  async isStarved(): Promise<boolean> {
    return false
  }

  harm(): void {
    const { world } = this.#account
    const victim = [...world.fleet.machines.values()].find(({ state }) => state === 'up')
    this.note(`lost: ${victim?.id ?? 'nobody'}`)
    if (victim) world.lose(victim, 'died')
  }

  async remains(secret: string): Promise<readonly string[]> {
    await this.#clock.sleep(10 * MINUTE)
    const { world, groups, networks } = this.#account
    const objects = [...this.#store.objects].map(([key, { bytes }]) =>
      Buffer.from(bytes).includes(secret) ? `${key} holds a secret` : key,
    )
    return [...world.inventory(), ...groups.keys(), ...networks, ...objects]
      .map((one) => `left behind: ${one}`)
      .concat(this.#table.violations)
  }

  async close(keep: boolean): Promise<void> {
    this.#over = true
    await this.#passing
    this.#account.world.stop()
    if (keep) writeFileSync(join(this.root, 'diary.txt'), `${this.diary.join('\n')}\n`)
    else rmSync(this.root, { recursive: true, force: true })
  }
}

/** One command. */
interface Self {
  readonly number: number
  readonly life: Life
  readonly signal: AbortSignal
  lingers?: { readonly call: string; readonly time: number } | undefined
}

interface Given {
  readonly self: Self
  readonly parsed: VerbContext['parsed']
  readonly host: VerbContext['host']
  readonly env: Readonly<Record<string, string>>
}

function strike(life: Life, cancel: AbortController, blow: BlowName): void {
  if (blow === 'SIGKILL') life.kill()
  else if (blow === 'SIGSTOP') life.stand()
  else if (blow === 'SIGCONT') life.goOn()
  else cancel.abort(new Error(blow))
}
