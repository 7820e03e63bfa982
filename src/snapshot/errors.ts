/** What can be wrong with a snapshot or its disk; failures of the store itself stay `StoreError`. */
import { errorCode, hasCode, isFull } from '../lib/error-code.ts'
import { isStoreError, type StoreError } from '../wire/store.ts'

/**
 * `no-folder` the folder to save does not exist · `disk-full` no space (or quota) on this machine · `corrupt` an object is not what its hash
 * says · `lost` an object that a manifest names does not exist · `local` any other failure of this machine's file system · `too-large` more
 * than one manifest can name
 */
export type SnapshotFault = 'no-folder' | 'disk-full' | 'corrupt' | 'lost' | 'local' | 'too-large'

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  readonly kind: SnapshotFault
  constructor(kind: SnapshotFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

type Damage = (SnapshotError & { readonly kind: 'corrupt' | 'lost' }) | StoreError

/** A damaged generation: another one may be whole. Some stores notice it before the hashes do, of a file that was cut off for example. */
export function isDamage(error: unknown): error is Damage {
  return isStoreError(error, 'corrupt') || (error instanceof SnapshotError && (error.kind === 'corrupt' || error.kind === 'lost'))
}

/**
 * A file or folder that the system does not let us read: no right, a name that is too long, a damaged disk, a mounted file system whose server
 * is gone. All others can still be saved. Not what this process itself is short of.
 */
export function isUnreadable(error: unknown): boolean {
  return isSystemError(error) && !hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM')
}

function isSystemError(error: unknown): error is object {
  return errorCode(error) !== undefined && typeof error === 'object' && error !== null && 'syscall' in error
}

/** Describes a file system error in one line; returns other errors as they are. */
export function localError(what: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || !isSystemError(error)) return error
  if (isFull(error)) return new SnapshotError('disk-full', `could not ${what}: no space left on the disk`, { cause: error })
  const why = 'message' in error ? String(error.message) : code
  return new SnapshotError('local', `could not ${what}: ${why}`, { cause: error })
}
