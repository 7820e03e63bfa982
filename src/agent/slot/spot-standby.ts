/** Machines at the full price that wait beside those of a spot market: who holds the work keeps them back, and who is interrupted too often calls them. */
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { SlotContext } from '../machine-context.ts'

/** Interruptions of one slot within so many milliseconds that say: the market has no place for it. */
const BREAKER = { interruptions: 2, within: 15 * 60_000 }
/** Times that they are put off within what one time is good for. */
const TURNS = 4

/** Keeps them back until it is called: then nothing is under way any more that would put off those that are called next. */
export function keptBack(context: SlotContext, standby: Standby, over: AbortSignal): () => Promise<void> {
  const mine = new AbortController()
  const keeping = keepBack(context, standby, AbortSignal.any([over, mine.signal]))
  return async () => {
    mine.abort()
    await keeping
  }
}

/**
 * Keeps them back while every open slot has a living holder; by the holder of the lowest, so that it is one machine that asks. A slot that waits for
 * a machine is what they are for: then they are let come.
 */
export async function keepBack(context: SlotContext, standby: Standby, signal: AbortSignal): Promise<void> {
  const quiet = new Staleness<number>()
  let said = false
  while (!signal.aborted) {
    try {
      if (await isOurTurn(context, quiet, signal)) await standby.hold()
      said = false
    } catch (error) {
      // Where it cannot be put off they come, which costs money and loses nothing.
      if (!said && !signal.aborted) context.say(`standby: ${messageOf(error)}`)
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

/** The circuit breaker. `record`: as the interrupted attempt has left it. */
export function isTooOften({ attempts }: Pick<SlotRecord, 'attempts'>, now: number): boolean {
  const late = attempts.filter(
    ({ cause, end }) => (cause === 'interrupted' || cause === 'lost') && end !== undefined && now - Date.parse(end) < BREAKER.within,
  )
  return late.length >= BREAKER.interruptions
}

/** `true`: others come at once, and no successor of this machine is wanted. */
export async function callOthers({ say }: Pick<SlotContext, 'say'>, standby: Standby, record: SlotRecord): Promise<boolean> {
  if (!isTooOften(record, Date.now())) return false
  try {
    if (!(await standby.rouse())) return false
    say(`interrupted ${BREAKER.interruptions} times in ${BREAKER.within / 60_000} minutes: an on-demand machine continues`)
    return true
  } catch (error) {
    say(`standby: ${messageOf(error)}`)
    return false
  }
}
