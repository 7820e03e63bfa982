/** Why a machine's work ends before its script does. Fixed before any signal goes out, and never changed after. */
import { bootNow } from '../../lib/clock.ts'

/** `due`: boot clock, when the machine itself will be gone, if known; until `sureUntil` it surely exists, if that is sooner. */
export type Imposed =
  | {
      readonly kind: 'interrupted'
      readonly reason: string
      readonly due?: number
      readonly sureUntil?: number
      readonly diskFull?: true
      readonly unannounced?: true
    }
  | { readonly kind: 'stopped'; readonly by: string; readonly grace?: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'guard-died' }

export type Interruption = Extract<Imposed, { kind: 'interrupted' }>

/** The system is shutting down, and no cloud has announced it: a script that calls `shutdown` has this effect too, on each machine. */
export const SHUT_DOWN = {
  kind: 'interrupted',
  unannounced: true,
  reason: 'the machine was shut down, which its cloud had not announced (a script that calls shutdown or reboot does this)',
} as const satisfies Interruption

export class Ending {
  readonly #begun = new AbortController()
  readonly #severed = new AbortController()
  #imposed: Imposed | undefined
  #settled = false
  /** A cause that came while the work was settled: it counts if the work goes on. */
  #missed: Imposed | undefined
  #killDue = Number.POSITIVE_INFINITY
  #goneDue = Number.POSITIVE_INFINITY
  #sureUntil = Number.POSITIVE_INFINITY
  readonly #grace: number
  readonly #reserve: number

  /** Seconds: the task's own grace, and what the final save may take after it. */
  constructor(times: { readonly grace: number; readonly reserve: number }) {
    this.#grace = times.grace
    this.#reserve = times.reserve
  }

  get imposed(): Imposed | undefined {
    return this.#imposed
  }

  /** Aborts when a cause is fixed. */
  get begun(): AbortSignal {
    return this.#begun.signal
  }

  /** Aborts when nothing may be written any more: the slot is lost, or the store. Its reason says which. */
  get severed(): AbortSignal {
    return this.#severed.signal
  }

  /** Boot clock: when SIGKILL follows SIGTERM. Later causes can only make it earlier. */
  get killDue(): number {
    return this.#killDue
  }

  /** Boot clock: when the machine is taken away, according to a notice. */
  get goneDue(): number {
    return this.#goneDue
  }

  /** Boot clock: what is safe by then is safe, whenever the machine is taken away. */
  get sureUntil(): number {
    return this.#sureUntil
  }

  /** Nothing of the user is running any more: all that is left is to store what it made, however long the store is out of reach. */
  closing = false

  /** A forge's job is running. It does not need the store, so it is not ended however long the store is out of reach. */
  engaged = false

  /** The script has ended by itself: from now on the slot completes normally. False if there was a cause before. */
  settle(): boolean {
    if (this.#imposed === undefined) this.#settled = true
    return this.#settled
  }

  /** The work goes on after all: the script follows its set-up, or runs again. */
  unsettle(): void {
    this.#settled = false
    this.closing = false
    if (this.#missed) this.impose(this.#missed)
  }

  impose(cause: Imposed): void {
    const now = bootNow()
    const remaining = cause.kind === 'interrupted' && cause.due !== undefined ? (cause.due - now) / 1000 : Number.POSITIVE_INFINITY
    if (remaining < Number.POSITIVE_INFINITY) this.#goneDue = Math.min(this.#goneDue, now + remaining * 1000)
    const { due = Number.POSITIVE_INFINITY, sureUntil = due } = cause.kind === 'interrupted' ? cause : {}
    this.#sureUntil = Math.min(this.#sureUntil, sureUntil)
    if (this.#settled) {
      this.#missed ??= cause
      return
    }
    this.#killDue = Math.min(this.#killDue, now + this.#graceOf(cause, remaining) * 1000)
    if (this.#imposed !== undefined) return
    this.#imposed = cause
    this.#begun.abort(cause)
  }

  sever(reason: Error): void {
    this.#severed.abort(reason)
  }

  #graceOf(cause: Imposed, remaining: number): number {
    if (cause.kind === 'guard-died') return 0
    const grace = cause.kind === 'stopped' ? (cause.grace ?? this.#grace) : this.#grace
    // The time of a short notice is divided between the script's grace and the final save.
    return Math.max(0, Math.min(grace, remaining - Math.min(this.#reserve, remaining / 2)))
  }
}
