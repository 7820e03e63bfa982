/** The budget of a run, watched by its own machines: the command that started it may be gone. */
import { pause } from '../../lib/clock.ts'
import { succeeds } from '../../lib/settle-all.ts'
import { Staleness } from '../../lib/staleness.ts'
import { requestStopOnce } from '../../wire/after-close.ts'
import { overspent } from '../../wire/budget.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { isHeld, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { SlotContext } from '../machine-context.ts'
import type { Holder } from './holder.ts'

/** Milliseconds between two looks: no machine costs enough for a shorter time to matter. */
const LOOK = 30_000

/** Requests a stop once the budget is used up. Each look reads all slots, so only one machine looks: the live holder of the lowest slot. */
export async function keepBudget(context: SlotContext, signal: AbortSignal, look = LOOK): Promise<void> {
  const budget = context.spec.mode === 'task' ? context.spec.budget : undefined
  if (!budget) return
  const heard = new Staleness<number>()
  const { ttl } = context.spec.lease
  let said = false
  while (!signal.aborted) {
    const now = performance.now()
    const isAlive = (slot: SlotRecord): boolean => isHeld(slot) && heard.for(slot.index, slot.nonce, now) < ttl
    const slots = await slotsUnless(isAlive, context, signal).catch(() => undefined)
    const own = slots?.find(({ index }) => index === context.index)
    const by = slots && own && isHeld(own) ? overspent(budget, slots, new Date().toISOString()) : undefined
    if (by !== undefined) {
      if (!said) context.say(`the budget is used up: ${by}`)
      said = true
      // If the store is out of reach, try again later: perhaps no other machine or command does.
      if (await succeeds(requestStopOnce(context, by, signal))) return
    }
    await pause(look, signal).catch(() => undefined)
  }
}

/** Records that this machine runs at full price, if it does, for all who compute the cost of the run. */
export async function noteFullPrice(holder: Holder, standby: Standby, signal: AbortSignal): Promise<void> {
  if (!(await standby.isOne())) return
  await holder.update(
    (record) => ({ ...record, attempts: record.attempts.map((one) => (one.holder === record.holder ? { ...one, full: true } : one)) }),
    signal,
  )
}

/** All slots; `undefined`: the holder of a lower slot is alive, so it looks. */
async function slotsUnless(
  isAlive: (slot: SlotRecord) => boolean,
  { spec, store, keys, index }: SlotContext,
  signal: AbortSignal,
): Promise<SlotRecord[] | undefined> {
  const found: SlotRecord[] = []
  for (let at = 0; at < spec.count; at++) {
    const read = await readRecord(SLOT, store, keys.slot(at).record, signal)
    if (read && at < index && isAlive(read.value)) return undefined
    if (read) found.push(read.value)
  }
  return found
}
