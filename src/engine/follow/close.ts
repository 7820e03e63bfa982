/** Closing slots that nobody holds any more, in the way in which a machine takes them over. Any controller may; all decide by the same rules. */
import type { Observation } from '../../core/cloud.ts'
import { newNonce } from '../../core/identity.ts'
import { Staleness } from '../../lib/staleness.ts'
import { removeSecrets } from '../../wire/after-close.ts'
import { softDeadline } from '../../wire/lifetime.ts'
import { logEndOf } from '../../wire/log-end.ts'
import { removeRegistrations } from '../../wire/registrations.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord, unseenEnd } from '../../wire/slot.ts'
import { closing, endOpenAttempt, type SlotEnd } from '../../wire/slot-end.ts'
import { type Spec } from '../../wire/spec.ts'
import { swap } from '../change-record.ts'
import { type Deployment, type Engine, readControl, readCurrent, type SlotRead, slotRecords } from '../deployment.ts'
import { holderIsDead } from './status.ts'

/** How an open slot without a machine ends: stopped as requested, timed out, or lost. `why`: what its group says about its end. */
export function slotEndOf(spec: Spec, stop: { by: string } | undefined, now: Date, why?: string): SlotEnd {
  const pastDeadline = now.getTime() >= softDeadline(spec.lifetime)
  const asked = closing({ stop, pastDeadline, deadline: spec.lifetime.deadline })
  const reason = `machine lost, and none left to replace it${why === undefined ? '' : `: ${why}`}`
  return asked ?? { state: 'failed', cause: 'lost', reason }
}

/**
 * Takes the slot (epoch + 1) and closes it, in one write; then removes the secrets that nobody needs any more. `false`: somebody else has changed the
 * slot meanwhile; or the deployment is not open, so that its group may be without machines because it has none yet.
 */
export async function closeSlot(d: Deployment, spec: Spec, slot: SlotRead, slotEnd: SlotEnd, at: string): Promise<boolean> {
  if (isTerminal(slot.record.state) || !(await isOpen(d))) return false
  const next = await closedRecord(d, spec, slot.record, slotEnd, at)
  if (!(await swap(SLOT, d.store, d.keys.slot(slot.record.index).record, next, slot.version))) return false
  // If the store cannot remove the secrets now, they are removed with the deployment.
  await forget(d, spec, slot.record).catch(() => undefined)
  return true
}

/** Its maker has requested its machines. Before that, a look at the group says nothing about them. */
export async function isOpen(d: Deployment): Promise<boolean> {
  const current = (await readCurrent(d.store, d.id))?.value
  return current?.incarnation === d.incarnation && current.state === 'open'
}

async function closedRecord(d: Deployment, spec: Spec, record: SlotRecord, slotEnd: SlotEnd, at: string): Promise<SlotRecord> {
  const { holder: _holder, phase: _phase, transfer: _transfer, released: _released, ...rest } = record
  const end = unseenEnd(record, spec.lease.beat, at)
  const logEnd = await logEndOf(d.store, d.keys.slot(record.index), record)
  return {
    ...rest,
    ...slotEnd,
    nonce: newNonce(),
    epoch: record.epoch + 1,
    // The running attempt, if any, ends with the slot.
    attempts: endOpenAttempt(record.attempts, () => ({
      end,
      cause: slotEnd.cause,
      reason: slotEnd.reason,
      ...(logEnd !== undefined && { logEnd }),
    })),
    at,
  }
}

/** Removes the secrets of a slot that was closed; with the last slot, those that all slots share. */
async function forget({ store, keys }: Deployment, spec: Spec, record: SlotRecord): Promise<void> {
  await removeRegistrations({ store, keys, spec }, record)
  if (spec.mode === 'task') await removeSecrets({ store, keys, spec })
}

/** TTLs of silence after which a slot that nobody holds counts as abandoned although its group cannot be seen: the next machine may take long. */
const UNHELD = 10

/**
 * Watches open slots for silence, by this process's own monotonic clock. A slot is abandoned if its group has no machine, or wants none, and its
 * record has not changed for one TTL (at once if the group knows that the holder is dead). A group that cannot be seen from here proves nothing: it
 * may belong to another home, computer or cluster that uses the same store.
 */
export class SlotWatch {
  readonly #unchanged = new Staleness<number>()
  readonly #group = new Staleness()
  readonly #settling: number
  /** The group is known to have had machines. */
  #wasUp = false
  /** Milliseconds for which all looks, up to the last one, have found no machine. */
  #empty = 0

  /** `settling`: as the cloud has it (`Cloud.settling`). */
  constructor(settling = 0) {
    this.#settling = settling
  }

  /** Milliseconds for which this watch has seen the record unchanged. */
  silentFor(slot: SlotRecord, now: number): number {
    return this.#unchanged.for(slot.index, slot.nonce, now)
  }

  /** To be called after each look at the group. `at`: when it began. */
  saw({ phase }: Observation, at: number): void {
    this.#wasUp ||= phase === 'up'
    this.#empty = this.#group.for('group', phase === 'up' ? `up ${at}` : phase, at)
  }

  /**
   * Where a cloud's answers lag, one from before the group grew looks like an empty group. So all looks must have agreed for as long as answers may
   * lag, without a sign of life meanwhile; and for much longer if the group was never up, unless a stop was `asked` for.
   */
  #isEmpty(slot: SlotRecord, spec: Spec, silent: number, asked: boolean): boolean {
    return Math.min(this.#empty, silent) >= (this.#wasUp || asked ? this.#settling : UNHELD * spec.lease.ttl)
  }

  /** Whether nobody will continue the slot. `seen`: the last look at its group. `asked`: a stop is on record. */
  abandoned(slot: SlotRecord, spec: Spec, seen: Observation, now: number, asked = false): boolean {
    const silent = this.silentFor(slot, now)
    // Only machines of this group take its slots.
    this.#wasUp ||= slot.epoch > 0
    if (isTerminal(slot.state)) return false
    if (seen.phase === 'stopped' && this.#settling > 0) return this.#isEmpty(slot, spec, silent, asked)
    const nobody = seen.phase !== 'up' || (seen.wanted === 0 && seen.machines.every((machine) => machine.state === 'gone'))
    if (!nobody) return false
    const unheld = slot.holder === undefined || slot.released === true
    const patience = seen.phase === 'absent' && unheld ? UNHELD * spec.lease.ttl : spec.lease.ttl
    return holderIsDead(slot, seen) || silent >= patience
  }
}

/** The end of a slot without a machine: if nobody ever took it, and the group has said why no machine was available, that instead of `slotEnd`. */
export function withoutMachine(record: SlotRecord, seen: Observation, slotEnd: SlotEnd): SlotEnd {
  const short = seen.events.findLast(({ kind }) => kind === 'capacity' || kind === 'quota')
  if (record.epoch > 0 || slotEnd.state === 'stopped' || !short) return slotEnd
  return { state: 'failed', cause: 'no-capacity', reason: `there never was a machine: ${short.text}` }
}

/**
 * Ends the group of a run that is asked to stop, if no machine holds a slot: one that still comes would cost money, only to find the request. Looks
 * for the request first: a machine that takes a slot after that begins nothing. `false`: it is not so.
 */
export async function endUnheld(d: Deployment, { count }: Pick<Spec, 'count'>): Promise<boolean> {
  if (!(await readControl(d))?.stop) return false
  const slots = await slotRecords(d, count)
  if (slots.every(({ state }) => isTerminal(state)) || slots.some(isHeld)) return false
  await d.cloud.end(d)
  return true
}

/** Closes every slot that is abandoned now. Resolves to how many were closed. */
export async function closeAbandoned(
  d: Deployment,
  spec: Spec,
  slots: readonly SlotRead[],
  seen: Observation,
  slotWatch: SlotWatch,
  clock: Pick<Engine['clock'], 'now' | 'date'>,
): Promise<number> {
  const now = clock.now()
  const open = seen.phase === 'stopped' && slots.some(({ record }) => !isTerminal(record.state))
  const control = open ? await readControl(d) : undefined
  const lost = slots.filter((slot) => slotWatch.abandoned(slot.record, spec, seen, now, control?.stop !== undefined))
  if (lost.length === 0) return 0
  // The machines cannot be seen from here. If one of them gives signs of life, the others are probably alive, too.
  if (seen.phase === 'absent' && slots.some(({ record }) => isHeld(record) && slotWatch.silentFor(record, now) < spec.lease.ttl)) return 0
  const { stop } = control ?? (await readControl(d)) ?? {}
  const slotEnd = slotEndOf(spec, stop, clock.date(), seen.ended)
  const at = clock.date().toISOString()
  const closed = await Promise.all(lost.map((slot) => closeSlot(d, spec, slot, withoutMachine(slot.record, seen, slotEnd), at)))
  return closed.filter(Boolean).length
}
