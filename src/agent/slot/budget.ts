/** The budget of a run, watched by its own machines: the command that started it may be gone. */
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { requestStopOnce } from '../../wire/after-close.ts'
import { overspent } from '../../wire/budget.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { isHeld, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { SlotContext } from '../machine-context.ts'
import type { Holder } from './holder.ts'

/** Milliseconds: no machine costs so much that a shorter time would matter. */
const LOOK = 30_000

/** Done by the holder of the lowest slot whose holder shows signs of life, so that only one machine checks, and reads all slots. */
export async function keepBudget(context: SlotContext, signal: AbortSignal, look = LOOK): Promise<void> {
  const budget = context.spec.mode === 'task' ? context.spec.budget : undefined
  if (!budget) return
  const heard = new Staleness<number>()
  const { ttl } = context.spec.lease
  let said = false
  while (!signal.aborted) {
    const now = performance.now()
    const others = (slot: SlotRecord): boolean => isHeld(slot) && heard.for(slot.index, slot.nonce, now) < ttl
    const slots = await slotsUnless(others, context, signal).catch(() => undefined)
    const own = slots?.find(({ index }) => index === context.index)
    const by = slots && own && isHeld(own) ? overspent(budget, slots, new Date().toISOString()) : undefined
    if (by !== undefined) {
      if (!said) context.say(`the budget is used up: ${by}`)
      said = true
      // If the store is out of reach, try again: perhaps nobody else will.
      if (await requested(context, by, signal)) return
    }
    await pause(look, signal).catch(() => undefined)
  }
}

/** Records the price of this machine for everybody who counts. A machine of unknown price counts like the others. */
export async function noteFullPrice(holder: Holder, standby: Standby, signal: AbortSignal): Promise<void> {
  if (!(await standby.isOne())) return
  await holder.update(
    (record) => ({ ...record, attempts: record.attempts.map((one) => (one.holder === record.holder ? { ...one, full: true } : one)) }),
    signal,
  )
}

async function requested(context: SlotContext, by: string, signal: AbortSignal): Promise<boolean> {
  return requestStopOnce(context, by, signal).then(
    () => true,
    () => false,
  )
}

/** All slots; `undefined`: the holder of a lower one checks. */
async function slotsUnless(
  others: (slot: SlotRecord) => boolean,
  { spec, store, keys, index }: SlotContext,
  signal: AbortSignal,
): Promise<SlotRecord[] | undefined> {
  const found: SlotRecord[] = []
  for (let at = 0; at < spec.count; at++) {
    const read = await readRecord(SLOT, store, keys.slot(at).record, signal)
    if (read && at < index && others(read.value)) return undefined
    if (read) found.push(read.value)
  }
  return found
}
