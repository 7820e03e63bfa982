/** Ctrl-C and termination, as a person or a CI system sends them, and the end of the reader of our output. */
import { Interruption, RemoteError } from '../../core/errors.ts'
import { EXIT } from '../../core/exit-codes.ts'
import { isFull } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'

export interface Signals {
  /** Aborts at the first one. */
  readonly first: AbortSignal
  /** Aborts when somebody asks this command to end: not if only its terminal, or the reader of its output, is gone. With the reason of `first`. */
  readonly asked: AbortSignal
  /** Aborts at a second Ctrl-C within 5 s of the first, or of `renew`. */
  readonly second: AbortSignal
  /** Aborts at a Ctrl-C that comes later than that: the user does not want to wait for anything any more. */
  readonly last: AbortSignal
  /** Starts the 5 s anew: the user has only now been told that a second Ctrl-C counts. */
  renew(): void
  /** Says that a program that this command has started has the terminal, and decides what Ctrl-C does: from now on, `last` does not abort. */
  handOver(): void
  /**
   * Which came first; `unread`: nobody reads the output any more (`tpi … | head`); `full`: the disk has no room for it (`tpi … > file`), and
   * the reason of `first` says so.
   */
  kind(): Signal | NoOutput | undefined
}

type NoOutput = 'unread' | 'full'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** Milliseconds in which a second Ctrl-C counts; the help of `on-cancel` names them too. */
export const TWICE = 5000
/**
 * Milliseconds in which a second signal is taken for an echo of the first. A terminal signals all of its programs, and npm (`npx …`) passes on what
 * it gets: if its shell has replaced itself with tpi, as bash does, one Ctrl-C arrives twice.
 */
export const ECHO = 300

/** The exit code of a command that a signal has ended. */
export const exitOfSignal = (signals: Signals): number => (signals.kind() === 'SIGTERM' ? EXIT.terminated : EXIT.stopped)

export interface Emitter {
  on(event: Signal, listener: () => void): unknown
}

export interface Output {
  on(event: 'error', listener: (error: unknown) => void): unknown
}

export function listenFor(emitter: Emitter, now: () => number, outputs: readonly Output[] = []): Signals {
  const first = new AbortController()
  const asked = new AbortController()
  const second = new AbortController()
  const last = new AbortController()
  let kind: ReturnType<Signals['kind']>
  let at = 0
  let counted = Number.NEGATIVE_INFINITY
  let handedOver = false
  const begin = (what: Signal | NoOutput, reason = new Error(what)): void => {
    kind = what
    at = now()
    first.abort(reason)
  }
  for (const name of SIGNALS) {
    emitter.on(name, () => {
      // The kernel and the shell both send it when a terminal goes away, also soon after a Ctrl-C: that is not a second wish.
      if (name === 'SIGHUP' && first.signal.aborted) {
        // Who logs out, or shuts the computer down, has systemd send both at once, in any order (systemd.kill(5), SendSIGHUP).
        if (kind === 'SIGTERM' && now() - at < ECHO) kind = name
        return
      }
      // Measured from the last signal that counted, so that somebody who keeps pressing Ctrl-C is heard.
      if (now() - counted < ECHO) return
      counted = now()
      const again = first.signal.aborted
      const wasAsked = asked.signal.aborted
      if (!again) begin(name)
      if (name !== 'SIGHUP') asked.abort(first.signal.reason)
      if (!again || name !== 'SIGINT') return
      if (now() - at <= TWICE) second.abort(new Error(name))
      // After a terminal that has gone away, the first Ctrl-C only begins the end of a command that had gone on.
      else if (wasAsked && !handedOver) last.abort(leftAsItIs())
    })
  }
  // Each further line causes the same error again, so only the first one counts.
  for (const output of outputs)
    output.on('error', (error) => {
      if (first.signal.aborted) return
      if (isFull(error)) begin('full', unwritten(error))
      else begin('unread')
    })
  const renew = (): void => {
    at = now()
  }
  const handOver = (): void => {
    handedOver = true
  }
  return { first: first.signal, asked: asked.signal, second: second.signal, last: last.signal, renew, handOver, kind: () => kind }
}

function leftAsItIs(): Interruption {
  return new Interruption('interrupted again: what this command was doing is left as it is', {
    hint: '`tpi status NAME` shows what there is, and `tpi destroy NAME` removes it',
  })
}

function unwritten(cause: unknown): RemoteError {
  return new RemoteError(`the output is not complete, because the disk that it goes to is full: ${messageOf(cause)}`, {
    cause,
    hint: 'make room; `tpi logs` and `tpi status` show a run again',
  })
}

/** For what is not interrupted: the post step of the action, and tests. */
export function never(): Signals {
  const none = new AbortController().signal
  return { first: none, asked: none, second: none, last: none, renew() {}, handOver() {}, kind: () => undefined }
}
