/** A deployment in a folder store, and agents that serve it: as separate processes, or inside the test with a store that the test controls. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMachine } from '../../src/agent/run.ts'
import { killMarked } from '../../src/lib/process.ts'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import { open as openFolder } from '../../src/stores/dir/index.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, type Layout, layout } from '../../src/wire/layout.ts'
import { decodeSegment, type LogStream } from '../../src/wire/log.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import type { MachineSide, Notice } from '../../src/wire/machine-side.ts'
import type { ControlRecord, CurrentRecord, StopRequest } from '../../src/wire/records.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import type { Store, StoreAccess } from '../../src/wire/store.ts'
import { PATIENCE } from '../setup/patience.ts'
import { until } from '../setup/wait.ts'
import { COMMON, TASK } from '../wire/specs.ts'

/** As it is released, if there is a bundle (`setup/programs.ts`): it starts sooner. */
const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(import.meta.dirname, '../../src/agent/main.ts')
const ID = 'tpi-test'
const INCARNATION = 'one'

export type Params = Partial<Omit<TaskSpec, 'lifetime' | 'lease' | 'retry' | 'checkpoint'>> & {
  readonly script?: string
  readonly lifetime?: Partial<TaskSpec['lifetime']>
  readonly lease?: Partial<TaskSpec['lease']>
  readonly retry?: Partial<TaskSpec['retry']>
  readonly checkpoint?: Partial<TaskSpec['checkpoint']>
  readonly secrets?: Readonly<Record<string, string>>
  /** Content of the uploaded work directory. */
  readonly files?: Readonly<Record<string, string>>
}

export interface Agent {
  readonly name: string
  readonly home: string
  readonly child: ChildProcess
  /** Exit code, or the signal. */
  readonly ended: Promise<number | string>
}

export interface InProcess {
  readonly name: string
  readonly home: string
  readonly ended: Promise<number>
  readonly lines: string[]
  reclaim(notice?: Omit<Notice, 'kind'>): void
}

export interface MachineParams {
  readonly name?: string
  /** `free`: the machine looks for a slot itself. */
  readonly index?: number | 'free'
  readonly dead?: readonly string[]
  readonly address?: string
  /** The machine's folder; beside the store if absent. */
  readonly disk?: string
}

export class Deployment {
  readonly root: string
  readonly store: Store
  readonly keys: Layout = layout(ID, INCARNATION)
  spec: TaskSpec
  readonly #machines = new Map<string, ChildProcess | undefined>()
  #made = 0

  private constructor(root: string, store: Store, spec: TaskSpec) {
    this.root = root
    this.store = store
    this.spec = spec
  }

  /** `access`: of a store to use in place of a new folder. */
  static async make(request: Params, access?: StoreAccess): Promise<Deployment> {
    const root = await mkdtemp(join(tmpdir(), 'tpi-agent-'))
    // Not through the registry: its import fails if it happens between two concurrent tests.
    const store = access ? await openStore(access) : await openFolder({ url: `dir://${root}/store` })
    const deployment = new Deployment(root, store, specOf(request))
    await deployment.#fill(request)
    return deployment
  }

  async #fill(request: Params): Promise<void> {
    const { store, keys } = this
    await store.init(keys.root)
    if (request.files) {
      const folder = join(this.root, 'base')
      for (const [name, content] of Object.entries(request.files)) {
        await mkdir(join(folder, name, '..'), { recursive: true })
        await writeFile(join(folder, name), content)
      }
      const saver = await openSaver({ store, root: keys.root, at: 'base/', folder, warn: () => undefined })
      const saved = await saver.save({ final: true })
      this.spec = { ...this.spec, base: saved!.ref.digest }
    }
    const current: CurrentRecord = {
      v: 2,
      nonce: 'n',
      id: ID,
      name: 'test',
      incarnation: INCARNATION,
      createdAt: this.spec.createdAt,
      origin: {},
      state: 'open',
    }
    await Promise.all([
      this.put(currentKey(ID), current),
      this.put(keys.spec, this.spec),
      this.put(keys.secrets, { v: 2, env: request.secrets ?? {} }),
      ...Array.from({ length: this.spec.count }, async (_, index) =>
        this.put(keys.slot(index).record, newSlot(index, `fresh-${index}`, this.spec.createdAt)),
      ),
    ])
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.store.write(key, Buffer.from(JSON.stringify(value)))
  }

  async slot(index = 0): Promise<SlotRecord> {
    const object = await this.store.read(this.keys.slot(index).record)
    return JSON.parse(Buffer.from(object!.bytes).toString()) as SlotRecord
  }

  /** Polls until the record satisfies the condition. */
  async until(condition: (record: SlotRecord) => boolean, index = 0): Promise<SlotRecord> {
    for (const giveUp = Date.now() + 15_000 * PATIENCE; Date.now() < giveUp; await nap(20)) {
      const record = await this.slot(index)
      if (condition(record)) return record
    }
    throw new Error(`the slot never came to it: ${JSON.stringify(await this.slot(index), undefined, 1)}\n${await this.log('agent', index)}`)
  }

  /** Waits until the script has printed `ready`: its phase is recorded before it has set its traps. */
  async untilReady(): Promise<void> {
    await until('the script is ready', async () => (await this.log('script')).includes('ready\n'), 15_000)
  }

  /** The bytes of one stream, or of all, in the order of the segments that count. */
  async log(stream?: LogStream, index = 0, epoch?: number): Promise<string> {
    const record = await this.slot(index)
    const parts: Uint8Array[] = []
    for await (const entry of this.store.list(this.keys.slot(index).log)) {
      const [, at, seq] = /(\d{6})-(\d{10})$/.exec(entry.key)!.map(Number)
      const end = record.attempts.find((attempt) => attempt.epoch === at)?.logEnd
      if ((epoch !== undefined && at !== epoch) || (end !== undefined && seq! > end)) continue
      const segment = decodeSegment((await this.store.read(entry.key))!.bytes, entry.key)
      if (stream === undefined || segment.stream === stream) parts.push(segment.bytes)
    }
    return Buffer.concat(parts).toString('latin1')
  }

  /** The files of a slot's head, by name. */
  async head(index = 0): Promise<Record<string, string>> {
    const { head } = await this.slot(index)
    if (!head) return {}
    const folder = join(this.root, `head-${Math.random()}`)
    const { manifest } = await restore({ store: this.store, root: this.keys.root, refs: [head], folder, warn: () => undefined })
    const files = [...manifest.entries].filter((entry) => entry.type === 'file')
    return Object.fromEntries(await Promise.all(files.map(async ({ path }) => [path, await readFile(join(folder, path), 'utf8')] as const)))
  }

  /** Waits until the last checkpoint has this file with this content. The first one may be of an empty folder. */
  async untilSaved(name: string, content: string): Promise<void> {
    await until(`${name} is saved`, async () => (await this.head())[name] === content, 15_000)
  }

  async stop(request: Partial<StopRequest> = {}): Promise<void> {
    const record: ControlRecord = { v: 2, nonce: String(Math.random()), stop: { at: new Date().toISOString(), by: 'stop', ...request } }
    await this.put(this.keys.control, record)
  }

  config(request: MachineParams = {}): MachineConfig {
    const name = request.name ?? `m${++this.#made}-${Math.random().toString(36).slice(2, 8)}`
    this.#machines.set(name, undefined)
    const { deadline, grace, reserve } = this.spec.lifetime
    return {
      v: 2,
      cloud: 'local',
      id: ID,
      incarnation: INCARNATION,
      machine: name,
      ...(request.index === 'free' ? {} : { index: request.index ?? 0 }),
      address: request.address ?? '127.0.0.1',
      home: join(request.disk ?? this.root, name),
      dead: request.dead ?? [],
      execs: true,
      hardDeadline: new Date(Date.parse(deadline) + (grace + reserve) * 1000).toISOString(),
      store: { url: this.store.url },
      credentials: 'none',
    }
  }

  /** An agent in a process of its own; `before`: a command that starts it. */
  async agent(request: MachineParams = {}, before: readonly string[] = []): Promise<Agent> {
    const config = this.config(request)
    await mkdir(config.home, { recursive: true })
    const file = join(config.home, 'machine.json')
    await writeFile(file, JSON.stringify(config))
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TPI_MACHINE: config.machine }
    const [command, ...args] = [...before, process.execPath, AGENT, 'run', file]
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk: Buffer) => process.env['DEBUG'] && process.stderr.write(chunk))
    this.#machines.set(config.machine, child)
    const ended = new Promise<number | string>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal!)))
    return { name: config.machine, home: config.home, child, ended }
  }

  /** An agent inside this process, on a store that the test controls; `own`: more environment of the machine; `more`: of its cloud. */
  inProcess(
    request: MachineParams = {},
    store: Store = this.store,
    own: Readonly<Record<string, string>> = {},
    more: Partial<MachineSide> = {},
  ): InProcess {
    const config = this.config(request)
    const lines: string[] = []
    const waiting: Notice[] = []
    let wake: () => void = () => undefined
    const side = {
      async *notices(_: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
        while (!signal.aborted) {
          const next = waiting.shift()
          if (next) yield next
          else
            await Promise.race([
              new Promise<void>((resolve) => (wake = resolve)),
              new Promise((resolve) => signal.addEventListener('abort', resolve)),
            ])
        }
      },
      leave: async () => undefined,
      ...more,
    }
    const reclaimed = new AbortController().signal
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own }
    const ended = runMachine({
      config,
      open: async () => store,
      identity: { open: async () => store, login: async () => undefined },
      side,
      agentFile: AGENT,
      out: (line) => lines.push(line),
      reclaimed,
      env,
      container: false,
    })
    return {
      name: config.machine,
      home: config.home,
      ended,
      lines,
      reclaim: (notice = {}) => {
        waiting.push({ kind: 'reclaim', ...notice })
        wake()
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [name, child] of this.#machines) {
      child?.kill('SIGCONT')
      child?.kill('SIGKILL')
      await killMarked('TPI_MACHINE', name)
    }
    await this.store.close?.()
    await rm(this.root, { recursive: true, force: true })
  }
}

function specOf(request: Params): TaskSpec {
  const { script, lifetime, lease, retry, checkpoint, secrets, files: _files, ...rest } = request
  return {
    ...COMMON,
    ...TASK,
    v: 2,
    id: ID,
    incarnation: INCARNATION,
    name: 'test',
    mode: 'task',
    createdAt: new Date().toISOString(),
    origin: {},
    count: 1,
    program: { script: script ?? 'true' },
    secretNames: Object.keys(secrets ?? {}),
    lifetime: { deadline: new Date(Date.now() + 600_000).toISOString(), grace: 3, reserve: 5, retention: 60, ...lifetime },
    lease: { beat: 200, ttl: 3000, storeGrace: 10_000, ...lease },
    retry: { maxAttempts: 5, retries: 0, retryOn: [], ...retry },
    checkpoint: { interval: 0.3, globs: [], ...checkpoint },
    ...rest,
  }
}

export const nap = async (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const sha256 = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex')
