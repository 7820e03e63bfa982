/** Things that take long to make, kept by the digest of what they are made from. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { labCache } from './go-tool.ts'

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** A folder made once. It is made beside its place and moved there whole, so that a killed or parallel maker leaves no half of it. */
export async function cached(name: string, digest: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(labCache(), `${name}-${digest}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part-${process.pid}`
  await mkdir(part, { recursive: true })
  try {
    await make(part)
    await rename(part, folder).catch((error: unknown) => {
      // Another process was first.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(part, { recursive: true, force: true })
  }
  return folder
}
