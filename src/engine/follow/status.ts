/** The status of a run: what its records say, in the words that users see. Pure. */
import type { Observation } from '../../core/cloud.ts'
import { EXIT, type Outcome } from '../../core/exit-codes.ts'
import type { CollectedRecord, Mode, Origin } from '../../wire/records.ts'
import type { ServedJob } from '../../wire/runner.ts'
import {
  type Attempt,
  hasSaved,
  isTerminal,
  type SlotRecord,
  type SlotState,
  type SlotTransfer,
  transferOf,
  unseenEnd,
} from '../../wire/slot.ts'
import { endOpenAttempt } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import { runOutcome } from './outcome.ts'

export interface SlotStatus {
  readonly index: number
  readonly state: SlotState
  readonly phase?: string
  /** How far the transfer of its files has come in this phase. */
  readonly transfer?: SlotTransfer
  /** Counted from 1; 0: no machine has taken it yet. */
  readonly attempt: number
  readonly exitCode: number | null
  readonly reason: string | null
  readonly machine: string | null
  readonly savedAt: string | null
  readonly attempts: readonly Attempt[]
  /** ISO time of its end, or of the last sign of life of its machine. */
  readonly at?: string
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
  /** Where its results are, according to the command that delivered them. */
  readonly delivered?: { readonly at: string; readonly by: string; readonly to: string }
  readonly origin: Origin
  readonly store: string
  readonly slots: readonly SlotStatus[]
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
  const { state, outcome, exitCode } = runOutcome(slots)
  const times = slots.map(({ at }) => at).sort()
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
    endedAt: outcome === 'running' ? null : (times.at(-1) ?? null),
    collected: parts.collected !== undefined,
    destroyed: parts.destroyed ?? false,
    origin: spec.origin,
    store: parts.store,
    slots: slots.map(slotStatus),
  }
}

/** The status of a run that is about to end: it counts as stopped, and slots whose machines may still save keep their last state. */
export function asStopped(status: Status): Status {
  return { ...status, state: 'stopped', outcome: 'stopped', exitCode: EXIT.stopped }
}

/** The status of a run that a command leaves: it counts as running even if it has just ended, because its results are still to be collected. */
export function asLeft(status: Status): Status {
  return status.outcome === 'running' ? status : { ...status, state: 'running', outcome: 'running', exitCode: null, endedAt: null }
}

/**
 * The status of a run whose end nobody will see, as when it is removed while it runs: it counts as stopped, and so do its open slots, for this
 * `reason`. `now`: when it is removed, or was found to be gone. `spec`: absent if it was never complete.
 */
export function asRemoved(
  status: Status,
  now: Date,
  spec: Pick<Spec, 'lease'> | undefined,
  reason = 'removed before it had ended',
): Status {
  const at = now.toISOString()
  const beat = spec?.lease.beat ?? 0
  const slots = status.slots.map((slot) => (isTerminal(slot.state) ? slot : slotRemoved(slot, beat, at, reason)))
  return { ...asStopped(status), endedAt: at, slots }
}

function slotRemoved({ phase: _phase, transfer: _transfer, ...slot }: SlotStatus, beat: number, at: string, reason: string): SlotStatus {
  const end = unseenEnd({ at: slot.at ?? at, attempts: slot.attempts }, beat, at)
  return { ...slot, state: 'stopped', reason, at, attempts: endOpenAttempt(slot.attempts, () => ({ end, cause: 'stopped', reason })) }
}

function slotStatus(slot: SlotRecord): SlotStatus {
  const last = slot.attempts.at(-1)
  const transfer = transferOf(slot)
  return {
    index: slot.index,
    state: slot.state,
    ...(slot.phase && !isTerminal(slot.state) ? { phase: slot.phase } : {}),
    ...(transfer && !isTerminal(slot.state) ? { transfer } : {}),
    ...(slot.jobs ? { jobs: slot.jobs } : {}),
    attempt: slot.epoch,
    exitCode: slot.exitCode ?? null,
    reason: slot.reason ?? last?.reason ?? null,
    machine: slot.holder ?? last?.holder ?? null,
    savedAt: hasSaved(slot) ? slot.head.savedAt : null,
    attempts: slot.attempts,
    at: slot.at,
    outputs: slot.outputs ?? {},
    ...(slot.summary === undefined ? {} : { summary: slot.summary }),
  }
}

/** The values that scripts have written: of one slot an object, of several a list. */
export function resultOf(slots: readonly Pick<SlotStatus, 'outputs'>[]): unknown {
  return slots.length === 1 ? (slots[0]?.outputs ?? {}) : slots.map((slot) => slot.outputs)
}

/** The group knows that nobody holds this slot any more. `false`: it does not know. */
export function holderIsDead(slot: SlotRecord, seen: Observation): boolean {
  if (seen.phase === 'stopped') return true
  if (slot.holder === undefined) return false
  const machine = seen.machines.find((candidate) => candidate.id === slot.holder)
  return machine?.state === 'gone'
}
