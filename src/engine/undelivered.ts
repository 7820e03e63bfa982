/** What a delivery that failed says. */
import { AuthError, RemoteError, TpiError, told } from '../core/errors.ts'
import { isStoreError } from '../wire/store.ts'
import type { Deployment } from './deployment.ts'

/** Whatever went wrong on the way home: the store still has everything, and this is how to come back for it. */
export function undelivered(error: unknown, d: Deployment, folder = 'the output folder'): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const hint = `nothing is lost: the store keeps it; run: tpi collect ${d.name}`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new RemoteError(`no space left in ${folder}`, { cause: error, hint: `${hint} --to DIR` })
  if (syscall !== undefined && code !== undefined)
    return new RemoteError(`cannot write to ${folder}: ${code}`, { cause: error, hint: `${hint} --to DIR` })
  if (isStoreError(error, 'gone') || error instanceof TpiError) return error
  const message = told(error)
  if (isStoreError(error, 'denied')) return new AuthError(message, { cause: error, hint })
  return new RemoteError(`the results did not arrive: ${message}`, { cause: error, hint })
}
