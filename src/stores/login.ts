/** Logins of vendors as stores know them: why there is no token is an error of the store. */
import { LoginFault } from '../lib/login-fault.ts'
import { StoreError } from '../wire/store.ts'

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
