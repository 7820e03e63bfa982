/** What the end of an attempt means: pure rules. */
import { mayRetry } from '../../wire/retry-rule.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import { type SlotEnd, stoppedBy, timedOut } from '../../wire/slot-end.ts'
import type { Spec } from '../../wire/spec.ts'
import type { Exit } from '../process/script.ts'
import type { Imposed, Interruption } from '../slot/ending.ts'

/** A program of the user ended by itself. */
interface ProgramEnd {
  readonly kind: 'own'
  readonly program: 'setup' | 'script'
  readonly exit: Exit
  /** Present if it failed because memory ran out: for people. */
  readonly outOfMemory?: string
  /** It failed, and its disk is full. */
  readonly diskFull: boolean
}

export type Happened =
  | ProgramEnd
  /** The agent ended it for this cause, or it had not started. */
  | { readonly kind: 'imposed'; readonly cause: Imposed; readonly exit?: Exit }
  /** The attempt could not get as far as the script. */
  | { readonly kind: 'broken'; readonly reason: string; readonly diskFull: boolean }
  /** The verdict is known already. */
  | { readonly kind: 'judged'; readonly verdict: Verdict }

export interface Verdict extends Omit<SlotEnd, 'state'> {
  /** `interrupted`: the slot stays open and is released. `again`: the script runs once more, here. */
  readonly state: SlotEnd['state'] | 'interrupted' | 'again'
  readonly announced?: boolean
}

export function judge(happened: Happened, record: Pick<SlotRecord, 'retried'>, spec: Pick<Spec, 'retry' | 'lifetime'>): Verdict {
  if (happened.kind === 'judged') return happened.verdict
  if (happened.kind === 'imposed') return judgeImposed(happened.cause, spec)
  if (happened.kind === 'broken') {
    if (happened.diskFull) return { state: 'failed', cause: 'disk-full', reason: `disk full: ${happened.reason}` }
    return { state: 'interrupted', cause: 'lost', reason: happened.reason }
  }
  const { program, exit } = happened
  if (exit.code === 0) return { state: 'succeeded', cause: 'exit', reason: 'exit code 0', exitCode: 0 }
  const how = exit.signal ? `killed by ${exit.signal}` : `exit code ${exit.code}`
  if (program === 'setup') return { state: 'failed', cause: 'setup', reason: `setup: ${happened.outOfMemory ?? how}`, exitCode: exit.code }
  const failure = failureOf(happened, how)
  const again = mayRetry(spec.retry, record.retried ?? 0, exit.code, failure.cause === 'out-of-memory')
  return { state: again ? 'again' : 'failed', ...failure, exitCode: exit.code }
}

/** Why a script failed. `how`: by its exit code alone. */
function failureOf({ outOfMemory, diskFull }: ProgramEnd, how: string): Pick<Verdict, 'cause' | 'reason'> {
  if (outOfMemory !== undefined) return { cause: 'out-of-memory', reason: outOfMemory }
  if (diskFull) return { cause: 'disk-full', reason: `disk full (${how})` }
  return { cause: 'exit', reason: how }
}

/** The script cannot run, and could not on any other machine of the group either. */
export const hindered = (reason: string): Happened => ({ kind: 'judged', verdict: { state: 'failed', cause: 'setup', reason } })

/** A gang starts only if it is complete, and this slot will never be there: it has failed, or has ended without ever having a machine. */
export function withoutGang({ index, attempts, reason }: Pick<SlotRecord, 'index' | 'attempts' | 'reason'>): Verdict {
  const how = `${attempts.length === 0 ? 'never started' : 'has failed'}${reason ? ` (${reason})` : ''}`
  return { state: 'stopped', cause: 'sibling', reason: `stopped: slot ${index} of its gang ${how}` }
}

/** What an interruption records about its attempt. Only an announced one does not count against `max-attempts`. */
export function interruption({ unannounced }: Pick<Interruption, 'unannounced'>): Pick<Verdict, 'cause' | 'announced'> {
  return { cause: 'interrupted', ...(!unannounced && { announced: true }) }
}

function judgeImposed(cause: Imposed, spec: Pick<Spec, 'lifetime'>): Verdict {
  if (cause.kind === 'interrupted' && cause.diskFull) return { state: 'failed', cause: 'disk-full', reason: cause.reason }
  if (cause.kind === 'interrupted') return { state: 'interrupted', reason: cause.reason, ...interruption(cause) }
  if (cause.kind === 'guard-died') return { state: 'interrupted', cause: 'lost', reason: 'guard died' }
  if (cause.kind === 'timed-out') return timedOut(spec.lifetime.deadline)
  return stoppedBy(cause.by, spec.lifetime.deadline)
}
