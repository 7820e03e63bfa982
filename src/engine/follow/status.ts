/** What a deployment's records say about it, in the words that users see. Pure. */
import type { Observation } from '../../core/cloud.ts'
import { EXIT, type Outcome } from '../../core/errors.ts'
import { interruptedJobs, madeGood } from '../../wire/cut-off.ts'
import { isOwnEnd } from '../../wire/ending.ts'
import type { CollectedRecord, Mode, Origin } from '../../wire/records.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { type Attempt, hasSaved, isTerminal, type SlotRecord, type SlotState } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'

export interface SlotStatus {
  readonly index: number
  readonly state: SlotState
  readonly phase?: string
  /** 1 for the first; 0 when no machine took it yet. */
  readonly attempt: number
  readonly exitCode: number | null
  readonly reason: string | null
  readonly machine: string | null
  readonly savedAt: string | null
  readonly attempts: readonly Attempt[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary?: string
  /** Runner: jobs it served, oldest first. */
  readonly jobs?: readonly ServedJob[]
}

/** The object that `status --json` prints and the history keeps. */
export interface Status {
  readonly id: string
  readonly name: string
  readonly cloud: string
  readonly mode: Mode
  readonly state: SlotState | 'creating' | 'destroying'
  readonly outcome: Outcome
  readonly exitCode: number | null
  readonly createdAt: string
  readonly deadline: string
  readonly endedAt: string | null
  readonly collected: boolean
  readonly destroyed: boolean
  /** Where its results lie, as the command that brought them home knows it. */
  readonly delivered?: { readonly at: string; readonly by: string; readonly to: string }
  readonly origin: Origin
  readonly store: string
  readonly slots: readonly SlotStatus[]
}

export interface Verdict {
  readonly state: SlotState
  readonly outcome: Outcome
  readonly exitCode: number | null
}

/** One verdict over all slots: open while any is open; else the lowest-index slot that did not succeed decides. */
export function verdict(slots: readonly SlotRecord[]): Verdict {
  const open = slots.filter((slot) => !isTerminal(slot.state))
  if (open.length > 0) {
    const order: SlotState[] = ['running', 'interrupted', 'booting', 'waiting']
    const state = order.find((candidate) => open.some((slot) => slot.state === candidate)) ?? 'waiting'
    return { state, outcome: 'running', exitCode: null }
  }
  const bad = slots.filter((slot) => slot.state !== 'succeeded' && !(spent(slot) && servedAfterAll(slots)))
  // A slot that fail-fast stopped is not the reason for anything.
  const decisive = bad.find((slot) => slot.cause !== 'sibling') ?? bad[0]
  if (!decisive) return { state: 'succeeded', outcome: 'success', exitCode: EXIT.ok }
  return { state: decisive.state, ...judged(decisive) }
}

/** Runner: its last registration went with a machine that was taken away. */
const spent = ({ state, cause }: SlotRecord): boolean => state === 'failed' && cause === 'interrupted'

/** What was cut off on one of them has run since, on whichever. */
function servedAfterAll(slots: readonly SlotRecord[]): boolean {
  const jobs = slots.flatMap((slot) => slot.jobs ?? [])
  return slots.some(({ served = 0 }) => served > 0) && madeGood(interruptedJobs(slots), jobs)
}

function judged(slot: SlotRecord): { outcome: Outcome; exitCode: number } {
  if (slot.state === 'timed-out') return { outcome: 'timed-out', exitCode: EXIT.timedOut }
  if (slot.state === 'stopped') return { outcome: 'stopped', exitCode: EXIT.stopped }
  if (slot.cause === 'setup') return { outcome: 'setup-failed', exitCode: slot.exitCode ?? 1 }
  if (isOwnEnd(slot.cause)) return { outcome: 'script-failed', exitCode: slot.exitCode || 1 }
  if (slot.cause === 'no-capacity') return { outcome: 'no-capacity', exitCode: EXIT.noCapacity }
  if (slot.cause === 'denied') return { outcome: 'denied', exitCode: EXIT.denied }
  return { outcome: 'remote-error', exitCode: EXIT.remote }
}

export function statusOf(parts: {
  cloud: string
  spec: Spec
  store: string
  slots: readonly SlotRecord[]
  collected?: CollectedRecord | undefined
  destroyed?: boolean
}): Status {
  const { spec, slots } = parts
  const { state, outcome, exitCode } = verdict(slots)
  return {
    id: spec.id,
    name: spec.name,
    cloud: parts.cloud,
    mode: spec.mode,
    state,
    outcome,
    exitCode,
    createdAt: spec.createdAt,
    deadline: spec.lifetime.deadline,
    endedAt:
      outcome === 'running'
        ? null
        : (slots
            .map((slot) => slot.at)
            .sort()
            .at(-1) ?? null),
    collected: parts.collected !== undefined,
    destroyed: parts.destroyed ?? false,
    origin: spec.origin,
    store: parts.store,
    slots: slots.map(slotStatus),
  }
}

/** Of what was given up before it had ended: its slots stay as they were last. */
export function asStopped(status: Status): Status {
  return { ...status, state: 'stopped', outcome: 'stopped', exitCode: EXIT.stopped }
}

function slotStatus(slot: SlotRecord): SlotStatus {
  const last = slot.attempts.at(-1)
  return {
    index: slot.index,
    state: slot.state,
    ...(slot.phase && !isTerminal(slot.state) ? { phase: slot.phase } : {}),
    ...(slot.jobs ? { jobs: slot.jobs } : {}),
    attempt: slot.epoch,
    exitCode: slot.exitCode ?? null,
    reason: slot.reason ?? last?.reason ?? null,
    machine: slot.holder ?? last?.holder ?? null,
    savedAt: hasSaved(slot) ? slot.head.savedAt : null,
    attempts: slot.attempts,
    outputs: slot.outputs ?? {},
    ...(slot.summary === undefined ? {} : { summary: slot.summary }),
  }
}

/** Values of the script by slot: one object for one slot, a list for many. */
export function resultOf(slots: readonly Pick<SlotStatus, 'outputs'>[]): unknown {
  return slots.length === 1 ? (slots[0]?.outputs ?? {}) : slots.map((slot) => slot.outputs)
}

/** Does the group know that nobody holds this slot any more? `false` means: it cannot tell. */
export function holderIsDead(slot: SlotRecord, seen: Observation): boolean {
  if (seen.phase === 'stopped') return true
  if (slot.holder === undefined) return false
  const machine = seen.machines.find((candidate) => candidate.id === slot.holder)
  return machine?.state === 'gone'
}
