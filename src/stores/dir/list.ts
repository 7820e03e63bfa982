/** Listing a folder store in the byte order of keys, however large its folders are. */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ifGone } from '../../lib/error-code.ts'
import type { StoreEntry } from '../../wire/store.ts'
import { byteOrder } from '../keys.ts'
import { decodeName, folderOf, pathsOf, VERSIONS_SUFFIX } from './names.ts'
import { HEADER_BYTES, openCurrent } from './state.ts'

interface Scope {
  readonly root: string
  readonly prefix: string
  /** In the form of `byteOrder`; every string is greater than the empty one. */
  readonly after: string
  readonly signal: AbortSignal | undefined
}

interface Item {
  /** A folder's ends in `/`. */
  readonly key: string
  readonly order: string
  readonly path: string
  readonly folder: boolean
  /** It has later states, so its size is not that of its first file. */
  readonly record: boolean
}

/** Sizes looked up in parallel. */
const BATCH = 64

export async function* listObjects(
  root: string,
  prefix: string,
  after: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<StoreEntry> {
  const scope = { root, prefix, after: byteOrder(after ?? ''), signal }
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  yield* walk(scope, folderOf(root, base), base)
}

async function* walk(scope: Scope, folder: string, base: string): AsyncGenerator<StoreEntry> {
  let batch: Item[] = []
  for (const item of await itemsOf(scope, folder, base)) {
    if (!item.folder) batch.push(item)
    if (batch.length >= BATCH || item.folder) {
      yield* entriesOf(scope, batch)
      batch = []
    }
    if (item.folder) yield* walk(scope, item.path, item.key)
  }
  yield* entriesOf(scope, batch)
}

async function itemsOf(scope: Scope, folder: string, base: string): Promise<readonly Item[]> {
  scope.signal?.throwIfAborted()
  const found = await readdir(folder, { withFileTypes: true }).catch(ifGone<Dirent[]>([]))
  const records = new Set(found.filter((one) => one.name.endsWith(VERSIONS_SUFFIX)).map((one) => one.name))
  const items: Item[] = []
  // Each page of a list begins anew, so names that are not wanted must cost hardly anything.
  for (const one of found) {
    const segment = decodeName(one.name)
    if (segment === undefined) continue
    const isFolder = one.isDirectory()
    if (!isFolder && !one.isFile()) continue
    const key = base + segment + (isFolder ? '/' : '')
    const order = byteOrder(key)
    if (!wanted({ key, order, folder: isFolder }, scope)) continue
    items.push({ key, order, path: join(folder, one.name), folder: isFolder, record: records.has(one.name + VERSIONS_SUFFIX) })
  }
  return items.sort((a, b) => (a.order < b.order ? -1 : 1))
}

function wanted({ key, order, folder }: Pick<Item, 'key' | 'order' | 'folder'>, { prefix, after }: Scope): boolean {
  if (!key.startsWith(prefix) && !(folder && prefix.startsWith(key))) return false
  return order > after || (folder && after.startsWith(order))
}

async function* entriesOf(scope: Scope, items: readonly Item[]): AsyncGenerator<StoreEntry> {
  if (items.length === 0) return
  scope.signal?.throwIfAborted()
  const sizes = await Promise.all(items.map((item) => sizeOf(scope, item)))
  for (const [index, item] of items.entries()) {
    const size = sizes[index]
    if (size !== undefined) yield { key: item.key, size }
  }
}

/** Bytes of the body; `undefined` if it was removed meanwhile, or is not an object that tpi wrote. */
async function sizeOf(scope: Scope, item: Item): Promise<number | undefined> {
  if (!item.record) {
    const file = await lstat(item.path).catch(ifGone(undefined))
    return file && file.size >= HEADER_BYTES ? file.size - HEADER_BYTES : undefined
  }
  const current = await openCurrent(pathsOf(scope.root, item.key))
  try {
    return current && (await current.handle.stat()).size - HEADER_BYTES
  } finally {
    await current?.handle.close()
  }
}
