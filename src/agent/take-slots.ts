/** A working machine: takes a slot, and makes attempts at it until it ends or the machine has to leave. */
import { onAbort } from '../lib/abort.ts'
import { bootNow } from '../lib/clock.ts'
import type { Env } from '../lib/env.ts'
import { removeSecrets, stopSiblings } from '../wire/after-close.ts'
import type { Leaving, MachineSide } from '../wire/machine-side.ts'
import { removeRegistrations } from '../wire/registrations.ts'
import { runAttempt } from './attempt/attempt.ts'
import type { MachineState, Work } from './attempt/context.ts'
import { baseEnvironment } from './attempt/environment.ts'
import { TIDY } from './attempt/finish.ts'
import type { MachineContext, MachineIdentity } from './machine-context.ts'
import { persist, tellOnce } from './outage.ts'
import { ExecRequests } from './process/exec.ts'
import type { Guard } from './process/guard-client.ts'
import { programCgroup } from './process/memory-and-disk.ts'
import { keepBudget, noteFullPrice } from './slot/budget.ts'
import { Control, type ControlEvents, Gone, incarnationFault } from './slot/control.ts'
import { type Deadlines, deadlinesOf, watchDeadline } from './slot/deadline.ts'
import { Ending } from './slot/ending.ts'
import { keepBeating } from './slot/holder-heartbeat.ts'
import type { Notices } from './slot/notices.ts'
import { Peers } from './slot/peers.ts'
import { callOthers, startKeepingBack } from './slot/spot-standby.ts'
import { claim, type Taken } from './slot/takeover.ts'
import type { AgentLog } from './telemetry/agent-log.ts'
import { Meter } from './telemetry/metrics.ts'
import { scriptUserEnvironment } from './vm/script-user.ts'

/** What lasts as long as the machine, whichever slot it holds. */
export interface MachineLife {
  readonly notices: Notices
  readonly guard: Guard
  readonly agentLog: AgentLog
  readonly env: Env
  /** The environment comes from a container image. */
  readonly container: boolean
  readonly side: Pick<MachineSide, 'about' | 'hidden' | 'localDisks' | 'mayLeave' | 'standby'>
  readonly identity: MachineIdentity
  /** Aborts when this machine's work is over, which ends every watch. */
  readonly over: AbortSignal
}

/** How a machine comes to this slot. */
export interface Turn {
  /** It has already worked on another slot, and ended it. */
  readonly again: boolean
  /** Why no script may run here: the slot ends with this reason. */
  readonly hindrance: string | undefined
}

/**
 * Takes one slot and works on it. Resolves to why the machine leaves, or to `next` if it may look for another slot. Rejects if the slot,
 * the store or the deployment is lost; the script is dead by then.
 */
export async function takeSlots(life: MachineLife, context: MachineContext, turn: Turn): Promise<Leaving | 'next'> {
  const { config, spec, say } = context
  const ending = new Ending(spec.lifetime)
  const deadlines = deadlinesOf(spec.lifetime, config.hardDeadline)
  const retreat = new AbortController()
  const holding: OwnSlot = {}
  const control = await watchAll(life, context, ending, retreat, holding)
  const signal = AbortSignal.any([retreat.signal, life.over])
  const taken = await claim(context, {
    hurried: turn.again,
    stop: () => control.stop,
    pastDeadline: () => deadlines.soft <= bootNow(),
    signal,
    trouble: tellOnce(say),
  })
  if ('nothing' in taken) {
    say(taken.nothing)
    if (taken.closed)
      await Promise.allSettled([
        stopSiblings(context, taken.closed, life.over),
        removeSecrets(context, AbortSignal.any([life.over, AbortSignal.timeout(TIDY)])),
        removeRegistrations(context, taken.closed),
      ])
    return 'done'
  }
  // From here on, whatever ends this machine's work also lets go of the slot.
  holding.index = taken.index
  holding.machine = {}
  if (taken.before.epoch === 0)
    await refuseIfGone(context, AbortSignal.any([signal, ending.begun])).catch((error: unknown) => {
      if (!ending.begun.aborted) throw error
    })
  return await hold(life, context, { ...taken, machine: holding.machine, ending, deadlines, control, hindrance: turn.hindrance })
}

/**
 * Before anything has run, another incarnation may replace this one (`engine/owner/current.ts`): its maker takes the name first and then
 * looks at the slots, and a machine takes the slot first and then looks at the name. So at least one of the two sees the other.
 */
async function refuseIfGone({ store, config: { id, incarnation } }: MachineContext, signal: AbortSignal): Promise<void> {
  const gone = await persist(async (limit) => incarnationFault(store, id, incarnation, limit), signal)
  if (gone !== undefined) throw new Gone(gone)
}

/**
 * Starts listening for all that can end the work. Before the machine holds a slot, any such cause makes it retreat, except a stop: then it
 * still goes through the takeover, which closes the slot.
 */
async function watchAll(
  life: MachineLife,
  context: MachineContext,
  ending: Ending,
  retreat: AbortController,
  holding: Readonly<OwnSlot>,
): Promise<Control> {
  const leave = (): void => {
    if (holding.index === undefined) retreat.abort(new Error('this machine was reclaimed before it took a slot'))
  }
  life.notices.listen((cause) => {
    ending.impose(cause)
    leave()
  })
  onAbort(life.guard.died, () => {
    ending.impose({ kind: 'guard-died' })
    leave()
  })
  onAbort(ending.begun, () => {
    if (ending.imposed?.kind !== 'stopped') leave()
  })
  const { guard, over } = life
  const beside = new ExecRequests({ context, guard, over, slot: () => holding.index, place: () => holding.machine?.place })
  const events: ControlEvents = {
    onExecs: (requests) => beside.heed(requests),
    onStop: (request) =>
      ending.impose({ kind: 'stopped', by: request.by, ...(request.grace === undefined ? {} : { grace: request.grace }) }),
    onInterrupt: (request) => {
      if (holding.index !== undefined && (request.slot ?? holding.index) === holding.index)
        ending.impose({ kind: 'interrupted', reason: 'rehearsing a reclaim' })
    },
    onGone: (reason) => {
      ending.sever(reason)
      retreat.abort(reason)
    },
  }
  const control = new Control(context)
  await persist(async (signal) => control.look(events, signal), AbortSignal.any([retreat.signal, life.over]))
  void control.watch(events, life.over)
  return control
}

/** The slot that this machine holds, for requests from outside; empty until it holds one. */
interface OwnSlot {
  index?: number
  machine?: MachineState
}

interface Holding extends Taken {
  readonly machine: MachineState
  readonly ending: Ending
  readonly deadlines: Deadlines
  readonly control: Control
  readonly hindrance: string | undefined
}

async function hold(life: MachineLife, context: MachineContext, holding: Holding): Promise<Leaving | 'next'> {
  const { index, holder, machine, ending, deadlines, control, hindrance } = holding
  const slotContext = { ...context, index, slot: context.keys.slot(index) }
  const peers = new Peers(slotContext)
  const { guard, agentLog, identity } = life
  const own = baseEnvironment(life.env, life.container, await life.side.hidden?.(context.config))
  const base = context.config.system ? { ...own, ...scriptUserEnvironment } : own
  const meter = new Meter(slotContext, holder.record.epoch, programCgroup(context.config.system))
  const about = await life.side.about?.(context.config).catch(() => undefined)
  const work: Work = {
    context: slotContext,
    holder,
    ending,
    guard,
    agentLog,
    deadlines,
    control,
    peers,
    meter,
    base,
    hindrance,
    about,
    machine,
    identity,
  }
  void keepBeating(holder, context.spec.lease, ending, life.over)
  void watchDeadline(deadlines, ending, life.over)
  void peers.watch(life.over)
  void meter.watch(life.over)
  void keepBudget(slotContext, life.over)
  const standby = life.side.standby?.(context.config)
  const stopKeepingBack = standby && startKeepingBack(slotContext, standby, life.over)
  // This fails if the machine has lost the slot meanwhile: then its price does not matter any more.
  if (standby) void noteFullPrice(holder, standby, life.over).catch(() => undefined)
  context.say(
    `machine ${context.config.machine}${about === undefined ? '' : ` (${about})`} takes slot ${index}, attempt ${holder.record.attempts.length}`,
  )
  for (;;) {
    const result = await runAttempt(work)
    // What hinders this machine may not hinder another: it ends one slot, and leaves the others to them.
    const goesOn = mayHaveMore(context) && hindrance === undefined && !life.notices.first.aborted
    if (result === 'closed') return goesOn ? 'next' : 'done'
    if (result !== 'open') continue
    await stopKeepingBack?.()
    return standby && (await callOthers(context, standby, holder.record)) ? 'done' : 'replace'
  }
}

/**
 * Whether a machine that has ended its slot looks for another one: if machines are not numbered, and the run has several slots. Never a
 * runner, because its job may have changed the machine, and the next job may be somebody else's.
 */
function mayHaveMore({ config, spec }: MachineContext): boolean {
  return config.index === undefined && spec.count > 1 && spec.mode === 'task'
}
