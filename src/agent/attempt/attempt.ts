/** One attempt: restores the work directory, runs set-up and script, and hands the end to `finish`. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { secretNeedles } from '../../lib/redact.ts'
import { messageOf } from '../../lib/text.ts'
import type { Restored } from '../../snapshot/types.ts'
import { SECRETS } from '../../wire/records.ts'
import { aboutAttempt, type SlotPhase } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { MachineContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import { diskIsFull } from '../process/memory-and-disk.ts'
import { runProgram } from '../process/run-program.ts'
import { RunnerAttempt } from '../runner/runner.ts'
import { LogShipper } from '../telemetry/log-shipper.ts'
import { Checkpoints } from './checkpoint.ts'
import type { TaskWork, Work } from './context.ts'
import { freshFiles, scriptEnvironment } from './environment.ts'
import { type AttemptResult, finish } from './finish.ts'
import { restoreTree } from './restore.ts'
import { goThrough, setUp } from './steps.ts'
import { type Happened, hindered, withoutGang } from './verdict.ts'

/** Rejects when nothing may be written any more, because the slot or the store is lost. */
export async function runAttempt(work: Work): Promise<AttemptResult> {
  const { context, holder, ending, agentLog } = work
  const { epoch } = holder.record
  const spool = join(context.folders.run, `log-${epoch}`)
  const logs = new LogShipper({ store: context.store, slot: context.slot, epoch, spool, severed: ending.severed })
  agentLog.attach(logs)
  try {
    const { spec } = context
    const attempt =
      spec.mode === 'runner'
        ? new RunnerAttempt({ ...work, context: { ...context, spec } }, logs)
        : new TaskAttempt({ ...work, context: { ...context, spec } }, logs)
    const happened = work.hindrance === undefined ? await attempt.through() : hindered(work.hindrance)
    return await finish(work, logs, happened, attempt.needles)
  } finally {
    agentLog.detach()
  }
}

class TaskAttempt {
  readonly #work: TaskWork
  readonly #logs: LogShipper
  needles: readonly Buffer[] = []

  constructor(work: TaskWork, logs: LogShipper) {
    this.#work = work
    this.#logs = logs
  }

  async through(): Promise<Happened> {
    const { ending, context } = this.#work
    return goThrough({
      ending,
      run: async (halt) => this.#stages(halt),
      imposed: (cause) => ({ kind: 'imposed', cause }),
      full: async () => diskIsFull(context.folders.work),
    })
  }

  async #stages(halt: AbortSignal): Promise<Happened> {
    const { context, guard, holder, peers, machine } = this.#work
    const { spec, folders } = context
    const [secrets, missing] = await Promise.all([
      readSecrets(context, halt),
      this.#bringData(halt),
      this.#bringBack(halt),
      guard.ready,
      peers.look(halt).catch(() => undefined),
    ])
    this.needles = secretNeedles(Object.values(secrets))
    this.#logs.mask(this.needles)
    if (missing !== undefined) return hindered(missing)
    if (spec.gang && spec.count > 1) {
      this.#enter('gang')
      const absent = await peers.gathered(holder.record.attempts.length > 1, halt)
      if (absent) return { kind: 'judged', verdict: withoutGang(absent) }
    }
    halt.throwIfAborted()
    // In a retry on this machine, the script may have removed its folder for temporary files.
    await Promise.all([freshFiles(folders.run), mkdir(folders.tmp, { recursive: true }), peers.write()])
    const cwd = join(folders.work, spec.workingDirectory)
    const env = scriptEnvironment(context, holder.record, secrets, peers.addresses, this.#work.base)
    const unfit = await this.#enclose(halt)
    if (unfit) return unfit
    const { container } = machine
    machine.begun = true
    machine.place = { env, cwd, container }
    if (spec.setup && !machine.setUp) {
      this.#enter('setup')
      const failed = await setUp(this.#work, this.#logs, spec.setup, { env, cwd, container })
      if (failed) return failed
      await container?.keepSetUp()
      machine.setUp = true
      halt.throwIfAborted()
    }
    this.#enter('script')
    const output = this.#logs.sink('script')
    const happened = await runProgram({
      ...this.#work,
      ...(machine.checkpoints ? { checkpoints: machine.checkpoints } : {}),
      name: 'script',
      program: spec.program,
      env,
      cwd,
      output,
      container,
    })
    this.#logs.finish('script')
    return happened
  }

  /** Prepares the container, if the run has one. Resolves to why that failed, or `undefined`. */
  async #enclose(halt: AbortSignal): Promise<Happened | undefined> {
    const { context, machine, identity } = this.#work
    const { spec, folders, config, say } = context
    if (spec.container === undefined || machine.container) return undefined
    const { Container, isEnginesOwn } = await import('../vm/container.ts')
    const clash = spec.secretNames.find(isEnginesOwn)
    if (clash !== undefined)
      return hindered(`container: the secret "${clash}" has a name that container engines use for themselves: give it another name`)
    try {
      const { sudo = true, mounts = [], data = [] } = config.system ?? {}
      const shared = { folders, mounts: [...mounts, ...data].map(({ path }) => path) }
      const params = { image: spec.container, machine: config.machine, ...shared, sudo, say, login: identity.login }
      machine.container = await Container.open(params, halt)
      return undefined
    } catch (error) {
      halt.throwIfAborted()
      return hindered(`container: ${messageOf(error)}`)
    }
  }

  /** Fetches the data of `data`, if any. Resolves to why that failed, or `undefined`. */
  async #bringData(halt: AbortSignal): Promise<string | undefined> {
    const { context, identity } = this.#work
    const { home, system } = context.config
    if (!system?.data) return undefined
    return (await import('../vm/data.ts')).bringData(system.data, { home, open: identity.open, say: context.say, signal: halt })
  }

  /** Restores the folder as the last attempt saved it. A retry on the same machine keeps it as it is, unless the script has removed it. */
  async #bringBack(halt: AbortSignal): Promise<void> {
    const { context, holder, machine } = this.#work
    if (machine.checkpoints && existsSync(context.folders.work)) return
    Object.assign(machine, { setUp: false, begun: false })
    const restored: Restored = await restoreTree(context, holder, halt)
    machine.checkpoints = await Checkpoints.open(context, holder, restored)
    const from = restored.ref?.digest
    if (from === undefined) return
    void holder.update((record) => ({ ...record, attempts: aboutAttempt(record, { from }) })).catch(() => undefined)
  }

  /** Records the phase, for people. Nothing waits for this write, because no decision depends on it. */
  #enter(phase: SlotPhase): void {
    void this.#work.holder.update(({ transfer: _over, ...record }) => ({ ...record, state: 'running', phase })).catch(() => undefined)
  }
}

/** The script's secret variables, read once per attempt. They are removed when the last slot is closed (`wire/after-close.ts`). */
async function readSecrets({ store, keys, spec }: MachineContext, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const read = await persist(async (limit) => readRecord(SECRETS, store, keys.secrets, limit), signal)
  const env = read?.value.env ?? {}
  const missing = spec.secretNames.filter((name) => !Object.hasOwn(env, name))
  if (missing.length > 0) throw new Error(`secrets are gone from the store: ${missing.join(', ')}`)
  return env
}
