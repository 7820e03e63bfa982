/**
 * Commands of the program on the awkward cloud, in its time and on one store in memory: any number of them, killed or interrupted where a test says.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CloudDescriptor } from '../../../src/core/cloud.ts'
import { vmOptions } from '../../../src/core/cloud-options.ts'
import { parseCommandLine } from '../../../src/options/parse.ts'
import { optionTable } from '../../../src/options/rows/table.ts'
import { type ActingVerb, act } from '../../../src/verbs/index.ts'
import { after, type Traces } from '../../../src/verbs/post-step.ts'
import type { VerbContext, VerbRun } from '../../../src/verbs/shared/context.ts'
import { exitOf } from '../../../src/verbs/shared/error-exit.ts'
import type { Signals } from '../../../src/verbs/shared/signals.ts'
import type { Spec } from '../../../src/wire/spec.ts'
import { memoryHost } from '../../setup/memory-host.ts'
import { signalledBy } from '../../setup/signals.ts'
import { type MemoryStore, memoryStore } from '../../snapshot/memory-store.ts'
import { DEAD, type Death, dyingCloud, dyingStore } from '../../storm/dying.ts'
import { Account, clockOf, REGIONS } from './account.ts'
import { awkwardCloud, untagged } from './cloud.ts'
import { populate, type Work } from './machine.ts'

const [EAST, WEST] = REGIONS
const AHEAD = 2000
/** A URL that options accept. */
const STORE = 's3://memory'

export const AWKWARD: CloudDescriptor = {
  id: 'awkward',
  title: 'the awkward cloud',
  billed: true,
  credentials: [],
  options: vmOptions,
  can: { spot: true, gpu: false, exec: false, rehearse: false, keep: false, numbered: false, wholeSystem: false },
  permissions: async () => '',
  load: async () => {
    throw new Error('it is opened by its tests')
  },
}
const table = optionTable([AWKWARD])

export interface Ended {
  readonly code: number | 'killed'
  readonly lines: readonly string[]
  readonly facts: unknown
  readonly outputs: Readonly<Record<string, string>>
}

export interface Given {
  /** Sees every call, and may never let it return: then the command is dead. */
  readonly death?: Pick<Death, 'through' | 'died'>
  readonly signal?: AbortSignal
  /** What `signal` stands for, if not SIGTERM; SIGINT is sent by a person at a terminal. */
  readonly kind?: ReturnType<Signals['kind']>
  /** The command's home folder; commands of one computer share it. */
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Faults that only some regions have. */
  readonly faulty?: Readonly<Record<string, string>>
  readonly clockFault?: VerbContext['clockFault']
}

export class Commands {
  readonly account = new Account()
  readonly store: MemoryStore = { ...memoryStore(), url: STORE }
  readonly root = mkdtempSync(join(tmpdir(), 'tpi-commands-'))
  work: Work = { takes: 60_000 }
  /** Region of each attempt, in the order in which they began. */
  readonly begun: (string | undefined)[] = []
  /** The most machines that worked at the same time. */
  most = 0
  #busy = 0
  #passes = 0

  constructor() {
    for (const folder of ['work', 'made']) mkdirSync(join(this.root, folder))
    writeFileSync(join(this.root, 'work', 'input'), 'for it\n')
    writeFileSync(join(this.root, 'made', 'result'), 'done\n')
    const { groups } = this.account
    populate(
      this.account,
      this.store,
      (group) => untagged(groups.get(group)?.tags ?? {}),
      (spec) => this.#work(spec),
    )
  }

  close(): void {
    this.account.world.stop()
    rmSync(this.root, { recursive: true, force: true })
  }

  #work(_spec: Spec): Work {
    return { results: join(this.root, 'made'), watch: (group) => this.#begins(group), ...this.work }
  }

  #begins(group: string): () => void {
    this.begun.push(this.account.madeIn(group))
    this.most = Math.max(this.most, ++this.#busy)
    return () => void this.#busy--
  }

  /** From now on, the region has room for this many machines. */
  room(region: string, machines: number): void {
    this.account.world.supply.setRoom({ region }, machines)
  }

  /** Lets time pass until the promise settles. */
  async passing<T>(doing: Promise<T>): Promise<T> {
    const state = { over: false }
    const done = doing.finally(() => (state.over = true))
    done.catch(() => undefined)
    for (let steps = 0; !state.over; steps++) {
      if (steps > 40_000) throw new Error('it does not come to an end')
      await this.pass(AHEAD)
    }
    return done
  }

  async pass(milliseconds: number, step = AHEAD): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += step) {
      await this.account.clock.skip(step)
      // What this process packs meanwhile must look like some work, not like hours of it.
      if (this.#passes++ % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  /** Lets time pass in small steps until the condition holds, even if only for a moment. */
  async until(done: () => boolean): Promise<void> {
    for (let steps = 0; !done(); steps++) {
      if (steps > 40_000) throw new Error('it does not come to that')
      await this.pass(500, 500)
    }
  }

  async start(words: readonly string[], given: Given = {}): Promise<Ended> {
    return this.#run(words, given, async (context) => act(context.parsed.verb as ActingVerb, context))
  }

  /** The action's post step, after a main step that was killed. */
  async post(words: readonly string[], traces: Traces, given: Given = {}): Promise<Ended> {
    return this.#run(words, given, async (context) => after(context, traces))
  }

  async #run(words: readonly string[], given: Given, body: VerbRun): Promise<Ended> {
    const host = memoryHost()
    const { lines, printed, jsonFacts, outputs } = host
    const ended = (code: Ended['code']): Ended => ({ code, lines: [...lines, ...printed], facts: jsonFacts.at(-1), outputs })
    const run = async (): Promise<Ended> => {
      try {
        return ended(await body(await this.#context(words, given, host)))
      } catch (error) {
        host.error(String((error as Error).stack))
        return ended(exitOf(error).exitCode)
      }
    }
    const killed = given.death?.died.then(() => ended('killed'))
    return Promise.race([run(), ...(killed ? [killed] : [])])
  }

  async #context(words: readonly string[], given: Given, host: ReturnType<typeof memoryHost>): Promise<VerbContext> {
    const {
      env = {},
      signal = new AbortController().signal,
      death = { through: async (_, act) => act() } as Pick<Death, 'through'>,
    } = given
    const parsed = await parseCommandLine(table, words, { env, ...noFiles(this.root) })
    const clock = clockOf(this.account)
    const regions = parsed.values.region.length > 0 ? parsed.values.region : [EAST]
    const open = (region = regions[0]): ReturnType<typeof awkwardCloud> => {
      const cloud = awkwardCloud(this.account, region, { signal, pause: clock.sleep, regions })
      const fault = given.faulty?.[region ?? '']
      const faults = async () => (fault === undefined ? [] : [{ option: 'image', message: fault }])
      const store = async () => ({ url: STORE })
      return { ...dyingCloud({ ...cloud, faults, store }, death), inRegion: open, list: async (lost) => cloud.list(lost) }
    }
    return {
      values: parsed.values,
      parsed,
      // If the test kills it, its own host knows that its process is dead.
      engine: { host, clock, home: join(this.root, given.home ?? 'home'), actor: OWNER.key, ...(given.death && { process: DEAD }) },
      host,
      ...around(this.root, AWKWARD),
      env,
      interactive: given.kind === 'SIGINT',
      signals: signalledBy(signal, given.kind ?? 'SIGTERM'),
      clouds: async () => [{ id: AWKWARD.id, cloud: open() }],
      access: async () => dyingStore(this.store, death),
      ...(given.clockFault && { clockFault: given.clockFault }),
    }
  }

  /** Everything of tpi that exists, except what may be kept. */
  remains(): readonly string[] {
    const { world, groups, networks } = this.account
    return [...world.inventory(), ...groups.keys(), ...networks, ...this.store.objects.keys()]
  }

  /** The sum of the sizes of all groups. */
  wanted(): number {
    return [...this.account.groups.values()].reduce((sum, { group }) => sum + (group?.sizes.wanted ?? 0), 0)
  }
}

/** The owner of these commands' runs. */
export const OWNER = { key: 'ann@box', origin: { user: 'ann@box' } }

/** Surroundings for options: no files, and empty standard input. */
export const noFiles = (root: string) => ({
  cwd: join(root, 'work'),
  readFile: async () => {
    throw Object.assign(new Error('it does not exist'), { code: 'ENOENT' })
  },
  ownersOf: async () => [1000],
  user: 1000,
  readStdin: async () => '',
})

/** The surroundings of a command whose cloud and store are in memory. */
export function around(root: string, descriptor: CloudDescriptor) {
  return {
    owner: OWNER,
    cwd: join(root, 'work'),
    interactive: false,
    descriptors: [descriptor],
    billed: () => true,
    note: async () => undefined,
    storage: async () => undefined,
    agent: async () => ({ bytes: new Uint8Array(), digest: 'a'.repeat(64) }),
  }
}

export { EAST, WEST }
