/** One machine from boot to leaving. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dueIn, pause } from '../lib/clock.ts'
import { messageOf } from '../lib/text.ts'
import { wipe, wipeWork } from '../snapshot/folder/disk.ts'
import { layout } from '../wire/layout.ts'
import { AGENT_DONE, AGENT_REPLACE, type MachineConfig } from '../wire/machine.ts'
import type { Leaving, MachineSide, OpenSlots, OpenWork } from '../wire/machine-side.ts'
import { CONTROL } from '../wire/records.ts'
import { isHeld, isTerminal, SLOT } from '../wire/slot.ts'
import { isStoreError, type Store } from '../wire/store.ts'
import { readRecord } from '../wire/swap.ts'
import { foldersOf, type MachineContext } from './machine-context.ts'
import { tellOnce } from './outage.ts'
import { Guard } from './process/guard-client.ts'
import { specOf } from './slot/await-deployment.ts'
import { Gone } from './slot/control.ts'
import { abortAt } from './slot/deadline.ts'
import { Fenced } from './slot/holder.ts'
import { type NoticeSources, Notices } from './slot/notices.ts'
import { type MachineLife, takeSlots } from './take-slots.ts'
import { AgentLog } from './telemetry/agent-log.ts'

/** Milliseconds: rights of a new identity may take a while to take effect everywhere. */
const DENIED_FOR = 30_000
/** The same for a network that has just come up. */
const CONNECTED = 15_000

export interface RunOptions extends Pick<MachineLife, 'env' | 'container' | 'identity'>, Pick<NoticeSources, 'side' | 'reclaimed'> {
  readonly config: MachineConfig
  readonly open: () => Promise<Store>
  /** The agent's own program file, for the guard. */
  readonly agentFile: string
  /** Lines for the machine's own log. */
  readonly out: (line: string) => void
}

/** Runs the machine to its end: resolves to the process's exit code, once nothing that the agent started is running. */
export async function runMachine(options: RunOptions): Promise<number> {
  const agentLog = new AgentLog(options.out)
  // Runs while the store is asked for this machine's configuration; awaited below.
  const prepared = ready(options, agentLog.say)
  prepared.catch(() => undefined)
  const store = await options.open()
  const over = new AbortController()
  const due = dueIn(options.config.hardDeadline)
  const guard = new Guard({ agentFile: options.agentFile, machine: options.config.machine, due })
  const notices = new Notices({ ...options, say: agentLog.say, over: over.signal })
  let why: Leaving = 'replace'
  const known: { context?: MachineContext } = {}
  try {
    why = await live({ ...options, store, prepared, notices, guard, agentLog, over: over.signal }, known)
  } catch (error) {
    why = leavingAfter(error)
    agentLog.say(
      error instanceof Fenced || error instanceof Gone
        ? error.message
        : `agent: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } finally {
    over.abort()
    await guard.clear().catch((error: unknown) => agentLog.say(String(error)))
  }
  const open: OpenSlots = async () => known.context && (await openSlots(known.context))
  const leaving = options.side.leave(options.config, why, open).catch((error: unknown) => agentLog.say(messageOf(error)))
  await Promise.allSettled([guard.farewell(), leaving.then(async () => store.close?.())])
  return why === 'done' ? AGENT_DONE : AGENT_REPLACE
}

function leavingAfter(error: unknown): Leaving {
  const unneeded = error instanceof Gone || isStoreError(error, 'gone') || (error instanceof Fenced && error.loss !== 'taken')
  return unneeded ? 'done' : 'replace'
}

interface Life extends MachineLife, Pick<RunOptions, 'config'> {
  readonly store: Store
  /** Why no script may run here. */
  readonly prepared: Promise<string | undefined>
}

/** Prints the outcome of its work as soon as it is known. */
async function live(life: Life, known: { context?: MachineContext }): Promise<Leaving> {
  const { config, store, agentLog } = life
  const keys = layout(config.id, config.incarnation)
  const booting = AbortSignal.any([abortAt(dueIn(config.hardDeadline), life.over), life.notices.first])
  const trouble = bootTrouble(agentLog.say)
  const [spec, unfit, stuck] = await Promise.all([
    specOf(config, store, booting, trouble),
    life.prepared,
    hindranceOf(life.side, config, booting),
  ])
  const { atRisk } = life.notices
  const folders = foldersOf(config.home)
  const context: MachineContext = { config, spec, store, keys, folders, atRisk, say: agentLog.say, warn: agentLog.warn }
  // An earlier agent has worked here: it, or the machine, was restarted.
  if (existsSync(folders.run)) await startAfresh(life.guard, context)
  else await freshFolder(folders.run)
  known.context = context
  const hindrance = unfit ?? stuck
  if (hindrance !== undefined) agentLog.say(hindrance)
  for (let again = false; ; again = true) {
    const over = new AbortController()
    const turn = { ...life, over: AbortSignal.any([life.over, over.signal]) }
    const outcome = await takeSlots(turn, context, { again, hindrance }).finally(() => over.abort())
    if (outcome !== 'next') return outcome
    await startAfresh(life.guard, context)
  }
}

/**
 * Ends and removes what is left of one slot before the next. Its script may still run if agent and guard were killed, as by the watchdog;
 * its folders may take more than half of the disk, and what they hold and no checkpoint has is lost: a restore replaces it.
 */
async function startAfresh(guard: Guard, { folders: { work, tmp, run } }: MachineContext): Promise<void> {
  await guard.clear()
  await Promise.all([wipeWork(work), wipe(tmp)])
  // The last one: where it exists, something may be left.
  await freshFolder(run)
}

async function freshFolder(path: string): Promise<void> {
  await wipe(path)
  await mkdir(path, { recursive: true })
}

/** A machine that cannot leave its group would be replaced for ever, so its work ends with that reason instead. */
async function hindranceOf(
  { mayLeave }: Pick<MachineSide, 'mayLeave'>,
  config: MachineConfig,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!mayLeave) return undefined
  for (const end = performance.now() + CONNECTED; ; await pause(1000, signal)) {
    try {
      await mayLeave(config)
      return undefined
    } catch (error) {
      if (performance.now() > end) return messageOf(error)
    }
  }
}

/** Only what boots a whole operating system needs the program for it. Resolves to why no script may run here. */
async function ready({ config, side }: Pick<RunOptions, 'config' | 'side'>, say: (line: string) => void): Promise<string | undefined> {
  const { system } = config
  return system && (await import('./vm/prepare.ts')).prepare({ config, system, disks: side.localDisks, say })
}

/** If the store denies access, the machine waits a little for its rights to take effect, and then ends with that reason. */
function bootTrouble(say: (line: string) => void): (error: unknown) => void {
  const begun = performance.now()
  const tell = tellOnce(say)
  return (error) => {
    tell(error)
    if (isStoreError(error, 'denied') && performance.now() - begun >= DENIED_FOR) throw error
  }
}

/** Milliseconds: a leaving machine has little time. */
const LAST_LOOK = 5000

/** How much is left to do, for machines that leave a group whose size must be set. `undefined`: the store does not answer in time. */
export async function openSlots({ spec, keys, store }: Pick<MachineContext, 'spec' | 'keys' | 'store'>): Promise<OpenWork | undefined> {
  const limit = AbortSignal.timeout(LAST_LOOK)
  const looks = Array.from({ length: spec.count }, async (_, index) => {
    const read = await readRecord(SLOT, store, keys.slot(index).record, limit)
    return read && !isTerminal(read.value.state) ? read.value : undefined
  })
  const stopped = readRecord(CONTROL, store, keys.control, limit).then((read) => read?.value.stop !== undefined)
  return await Promise.all([stopped, ...looks]).then(
    ([over, ...found]) => {
      const open = found.filter((record) => record !== undefined)
      return { open: open.length, holders: open.flatMap((record) => (isHeld(record) ? (record.holder ?? []) : [])), stopped: over }
    },
    () => undefined,
  )
}
