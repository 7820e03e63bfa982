/** The system's names of what went wrong (`ENOENT`, …). */

/** By shape: an error from another realm is not an instance of this realm's Error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error) ?? '')
}

/** The error says that the file, or a folder above it, does not exist. */
export function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

/** For `catch`: what to take instead if it does not exist. */
export function ifGone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isGone(error)) return instead
    throw error
  }
}

/** The error says that the file, or a folder above it, is not for this user: often, another user (root, with sudo) has made it. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, 'EACCES', 'EPERM')
}

/** For `catch`: what is not for this user counts as not there. */
export function ifForbidden(error: unknown): undefined {
  if (!isForbidden(error)) throw error
}

/** The error says that there is no room: on the disk, in the user's quota, or in one file. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')
}
