/** Ctrl-C and termination, as a person or a CI system sends them. */

export interface Interrupts {
  /** Aborts at the first one. */
  readonly first: AbortSignal
  /** Aborts at a second Ctrl-C within 5 s of the first. */
  readonly second: AbortSignal
  /** Which signal came first. */
  kind(): 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined
}

const TWICE = 5000

export interface Emitter {
  on(event: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
}

export function listenFor(emitter: Emitter, now: () => number): Interrupts {
  const first = new AbortController()
  const second = new AbortController()
  let kind: ReturnType<Interrupts['kind']>
  let at = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    emitter.on(name, () => {
      if (!first.signal.aborted) {
        kind = name
        at = now()
        first.abort(new Error(name))
      } else if (now() - at <= TWICE) second.abort(new Error(name))
    })
  }
  return { first: first.signal, second: second.signal, kind: () => kind }
}

/** For verbs that are run by nobody who could interrupt them (tests). */
export function never(): Interrupts {
  const none = new AbortController().signal
  return { first: none, second: none, kind: () => undefined }
}
