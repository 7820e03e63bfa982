/** Logins of vendors as stores know them: why there is no token is an error of the store. */
import { systemClock } from '../lib/clock.ts'
import { LoginFault } from '../vendors/login-fault.ts'
import { type Lender, renewing } from '../wire/credentials.ts'
import { type Credentials, type StoreAccess, StoreError, type StorePlace } from '../wire/store.ts'

/** What options said of a store; each wins over variables and files. */
export interface AccessOptions {
  readonly endpoint?: string | undefined
  /** By which credentials are renewed in time. */
  readonly clock?: Lender['clock'] | undefined
}

/** Throws StoreError `denied` or `unavailable`. */
export async function lentBy<T>(vendor: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (!(error instanceof LoginFault)) throw error
    throw new StoreError(error.final ? 'denied' : 'unavailable', `storage: no credentials from ${vendor}: ${error.message}`, {
      cause: error,
    })
  }
}

/**
 * `own`: the credential itself, which travels where nothing else is needed for it, so that it goes on working there; else a token of an
 * hour does.
 */
export async function lentAccess(
  place: StorePlace,
  lend: Lender['lend'],
  { own, clock = systemClock }: { readonly own: Credentials | undefined; readonly clock: Lender['clock'] | undefined },
): Promise<StoreAccess> {
  const first = await lend()
  const travels = own ? { credentials: own } : { ...first, ...(first.until === undefined && { temporary: true }) }
  return { ...place, ...travels, source: renewing({ lend, clock, first }) }
}
