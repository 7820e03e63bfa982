/** Slots that will never have a machine: machines boot again and again without taking them, cannot start, may not even be made, or are too late. */
import type { CloudEvent, Machine, Observation } from '../../core/cloud.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import { closing, type SlotEnd, timedOut } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, readControl, type SlotRead } from '../deployment.ts'
import { closeSlot, withoutMachine } from './close.ts'

const BOOTS = 3
/** Boots in a row, however many slots are waiting. */
const ENOUGH = 30
const LOG_TAIL = 2000

/** Resolves to how many were closed. `late`: the deadline is over, so a machine that takes a slot now starts nothing. */
export async function refuseToStart(
  d: Deployment,
  spec: Spec,
  slots: readonly SlotRead[],
  seen: Observation,
  { at, late }: { readonly at: string; readonly late: boolean },
): Promise<number> {
  let closed = 0
  const records = slots.map(({ record }) => record)
  const tooLate = late ? await lateEnd(d, spec) : undefined
  for (const slot of slots) {
    if (isTerminal(slot.record.state)) continue
    const slotEnd =
      failedBoots(slot.record, records, seen.machines) ??
      stuck(slot.record, records, seen.machines) ??
      refused(slot.record, seen, spec.gang ? meantFor(slot.record, records, seen.machines).free : seen.machines) ??
      (tooLate && !isHeld(slot.record) ? withoutMachine(slot.record, seen, tooLate) : undefined)
    if (slotEnd && (await closeSlot(d, spec, slot, slotEnd, at))) closed += 1
  }
  return closed
}

/** The last machines for this slot ended one after the other without taking anything. */
function failedBoots(slot: SlotRecord, slots: readonly SlotRecord[], machines: readonly Machine[]): SlotEnd | undefined {
  const { idle, limit, since } = meantFor(slot, slots, machines)
  const gone = idle.filter(({ state, startedAt = '' }) => state === 'gone' && !(Date.parse(startedAt) <= since))
  const last = gone.length >= limit ? gone.at(-1) : undefined
  if (!last) return undefined
  const said = last.said === undefined ? '' : `; ${last.said}`
  const log = last.bootLog ? `; its boot log ends: ${last.bootLog.slice(-LOG_TAIL).trim()}` : said
  return {
    state: 'failed',
    cause: 'no-start',
    reason: `machine does not start (${limit} in a row; ${last.reason ?? 'no reason given'})${log}`,
  }
}

function stuck(slot: SlotRecord, slots: readonly SlotRecord[], machines: readonly Machine[]): SlotEnd | undefined {
  const here = meantFor(slot, slots, machines).free.filter(({ state }) => state !== 'gone')
  const last = here.at(-1)
  // One of several machines that may still come is enough.
  if (!last || !here.every((machine) => machine.state !== 'leaving' && machine.stuck !== undefined)) return undefined
  return { state: 'failed', cause: 'no-start', reason: `machine does not start: ${last.stuck}` }
}

/**
 * The group may not make this machine. `others`: those that may take the slot, or whose end may make room. The machines of a gang do neither:
 * they wait for this one, and cost money.
 */
function refused(slot: SlotRecord, { phase, machines, events }: Observation, others: readonly Machine[]): SlotEnd | undefined {
  if (phase !== 'up' || slot.epoch > 0 || others.some(({ state }) => state !== 'gone')) return undefined
  const last = events.findLast(({ kind }) => kind === 'quota' || kind === 'denied')
  if (!last || machines.some(({ startedAt = '' }) => Date.parse(startedAt) > Date.parse(last.at))) return undefined
  return { state: 'failed', cause: causeOf(last), reason: `no machine can be created: ${last.text}` }
}

/** Closes slots that no machine holds: what they had saved is on record, and nothing more will come. */
async function lateEnd(d: Deployment, { lifetime: { deadline } }: Spec): Promise<SlotEnd> {
  const stop = (await readControl(d))?.stop
  return closing({ stop, pastDeadline: true, deadline }) ?? timedOut(deadline)
}

function causeOf({ kind }: CloudEvent): 'denied' | 'no-capacity' {
  return kind === 'denied' ? 'denied' : 'no-capacity'
}

interface Meant {
  /** Those that never took anything, oldest first. */
  readonly free: readonly Machine[]
  /** Since the last one that took something, oldest first. */
  readonly idle: readonly Machine[]
  /** This many ends in a row are too many. */
  readonly limit: number
  /** Milliseconds. A machine that started before this had nothing to take: it left because the slot was held. */
  readonly since: number
}

/**
 * Machines for this slot. If machines have no numbers, each is for any slot that is waiting: the
 * three boots per slot are then multiplied by the number of waiting slots, up to a number that is proof enough for all.
 */
function meantFor(slot: SlotRecord, slots: readonly SlotRecord[], machines: readonly Machine[]): Meant {
  const numbered = machines.some(({ index }) => index !== undefined)
  const since = numbered ? Number.NEGATIVE_INFINITY : heldUntil(slot)
  if (!numbered && isHeld(slot)) return { free: [], idle: [], limit: BOOTS, since }
  const holders = new Set(slots.flatMap(({ holder, attempts }) => [holder, ...attempts.map((attempt) => attempt.holder)]))
  const own = machines
    .filter(({ index }) => !numbered || index === slot.index)
    .sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
  const waiting = slots.filter((one) => !isTerminal(one.state) && !isHeld(one)).length
  const free = own.filter(({ id }) => !holders.has(id))
  const idle = own.slice(own.findLastIndex(({ id }) => holders.has(id)) + 1)
  return { free, idle, limit: numbered ? BOOTS : Math.min(BOOTS * Math.max(1, waiting), ENOUGH), since }
}

/** If its holder was released without having ended: when that was recorded. */
function heldUntil({ attempts, at }: SlotRecord): number {
  const last = attempts.at(-1)
  return last ? Date.parse(last.end ?? at) : Number.NEGATIVE_INFINITY
}
