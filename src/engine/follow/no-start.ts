/** Slots that will never have a machine: it boots again and again without taking them, cannot begin to, may not even be made, or is late. */
import type { CloudEvent, Machine, Observation } from '../../core/cloud.ts'
import { closing, type SlotEnd, timedOut } from '../../wire/ending.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, readControl, type SlotRead } from '../deployment.ts'
import { closeSlot, withoutMachine } from './close.ts'

const BOOTS = 3
const LOG_TAIL = 2000

/** Resolves to how many were closed. `late`: the deadline is over, and whoever took a slot now would begin nothing. */
export async function refuseToStart(
  d: Deployment,
  spec: Spec,
  slots: readonly SlotRead[],
  seen: Observation,
  { at, late }: { readonly at: string; readonly late: boolean },
): Promise<number> {
  let closed = 0
  const tooLate = late ? await lateEnd(d, spec) : undefined
  for (const slot of slots) {
    if (isTerminal(slot.record.state)) continue
    const ending =
      failedBoots(slot.record, seen.machines) ??
      stuck(slot.record, seen.machines) ??
      refused(slot.record, seen) ??
      (tooLate && !isHeld(slot.record) ? withoutMachine(slot.record, seen, tooLate) : undefined)
    if (ending && (await closeSlot(d, spec, slot, ending, at))) closed += 1
  }
  return closed
}

/** Its last three machines in a row went without taking it. */
function failedBoots(slot: SlotRecord, machines: readonly Machine[]): SlotEnd | undefined {
  const tail = ofSlot(slot, machines).slice(-BOOTS)
  const holders = new Set(slot.attempts.map((attempt) => attempt.holder))
  const failed = tail.length === BOOTS && tail.every((machine) => machine.state === 'gone' && !holders.has(machine.id))
  const last = failed ? tail.at(-1) : undefined
  if (!last) return undefined
  const log = last.bootLog ? `; its boot log ends: ${last.bootLog.slice(-LOG_TAIL).trim()}` : ''
  return {
    state: 'failed',
    cause: 'no-start',
    reason: `machine does not start (${BOOTS} in a row; ${last.reason ?? 'no reason given'})${log}`,
  }
}

function stuck(slot: SlotRecord, machines: readonly Machine[]): SlotEnd | undefined {
  const last = ofSlot(slot, machines).at(-1)
  if (last?.state !== 'starting' || last.stuck === undefined) return undefined
  return { state: 'failed', cause: 'no-start', reason: `machine does not start: ${last.stuck}` }
}

/** The group may not make the first machine. Where it has others, one of them may make room by its end. */
function refused(slot: SlotRecord, { phase, machines, events }: Observation): SlotEnd | undefined {
  if (phase !== 'up' || slot.epoch > 0 || machines.some(({ state }) => state !== 'gone')) return undefined
  const last = events.findLast(({ kind }) => kind === 'quota' || kind === 'denied')
  if (!last || machines.some(({ startedAt = '' }) => Date.parse(startedAt) > Date.parse(last.at))) return undefined
  return { state: 'failed', cause: causeOf(last), reason: `no machine may be made: ${last.text}` }
}

/** Of slots that no machine has in hand: what they had saved is on record, and nothing more is to come. */
async function lateEnd(d: Deployment, { lifetime: { deadline } }: Spec): Promise<SlotEnd> {
  const stop = (await readControl(d))?.stop
  return closing({ stop, pastDeadline: true, deadline }) ?? timedOut(deadline)
}

function causeOf({ kind }: CloudEvent): 'denied' | 'no-capacity' {
  return kind === 'denied' ? 'denied' : 'no-capacity'
}

/** Oldest first. */
function ofSlot(slot: SlotRecord, machines: readonly Machine[]): Machine[] {
  return machines.filter(({ index }) => index === slot.index).sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
}
