/** Uses a vendor's login for a store: if there is no token, that is an error of the store. */
import { systemClock } from '../lib/clock.ts'
import { LoginFault } from '../vendors/login-fault.ts'
import { type Lender, notLent, renewing } from '../wire/credentials.ts'
import type { Credentials, StoreAccess, StorePlace } from '../wire/store.ts'

/** Options about a store; each wins over variables and files. */
export interface AccessOptions {
  readonly endpoint?: string | undefined
  /** The clock by which credentials are renewed in time. */
  readonly clock?: Lender['clock'] | undefined
}

/** Runs `body`, which uses the vendor's login. Throws StoreError `denied` or `unavailable` instead of LoginFault. */
export async function lentBy<T>(vendor: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (!(error instanceof LoginFault)) throw error
    throw notLent(error.final ? 'denied' : 'unavailable', vendor, error)
  }
}

/**
 * The place with its credentials. Machines get `own`, the credential itself, if it works anywhere, so that it can be renewed there. Without
 * it, they get a token, which is valid for an hour.
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
