/** Machines that boot again and again without ever taking their slot: an image or a host that cannot work. */
import type { Machine, Observation } from '../core/cloud.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { Spec } from '../wire/spec.ts'
import { closeSlot } from './close.ts'
import type { Deployment, SlotRead } from './deployment.ts'

const BOOTS = 3
const LOG_TAIL = 2000

/** Closes slots whose last three machines in a row went without taking them. Resolves to how many. */
export async function refuseToStart(d: Deployment, spec: Spec, slots: readonly SlotRead[], seen: Observation, at: string): Promise<number> {
  let closed = 0
  for (const slot of slots) {
    const last = isTerminal(slot.record.state) ? undefined : failedBoots(slot.record, seen.machines)
    if (!last) continue
    const log = last.bootLog ? `; its boot log ends: ${last.bootLog.slice(-LOG_TAIL).trim()}` : ''
    const reason = `machine does not start (${BOOTS} in a row; ${last.reason ?? 'no reason given'})${log}`
    if (await closeSlot(d, spec, slot, { state: 'failed', cause: 'no-start', reason }, at)) closed += 1
  }
  return closed
}

/** The last of three failed boots in a row, if that is what happened. */
function failedBoots(slot: SlotRecord, machines: readonly Machine[]): Machine | undefined {
  const own = machines
    .filter((machine) => machine.index === slot.index)
    .sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
  const tail = own.slice(-BOOTS)
  const holders = new Set(slot.attempts.map((attempt) => attempt.holder))
  const failed = tail.length === BOOTS && tail.every((machine) => machine.state === 'gone' && !holders.has(machine.id))
  return failed ? tail.at(-1) : undefined
}
