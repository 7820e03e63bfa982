/** Machines at full price beside spot machines: holders of the work keep them back, and a machine that is interrupted too often starts them. */
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { SlotContext } from '../machine-context.ts'

/** This many interruptions of one slot within this many milliseconds mean that it should leave the spot market. */
const BREAKER = { interruptions: 2, within: 15 * 60_000 }
/** How often they are postponed within the time that one postponement lasts. */
const TURNS = 4

/** Keeps them back until the returned function is called: after that, no call is in progress that would postpone them. */
export function keptBack(context: SlotContext, standby: Standby, over: AbortSignal): () => Promise<void> {
  const mine = new AbortController()
  const keeping = keepBack(context, standby, AbortSignal.any([over, mine.signal]))
  return async () => {
    mine.abort()
    await keeping
  }
}

/**
 * Keeps them back while every open slot has a live holder; done by the holder of the lowest open slot, so that only one machine makes these
 * calls. They exist for slots that wait for a machine: then they may start.
 */
export async function keepBack(context: SlotContext, standby: Standby, signal: AbortSignal): Promise<void> {
  const quiet = new Staleness<number>()
  let said = false
  while (!signal.aborted) {
    try {
      if (await isOurTurn(context, quiet, signal)) await standby.hold()
      said = false
    } catch (error) {
      // If it cannot be postponed, they start, which costs money but loses nothing.
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

/** `true`: others start at once, and this machine needs no successor. */
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
