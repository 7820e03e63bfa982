/**
 * Slots that will never have a machine: machines boot again and again without taking them, hang while they start, may not be made, or come after the
 * deadline.
 */
import { byStart, type Machine, type Observation } from '../../core/cloud.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import { type SlotEnd, stoppedBy, timedOut } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, readControl, type SlotRead } from '../deployment.ts'
import { closeSlot, withoutMachine } from './close.ts'

/** Failed boots in a row after which a slot is given up. */
const BOOTS = 3
/** The same in a group without numbers, where many slots may be waiting: so many are enough for all. */
const ENOUGH = 30
/**
 * Milliseconds for which machines may hang before a slot that was worked on is given up: its machines could start before, so what keeps this one from
 * it, such as a busy registry, will mostly pass.
 */
const LONG = 10 * 60_000
/** Characters of a boot log that are shown. */
const LOG_TAIL = 2000

/** Closes such slots; resolves to how many. `late`: the deadline has passed, so a machine that takes a slot now starts nothing. */
export async function refuseToStart(
  d: Deployment,
  spec: Spec,
  slots: readonly SlotRead[],
  seen: Observation,
  { at, late }: { readonly at: string; readonly late: boolean },
): Promise<number> {
  let closed = 0
  const records = slots.map(({ record }) => record)
  // The quota has let a machine in, so it will let in the next one when that has ended. Machines of a gang do not end before all have come.
  const hadRoom = !spec.gang && records.some(({ epoch }) => epoch > 0)
  const tooLate = late ? await lateEnd(d, spec) : undefined
  for (const slot of slots) {
    // While a machine holds it, that machine may still save what is done, however its replacement fares. A dead one is found by `releaseDead`.
    if (isTerminal(slot.record.state) || isHeld(slot.record)) continue
    const slotEnd =
      failedBoots(slot.record, records, seen.machines) ??
      stuck(slot.record, records, seen.machines) ??
      refused(slot.record, seen, spec.gang ? meantFor(slot.record, records, seen.machines).free : seen.machines, hadRoom) ??
      (tooLate ? withoutMachine(slot.record, seen, tooLate) : undefined)
    if (slotEnd && (await closeSlot(d, spec, slot, slotEnd, at))) closed += 1
  }
  return closed
}

/** The last machines for this slot have ended, one after the other, without taking anything. */
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

/** Every machine that could take this slot hangs. */
function stuck(slot: SlotRecord, slots: readonly SlotRecord[], machines: readonly Machine[]): SlotEnd | undefined {
  const here = meantFor(slot, slots, machines).free.filter(({ state }) => state !== 'gone')
  const last = here.at(-1)
  const limit = slot.epoch > 0 ? LONG : 0
  const isHopeless = ({ state, stuck, stuckFor = LONG }: Machine): boolean =>
    state !== 'leaving' && stuck !== undefined && stuckFor >= limit
  // If only one of them may still come, there is hope.
  if (!last || !here.every(isHopeless)) return undefined
  return { state: 'failed', cause: 'no-start', reason: `machine does not start: ${last.stuck}` }
}

/**
 * The group may not make a machine for this slot. `others`: machines that may still take it, or whose end may make room for another one. Machines
 * of a gang that hold a slot are not among them: they wait for this one, and cost money. `hadRoom`: a quota that is used up will have room again.
 */
function refused(
  slot: SlotRecord,
  { phase, machines, events }: Observation,
  others: readonly Machine[],
  hadRoom: boolean,
): SlotEnd | undefined {
  if (phase !== 'up' || slot.epoch > 0 || others.some(({ state }) => state !== 'gone')) return undefined
  const last = events.findLast(({ kind }) => kind === 'quota' || kind === 'denied')
  if (!last || (last.kind === 'quota' && hadRoom)) return undefined
  if (machines.some(({ startedAt = '' }) => Date.parse(startedAt) > Date.parse(last.at))) return undefined
  const cause = last.kind === 'denied' ? 'denied' : 'no-capacity'
  return { state: 'failed', cause, reason: `no machine can be created: ${last.text}` }
}

/** How a slot ends that no machine holds at the deadline. A request to stop counts first. */
async function lateEnd(d: Deployment, { lifetime: { deadline } }: Spec): Promise<SlotEnd> {
  const stop = (await readControl(d))?.stop
  return stop ? stoppedBy(stop.by, deadline) : timedOut(deadline)
}

interface Meant {
  /** Machines that never took anything, oldest first. */
  readonly free: readonly Machine[]
  /** Machines that started after the last one that took something, oldest first. */
  readonly idle: readonly Machine[]
  /** So many failed boots in a row are too many. */
  readonly limit: number
  /** Milliseconds since 1970. A machine that started before has not failed: the slot was held, so there was nothing to take. */
  readonly since: number
}

/**
 * The machines for this slot. Without numbers, each machine is for any slot that is waiting: the limit is then three boots for each waiting slot,
 * up to `ENOUGH`.
 */
function meantFor(slot: SlotRecord, slots: readonly SlotRecord[], machines: readonly Machine[]): Meant {
  const numbered = machines.some(({ index }) => index !== undefined)
  const since = numbered ? Number.NEGATIVE_INFINITY : heldUntil(slot)
  const holders = new Set(slots.flatMap(({ holder, attempts }) => [holder, ...attempts.map((attempt) => attempt.holder)]))
  const own = machines.filter(({ index }) => !numbered || index === slot.index).sort(byStart)
  const waiting = slots.filter((one) => !isTerminal(one.state) && !isHeld(one)).length
  const free = own.filter(({ id }) => !holders.has(id))
  const idle = own.slice(own.findLastIndex(({ id }) => holders.has(id)) + 1)
  return { free, idle, limit: numbered ? BOOTS : Math.min(BOOTS * Math.max(1, waiting), ENOUGH), since }
}

/** When its last holder ended, or, if another command only found that dead, when this was recorded. In milliseconds since 1970. */
function heldUntil({ attempts, at }: SlotRecord): number {
  const last = attempts.at(-1)
  return last ? Date.parse(last.end ?? at) : Number.NEGATIVE_INFINITY
}
