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
import { Gone, incarnationFault } from './slot/control.ts'
import { abortAt } from './slot/deadline.ts'
import { Fenced } from './slot/holder.ts'
import { type NoticeSources, Notices } from './slot/notices.ts'
import { type MachineLife, takeSlots } from './take-slots.ts'
import { AgentLog } from './telemetry/agent-log.ts'

/** Milliseconds for which a store may deny access at boot: the rights of a new identity take effect with a delay. */
const DENIED_FOR = 30_000
/** Milliseconds for which checking `mayLeave` may fail at boot: the network may only just be coming up. */
const CONNECTED = 15_000

export interface RunOptions extends Pick<MachineLife, 'env' | 'container' | 'identity'>, Pick<NoticeSources, 'side' | 'reclaimed'> {
  readonly config: MachineConfig
  readonly open: () => Promise<Store>
  /** The agent's own program file, for the guard. */
  readonly agentFile: string
  /** Lines for the machine's own log. */
  readonly out: (line: string) => void
}

/** Runs the machine to its end. Resolves to the exit code of the process, once nothing that the agent started is running any more. */
export async function runMachine(options: RunOptions): Promise<number> {
  const agentLog = new AgentLog(options.out)
  // Runs in parallel with the first calls to the store; `live` awaits it.
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
  /** Why no script may run here; `undefined`: one may. */
  readonly prepared: Promise<string | undefined>
}

/** From boot to the decision to leave. `known.context` is set as soon as it is complete: leaving needs it, even after an error. */
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
  // The folder is there only if an earlier agent has worked here: the agent, or the machine, was restarted.
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
 * Removes what is left of an earlier slot or agent: its processes (they still run if agent and guard were both killed, as systemd's
 * watchdog does) and its folders. Files that no checkpoint has are lost, but the restore would replace them anyway, and there may be no
 * room for both.
 */
async function startAfresh(guard: Guard, { folders: { work, tmp, run } }: MachineContext): Promise<void> {
  await guard.clear()
  await Promise.all([wipeWork(work), wipe(tmp)])
  // Last, because `live` takes this folder as the sign that something may be left.
  await freshFolder(run)
}

async function freshFolder(path: string): Promise<void> {
  await wipe(path)
  await mkdir(path, { recursive: true })
}

/** Why this machine could not leave its group. It would be replaced for ever, so its slot ends with this reason instead. */
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

/**
 * Prepares the operating system, on machines that have one of their own. (Elsewhere, that part of the program is not even loaded.) Resolves
 * to why no script may run here, or `undefined`.
 */
async function ready({ config, side }: Pick<RunOptions, 'config' | 'side'>, say: (line: string) => void): Promise<string | undefined> {
  const { system } = config
  return system && (await import('./vm/prepare.ts')).prepare({ config, system, disks: side.localDisks, say })
}

/** For `onTrouble` at boot: if the store still denies access after `DENIED_FOR`, throws that error, and the machine leaves. */
function bootTrouble(say: (line: string) => void): (error: unknown) => void {
  const begun = performance.now()
  const tell = tellOnce(say)
  return (error) => {
    tell(error)
    if (isStoreError(error, 'denied') && performance.now() - begun >= DENIED_FOR) throw error
  }
}

/** Milliseconds for all reads of `openSlots`: a leaving machine has little time. */
const LAST_LOOK = 5000

/**
 * How much work is left: some clouds need that to set the size of the group as a machine leaves. A run that is being removed counts as stopped.
 * `undefined`: not known in time.
 */
export async function openSlots({
  spec,
  keys,
  store,
  config: { id, incarnation },
}: Pick<MachineContext, 'spec' | 'keys' | 'store' | 'config'>): Promise<OpenWork | undefined> {
  const limit = AbortSignal.timeout(LAST_LOOK)
  const looks = Array.from({ length: spec.count }, async (_, index) => {
    const read = await readRecord(SLOT, store, keys.slot(index).record, limit)
    return read && !isTerminal(read.value.state) ? read.value : undefined
  })
  const stopped = readRecord(CONTROL, store, keys.control, limit).then((read) => read?.value.stop !== undefined)
  return await Promise.all([stopped, incarnationFault(store, id, incarnation, limit), ...looks]).then(
    ([over, fault, ...found]) => {
      const open = found.filter((record) => record !== undefined)
      return {
        open: open.length,
        holders: open.flatMap((record) => (isHeld(record) ? (record.holder ?? []) : [])),
        stopped: over || fault !== undefined,
      }
    },
    () => undefined,
  )
}
