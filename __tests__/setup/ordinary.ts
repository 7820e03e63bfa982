/** What anybody but root meets: modes that forbid. */
import { chownSync } from 'node:fs'

const NOBODY = 65_534

/** Runs as `nobody`, to whom the folders are given, where the test itself is root. */
export async function asOrdinaryUser<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  for (const folder of folders) chownSync(folder, NOBODY, NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
