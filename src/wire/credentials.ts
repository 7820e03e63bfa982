/** Credentials that expire: whoever uses them asks a source before each call, and the source gets new ones in time. */
import { messageOf } from '../lib/text.ts'
import { type CredentialSource, type Credentials, isStoreError, StoreError } from './store.ts'

/** Credentials as their source lends them. */
export interface Lent {
  readonly credentials: Credentials
  /** ISO; absent: valid until they are refused. */
  readonly until?: string
}

/** A source that always has the same credentials. */
export function fixed(credentials: Credentials): CredentialSource {
  return { get: async () => credentials, refused: () => false }
}

export interface Lender {
  readonly lend: () => Promise<Lent>
  readonly clock: { now(): number; date(): Date }
  /** Credentials to begin with. */
  readonly first?: Lent
  /** Told of each failure to renew credentials that are still valid: whoever asks for these does not hear of it. */
  readonly trouble?: (error: unknown) => void
}

/**
 * So many milliseconds before they expire, or a quarter of their lifetime if that is less, new ones are requested. (Metadata services have new ones
 * five minutes before.)
 */
const EARLY = 10 * 60_000
/** So many milliseconds before they expire, a call waits for new ones: its request would arrive too late with the old ones. */
const LAST = 10_000
/** Milliseconds between two tries while the old ones are valid, or a tenth of the time left if that is less. */
const PACE = 30_000
/** Milliseconds for which credentials are used that are already expired when they arrive: some clock is wrong, and only the server knows whose. */
const DOUBTFUL = 60_000

interface Held {
  readonly credentials: Credentials
  /** When they expire, on the clock that never jumps. */
  readonly due: number
  /** So many milliseconds before, new ones are requested. */
  readonly early: number
}

/** A source that asks the lender when credentials are needed first, before they expire, and after a refusal: once for all callers. */
export function renewing({ lend, clock, first, trouble }: Lender): CredentialSource {
  let held = first && heldOf(first, clock)
  let asking: Promise<Held> | undefined
  let next = 0
  const ask = async (): Promise<Held> => {
    asking ??= (async () => {
      try {
        held = heldOf(await lend(), clock)
        return held
      } finally {
        asking = undefined
        next = clock.now() + Math.min(PACE, Math.max(0, (held?.due ?? 0) - clock.now()) / 10)
      }
    })()
    return await asking
  }
  return {
    async get() {
      const had = held
      const remaining = had ? had.due - clock.now() : 0
      if (!had || remaining <= 0) return (await ask()).credentials
      if (remaining > had.early) return had.credentials
      if (remaining > LAST && clock.now() < next) return had.credentials
      const renewed = ask().catch((error: unknown) => {
        trouble?.(error)
        if (had.due <= clock.now()) throw error
        return had
      })
      if (remaining <= LAST) return (await renewed).credentials
      renewed.catch(() => undefined)
      return had.credentials
    },
    refused(credentials) {
      if (held?.credentials === credentials) held = undefined
      return true
    },
  }
}

function heldOf({ credentials, until }: Lent, clock: Lender['clock']): Held {
  if (until === undefined) return { credentials, due: Number.POSITIVE_INFINITY, early: 0 }
  const remaining = Date.parse(until) - clock.date().getTime()
  if (Number.isNaN(remaining))
    throw new StoreError('unavailable', `storage: the credentials are good until "${until}", which is not a time`)
  const life = remaining > 0 ? remaining : DOUBTFUL
  return { credentials, due: clock.now() + life, early: Math.min(EARLY, life / 4) }
}

/** The same lender, whose failures count as an outage of the store: callers wait it out. `who` lends, for people. */
export function passing(lend: Lender['lend'], who: string): Lender['lend'] {
  return async () => {
    try {
      return await lend()
    } catch (error) {
      if (isStoreError(error)) throw error
      throw notLent('unavailable', who, error)
    }
  }
}

/** The error of a store whose credentials `who` does not lend. */
export function notLent(kind: 'denied' | 'unavailable', who: string, cause: unknown): StoreError {
  return new StoreError(kind, `storage: no credentials from ${who}: ${messageOf(cause)}`, { cause })
}
