/**
 * The twin of a run with `spot: prefer`: machines at full price, which start when they have not been postponed for a while. While each slot
 * has a machine, one of these postpones them; a machine that is interrupted too often starts them at once.
 */
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { SlotContext } from '../machine-context.ts'

/** A slot with this many interruptions within this many milliseconds continues at full price. */
const BREAKER = { interruptions: 2, within: 15 * 60_000 }
/** They are postponed so many times within the time that one postponement lasts. */
const TURNS = 4

/** Keeps them back until the returned function is called. When that resolves, no call is in progress that would still postpone them. */
export function startKeepingBack(context: SlotContext, standby: Standby, over: AbortSignal): () => Promise<void> {
  const mine = new AbortController()
  const keeping = keepBack(context, standby, AbortSignal.any([over, mine.signal]))
  return async () => {
    mine.abort()
    await keeping
  }
}

/**
 * Postpones them while every open slot has a live holder; otherwise they may start, because a slot is waiting for a machine. Only the
 * holder of the lowest open slot makes these calls.
 */
export async function keepBack(context: SlotContext, standby: Standby, signal: AbortSignal): Promise<void> {
  const quiet = new Staleness<number>()
  let said = false
  while (!signal.aborted) {
    try {
      if (await isOurTurn(context, quiet, signal)) await standby.hold()
      said = false
    } catch (error) {
      // If they cannot be postponed, they start: that costs money, but no work is lost.
      if (!said && !signal.aborted)
        context.say(`machines at full price may start, because they could not be postponed: ${messageOf(error)}`)
      said = true
    }
    await pause(Math.max(standby.wait / TURNS, context.spec.lease.beat), signal).catch(() => undefined)
  }
}

async function isOurTurn({ spec, store, keys, index }: SlotContext, quiet: Staleness<number>, signal: AbortSignal): Promise<boolean> {
  for (let at = 0; at < spec.count; at++) {
    if (at === index) continue
    const asked = performance.now()
    const read = await readRecord(SLOT, store, keys.slot(at).record, signal)
    if (!read) return false
    const record = read.value
    const silent = quiet.for(at, read.version, asked)
    if (isTerminal(record.state)) continue
    if (at < index || !isHeld(record) || silent > spec.lease.ttl) return false
  }
  return true
}

/** Whether a slot has been interrupted so often that it should continue at full price. `now`: milliseconds since 1970. */
export function isTooOften({ attempts }: Pick<SlotRecord, 'attempts'>, now: number): boolean {
  const late = attempts.filter(
    ({ cause, end }) => (cause === 'interrupted' || cause === 'lost') && end !== undefined && now - Date.parse(end) < BREAKER.within,
  )
  return late.length >= BREAKER.interruptions
}

/**
 * If the slot was interrupted too often, starts them now. `true`: they start, so nothing needs to replace this machine. `record`: as the
 * interrupted attempt has left it.
 */
export async function callOthers({ say }: Pick<SlotContext, 'say'>, standby: Standby, record: SlotRecord): Promise<boolean> {
  if (!isTooOften(record, Date.now())) return false
  try {
    if (!(await standby.rouse())) return false
    say(`interrupted ${BREAKER.interruptions} times in ${BREAKER.within / 60_000} minutes: an on-demand machine continues`)
    return true
  } catch (error) {
    say(`machines at full price could not be started: ${messageOf(error)}`)
    return false
  }
}
