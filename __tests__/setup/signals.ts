/** Ctrl-C, or another signal, that a test sends to a command. */
import { listenFor, type Output, type Signals } from '../../src/verbs/shared/signals.ts'

/** `first`: aborted when the command is interrupted. `second`: aborted when the sender does not wait any longer; absent: never. */
export function signalledBy(
  first: AbortSignal,
  kind: ReturnType<Signals['kind']> = 'SIGINT',
  second: AbortSignal = new AbortController().signal,
): Signals {
  const never = new AbortController().signal
  const asked = kind === 'SIGINT' || kind === 'SIGTERM' ? first : never
  return { first, asked, second, last: never, renew() {}, handOver() {}, kind: () => (first.aborted ? kind : undefined) }
}

interface Pretended {
  /** Milliseconds. */
  now: number
  readonly signals: Signals
  send(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void
}

/** Signals as this process would hear them, in a time that the test sets. */
export function pretended(outputs: readonly Output[] = []): Pretended {
  const listeners = new Map<string, () => void>()
  const self: Pretended = {
    now: 0,
    signals: listenFor({ on: (name, listener) => listeners.set(name, listener) }, () => self.now, outputs),
    send: (name) => listeners.get(name)?.(),
  }
  return self
}
