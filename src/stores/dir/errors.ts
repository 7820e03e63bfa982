/** Error codes of the operating system → kinds of the store contract. */
import { errorCode } from '../../lib/error-code.ts'
import { isStoreError, StoreError, type StoreFault } from '../../wire/store.ts'

const KINDS: Readonly<Record<string, StoreFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENAMETOOLONG: 'invalid',
  ENOTDIR: 'invalid',
  EISDIR: 'invalid',
  ELOOP: 'corrupt',
  ESPIPE: 'corrupt',
  ENXIO: 'corrupt',
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left',
  EDQUOT: 'disk quota reached',
  EFBIG: 'file size limit reached',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the key is an object, not a folder',
  EISDIR: 'it is a folder, not an object',
  ELOOP: 'it is a link, which this program does not make: the storage folder must hold nothing else',
  ESPIPE: 'it is a pipe, which this program does not make: the storage folder must hold nothing else',
  ENXIO: 'it is a socket, which this program does not make: the storage folder must hold nothing else',
}

/** What is in the place of an object was not made by this program. */
export function isForeign(error: unknown): boolean {
  return isStoreError(error, 'corrupt') || KINDS[errorCode(error) ?? ''] === 'corrupt'
}

/** Any error → StoreError; an abort passes through as it is. */
export function translate(error: unknown, action: string, path: string): unknown {
  if (isStoreError(error)) return error
  const code = errorCode(error)
  if (code === undefined || code === 'ABORT_ERR') return error
  const reason = REASONS[code] ?? code
  return new StoreError(KINDS[code] ?? 'unavailable', `storage: could not ${action} "${path}": ${reason}`, { cause: error })
}

/** Runs `body`; what it throws is translated. */
export async function guarded<T>(action: string, path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw translate(error, action, path)
  }
}
