/** Why a machine's work ends before its script does. The cause is fixed before any signal is sent, and never changes afterwards. */
import { bootNow } from '../../lib/clock.ts'

export type Imposed =
  | {
      readonly kind: 'interrupted'
      readonly reason: string
      /** Boot clock: when the machine itself will be gone; absent: not known. */
      readonly due?: number
      /** Boot clock: until when it certainly exists; absent: until `due`. */
      readonly sureUntil?: number
      /** Its disk is full because of the script: the slot fails, because another machine would not help. */
      readonly diskFull?: true
      /** No cloud has announced it, so it counts against `max-attempts`. */
      readonly unannounced?: true
    }
  /** `grace`: seconds, if the request gives them. */
  | { readonly kind: 'stopped'; readonly by: string; readonly grace?: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'guard-died' }

export type Interruption = Extract<Imposed, { kind: 'interrupted' }>

/** The system is shutting down, and its cloud has not announced it. A script that calls `shutdown` causes this on every machine. */
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
  /** The first cause that came while the work was settled: it takes effect if the work goes on. */
  #missed: Imposed | undefined
  #killDue = Number.POSITIVE_INFINITY
  #goneDue = Number.POSITIVE_INFINITY
  #sureUntil = Number.POSITIVE_INFINITY
  readonly #grace: number
  readonly #reserve: number

  /** Seconds: the script's grace, and what the final save may take after it. */
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

  /** Aborts when nothing may be written any more, because the slot or the store is lost: the reason of the signal says which. */
  get severed(): AbortSignal {
    return this.#severed.signal
  }

  /** Boot clock: when SIGKILL follows SIGTERM. A later cause can only make that earlier. */
  get killDue(): number {
    return this.#killDue
  }

  /** Boot clock: when the machine will be gone, according to its notices; infinite if none says so. */
  get goneDue(): number {
    return this.#goneDue
  }

  /** Boot clock: until when the machine certainly exists, according to its notices; infinite if none says so. */
  get sureUntil(): number {
    return this.#sureUntil
  }

  /** No program of the user is running any more. All that is left is to store its results, however long the store is out of reach. */
  closing = false

  /** A job of a forge is running. It does not need the store, so it is not ended, however long the store is out of reach. */
  engaged = false

  /** The script has ended by itself, and from now on no cause changes that. False if a cause came first. */
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
    const { due = Number.POSITIVE_INFINITY, sureUntil = due } = cause.kind === 'interrupted' ? cause : {}
    this.#goneDue = Math.min(this.#goneDue, due)
    this.#sureUntil = Math.min(this.#sureUntil, sureUntil)
    if (this.#settled) {
      this.#missed ??= cause
      return
    }
    const now = bootNow()
    this.#killDue = Math.min(this.#killDue, now + this.#graceOf(cause, (due - now) / 1000) * 1000)
    if (this.#imposed !== undefined) return
    this.#imposed = cause
    this.#begun.abort(cause)
  }

  sever(reason: Error): void {
    this.#severed.abort(reason)
  }

  /** Seconds for the script to end. `remaining`: seconds until the machine will be gone. */
  #graceOf(cause: Imposed, remaining: number): number {
    if (cause.kind === 'guard-died') return 0
    const grace = cause.kind === 'stopped' ? (cause.grace ?? this.#grace) : this.#grace
    // If the notice is short, the final save gets its reserve, or at least half of the time.
    return Math.max(0, Math.min(grace, remaining - Math.min(this.#reserve, remaining / 2)))
  }
}
