/** Ctrl-C and termination, as a person or a CI system sends them, and the end of the reader of our output. */
import { EXIT } from '../../core/exit-codes.ts'

export interface Signals {
  /** Aborts at the first one. */
  readonly first: AbortSignal
  /** Aborts at a second Ctrl-C within 5 s of the first, or of `renew`. */
  readonly second: AbortSignal
  /** The user has just been told that a second one counts, which may be long after the first. */
  renew(): void
  /** Which came first; `unread`: nobody reads the output any more (`tpi … | head`). */
  kind(): Signal | 'unread' | undefined
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** Milliseconds in which a second Ctrl-C counts; the help of `on-cancel` names them too. */
export const TWICE = 5000

/** The exit code of a command that a signal has ended. */
export const exitOfSignal = (signals: Signals): number => (signals.kind() === 'SIGTERM' ? EXIT.terminated : EXIT.stopped)

export interface Emitter {
  on(event: Signal, listener: () => void): unknown
}

export interface Output {
  on(event: 'error', listener: () => void): unknown
}

export function listenFor(emitter: Emitter, now: () => number, outputs: readonly Output[] = []): Signals {
  const first = new AbortController()
  const second = new AbortController()
  let kind: ReturnType<Signals['kind']>
  let at = 0
  const begin = (what: Signal | 'unread'): void => {
    kind = what
    at = now()
    first.abort(new Error(what))
  }
  for (const name of SIGNALS) {
    emitter.on(name, () => {
      if (!first.signal.aborted) begin(name)
      else if (now() - at <= TWICE) second.abort(new Error(name))
    })
  }
  // Each further line causes the same error again: nothing more to do.
  for (const output of outputs) output.on('error', () => first.signal.aborted || begin('unread'))
  const renew = (): void => {
    at = now()
  }
  return { first: first.signal, second: second.signal, renew, kind: () => kind }
}

/** For callers that cannot be interrupted (tests). */
export function never(): Signals {
  const none = new AbortController().signal
  return { first: none, second: none, renew() {}, kind: () => undefined }
}
