/** Runs as a user other than root, for whom file modes count. */
import { chownSync } from 'node:fs'

const NOBODY = 65_534

/** Runs `work` as `nobody`, who gets the folders, if the test itself runs as root. */
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
