/** The message of a failed delivery. */
import { AuthError, describeError, RemoteError, TpiError } from '../../core/errors.ts'
import { isFull } from '../../lib/error-code.ts'
import { isDamage, SnapshotError } from '../../snapshot/errors.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Deployment } from '../deployment.ts'
import { isRemoved } from '../destroy/removed.ts'

/** The folder here cannot take the results. No other command has put them there instead, whatever has become of the run. */
export class FolderError extends RemoteError {}

/** What to throw after a failure of a delivery: as long as the store has everything, its hint says how to fetch it. */
export async function undelivered(error: unknown, d: Deployment, folder = 'the output folder'): Promise<unknown> {
  const { code, syscall } = error as NodeJS.ErrnoException
  const kept = !(await isRemoved(d))
  if (kept && isDamage(error)) return damaged(error, d)
  const remedy = (options: string): string =>
    kept
      ? `nothing is lost: the store keeps the results; run: \`tpi collect ${d.name}${options}\``
      : `another command has given ${d.name} back in the meantime, so there is nothing left to collect: its results are where that command put them`
  const elsewhere = remedy(' --to DIR')
  if (isFull(error)) return new FolderError(`no space left in ${folder}`, { cause: error, hint: elsewhere })
  if (syscall !== undefined && code !== undefined)
    return new FolderError(`cannot write to ${folder}: ${code}`, { cause: error, hint: elsewhere })
  if (error instanceof SnapshotError && !isDamage(error))
    return new FolderError(`the results did not arrive: ${error.message}`, { cause: error, hint: elsewhere })
  if (isStoreError(error, 'gone') || error instanceof TpiError) return error
  const message = describeError(error)
  const hint = remedy('')
  if (isStoreError(error, 'denied')) return new AuthError(message, { cause: error, hint })
  return new RemoteError(`the results did not arrive: ${message}`, { cause: error, hint })
}

/** Trying again does not help, and nobody knows how much is lost. */
function damaged(error: unknown, { name }: Deployment): RemoteError {
  return new RemoteError(`the results did not arrive: ${describeError(error)}`, {
    cause: error,
    hint: `the data of ${name} in the store is damaged; intact files can still be fetched one by one: \`tpi pull ${name} GLOB --to DIR\`; give up the rest with: \`tpi destroy ${name} --discard\``,
  })
}
