/** Finds a slot for this machine and takes it, if necessary from a holder that is gone or silent. */
import { randomUUID } from 'node:crypto'
import { orLate } from '../../lib/abort.ts'
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { logEndOf } from '../../wire/log-end.ts'
import type { StopRequest } from '../../wire/records.ts'
import { isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord, swapRecord } from '../../wire/swap.ts'
import type { MachineContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import { type Held, Holder } from './holder.ts'
import { takeOver } from './takeover-rules.ts'

/**
 * Milliseconds for which a machine that has to leave still waits for the answer to its claim. If the store has taken that, the slot would otherwise
 * stay with a machine that is gone, and the next one would wait until it counts as silent.
 */
const ANSWER = 5000

export interface Taken {
  readonly index: number
  readonly holder: Holder
  /** The record as it was before this machine took the slot. */
  readonly before: SlotRecord
}

export interface Nothing {
  /** Why there is nothing to do for this machine, for people. */
  readonly nothing: string
  /** A slot that this machine has closed, or the only one for it, which was closed already: what follows its end is still to be done. */
  readonly closed?: SlotRecord
}

export interface ClaimOptions {
  /** It waits for no slot: one that is not free now is left to others. */
  readonly hurried?: boolean
  readonly stop: () => StopRequest | undefined
  readonly pastDeadline: () => boolean
  readonly signal: AbortSignal
  readonly trouble: (error: unknown) => void
}

/** What this machine has seen of the slots. */
class Watch {
  readonly held = new Map<number, Held>()
  readonly unchanged = new Staleness<number>()
}

/**
 * Takes the slot of a numbered machine, or any free one. Waits while another machine holds a slot and may have gone silent. Gives up when
 * there is nothing left for this machine.
 */
export async function claim(context: MachineContext, options: ClaimOptions): Promise<Taken | Nothing> {
  const numbered = context.config.index
  const indices = numbered === undefined ? rotated(context.spec.count) : [numbered]
  const watch = new Watch()
  const begun = performance.now()
  for (;;) {
    for (const index of indices) {
      const result = await look(context, index, watch, options)
      if (result) return result
    }
    const unfinished = [...watch.held.values()].filter((slot) => !isTerminal(slot.record.state))
    if (watch.held.size === indices.length && unfinished.length === 0)
      return { nothing: 'every slot of this machine is closed', ...closedOf(watch) }
    // A numbered machine stays as long as its slot is open: no other machine can take that slot.
    const patience = performance.now() - begun >= context.spec.lease.ttl
    const alive = options.hurried || (patience && unfinished.every(({ record }) => watch.unchanged.hasMoved(record.index)))
    if (numbered === undefined && alive) return { nothing: 'every slot has a live holder' }
    await pause(Math.min(1000, context.spec.lease.ttl / 10), options.signal)
  }
}

function closedOf({ held }: Watch): { closed?: SlotRecord } {
  const only = held.size === 1 ? [...held.values()][0] : undefined
  return only ? { closed: only.record } : {}
}

async function look(context: MachineContext, index: number, watch: Watch, options: ClaimOptions): Promise<Taken | Nothing | undefined> {
  const asked = performance.now()
  const { record: key } = context.keys.slot(index)
  const read = await persist(async (signal) => readRecord(SLOT, context.store, key, signal), options.signal, options.trouble)
  // The deployment is being removed: the watch of its record will say so.
  if (read === undefined) return undefined
  const { value: record, version } = read
  const slot: Held = { record, version }
  watch.held.set(index, slot)
  const silent = watch.unchanged.for(index, version, asked)
  if (isTerminal(record.state)) return undefined
  const silence = silenceOf(context, record, silent)
  return silence === undefined ? undefined : await take(context, index, slot, silence, options)
}

/** Why the slot may be taken now; `undefined`: another machine holds it. */
function silenceOf(context: MachineContext, { holder, released }: SlotRecord, silent: number): string | undefined {
  if (holder === undefined || released) return 'released'
  // A machine's name is unique, so the holder was an earlier agent on this machine.
  if (holder === context.config.machine) return 'the agent was started again'
  if (context.config.dead?.includes(holder)) return `machine ${holder} died`
  return silent >= context.spec.lease.ttl ? `machine ${holder} went silent` : undefined
}

async function take(
  context: MachineContext,
  index: number,
  slot: Held,
  silence: string,
  options: ClaimOptions,
): Promise<Taken | Nothing | undefined> {
  const { config, spec } = context
  const keys = context.keys.slot(index)
  const logEnd = await logEndOf(context.store, keys, slot.record, async (look) => persist(look, options.signal, options.trouble))
  const taker = {
    machine: config.machine,
    at: new Date().toISOString(),
    beat: spec.lease.beat,
    silence,
    ...(config.address === undefined ? {} : { address: config.address }),
    ...(logEnd === undefined ? {} : { logEnd }),
  }
  const rules = { retry: spec.retry, stop: options.stop(), pastDeadline: options.pastDeadline(), deadline: spec.lifetime.deadline }
  const next: SlotRecord = { ...takeOver(slot.record, taker, rules), nonce: randomUUID() }
  options.signal.throwIfAborted()
  const over = new AbortController()
  const swapping = persist(
    async (limit) => swapRecord(SLOT, context.store, keys.record, next, slot.version, limit),
    over.signal,
    options.trouble,
  )
  const swap = await orLate(swapping, options.signal, ANSWER).finally(() => over.abort())
  if (!swap.won) return undefined
  if (isTerminal(next.state)) return { nothing: `slot ${index} closed: ${next.reason ?? next.state}`, closed: next }
  const holder = new Holder(context.store, keys.record, { record: next, version: swap.version }, context.say)
  return { index, holder, before: slot.record }
}

/** All slots in a circle from a random one, so that machines which start at the same time try different slots first. */
function rotated(count: number): number[] {
  const start = Math.floor(Math.random() * count)
  return Array.from({ length: count }, (_, offset) => (start + offset) % count)
}
