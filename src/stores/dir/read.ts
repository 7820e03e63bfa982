/** Reading an object of a folder store: one state, whole or in part, never a mixture. */
import type { FileHandle } from 'node:fs/promises'
import { MAX_OBJECT_BYTES, type OnBytes, type Range, type StoredObject, StoreError } from '../../wire/store.ts'
import type { ObjectPaths } from './names.ts'
import { HEADER_BYTES, openCurrent, versionOf } from './state.ts'

const STEP = 8 * 1024 * 1024

export async function readObject(
  paths: ObjectPaths,
  range: Range | undefined,
  signal?: AbortSignal,
  received?: OnBytes,
): Promise<StoredObject | undefined> {
  const current = await openCurrent(paths)
  if (!current) return undefined
  try {
    const size = (await current.handle.stat()).size - HEADER_BYTES
    const from = Math.min(range?.from ?? 0, size)
    const to = Math.max(from, Math.min(range?.to ?? size, size))
    if (to - from > MAX_OBJECT_BYTES)
      throw new StoreError(
        'corrupt',
        `storage: "${paths.path}" has more than ${MAX_OBJECT_BYTES} bytes: it was not written by this program`,
      )
    const bytes = await readAll(current.handle, { start: HEADER_BYTES + from, length: to - from }, signal, received)
    if (bytes.length !== to - from) throw new StoreError('unavailable', `storage: "${paths.path}" is shorter than it was`)
    return { bytes, version: versionOf(current) }
  } finally {
    await current.handle.close()
  }
}

async function readAll(
  handle: FileHandle,
  { start, length }: { readonly start: number; readonly length: number },
  signal?: AbortSignal,
  received?: OnBytes,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, done, Math.min(STEP, length - done), start + done)
    if (bytesRead === 0) break
    done += bytesRead
    received?.(done)
  }
  return bytes.subarray(0, done)
}
