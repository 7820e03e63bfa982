/**
 * Manifests as objects of the store: `<at>m-<digest>`, zstd over lines of JSON; the digest is SHA-256 of the stored (compressed) bytes, so
 * only verified bytes are unpacked. The first line is the header, then one line per entry in order:
 *
 *     {"v":2,"quiet":true,"unquiet":[],"keys":["slots/0/snap/p-…"],"entries":2}
 *     ["d","src",493,"1700000000000000000"]
 *     ["f","src/a.py",420,"1700000000000000000",12,"<hash>",[0,"<sha256>",0,12,0,12,0]]
 *     ["l","latest",511,"1700000000000000000","src/a.py"]
 *
 * A piece is `[key number, sha256, from, length, offset, size, zstd]`. Key number -1 is a run of zeros. An empty sha256 is that of the
 * file's hash.
 */

import { hash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { free, freeLast } from '../../lib/heap.ts'
import { VERSION } from '../../wire/parse.ts'
import { MAX_OBJECT_BYTES, type Store } from '../../wire/store.ts'
import { SnapshotError } from '../errors.ts'
import { patiently } from '../outage.ts'
import { showPath } from '../path.ts'
import { nextTurn } from '../turns.ts'
import type { Entry, Manifest, NamedRef } from '../types.ts'
import { Gatherer } from './entries.ts'
import { LONGEST_LINE, MOST_ENTRIES, mostEntries, mostManifestBytes } from './limits.ts'
import { corrupt, readLines } from './manifest-reader.ts'
import { Pieces } from './pieces.ts'
import { LEVEL } from './zstd.ts'

const LINES_AT_ONCE = 500

export const manifestKey = (ref: NamedRef): string => `${ref.at}m-${ref.digest}`

/** Keys (relative to the root) of every object with pieces of the manifest. */
export function objectKeys(manifest: Manifest): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const entry of manifest.entries) {
    if (entry.type === 'file') for (const piece of entry.pieces) if (piece.key !== '') keys.add(piece.key)
  }
  return keys
}

export async function encodeManifest(manifest: Manifest): Promise<{ bytes: Uint8Array; digest: string }> {
  if (manifest.entries.length > MOST_ENTRIES) throw tooLarge(manifest, `a snapshot has at most ${MOST_ENTRIES}`)
  let plain = 0
  const chunks: Uint8Array[] = []
  const zstd = createZstdCompress({ params: LEVEL, chunkSize: 1 << 18 })
  zstd.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = finished(zstd)
  for await (const lines of manifestLines(manifest)) {
    plain += lines.length
    await Promise.race([ended, new Promise<void>((resolve) => zstd.write(lines, () => resolve()))])
    free(lines)
  }
  zstd.end()
  await ended
  const bytes = Buffer.concat(chunks)
  for (const chunk of chunks) freeLast(chunk)
  if (bytes.length > MAX_OBJECT_BYTES || plain > mostManifestBytes(bytes.length) || manifest.entries.length > mostEntries(bytes.length))
    throw tooLarge(manifest, 'more than one manifest can name')
  return { bytes, digest: hash('sha256', bytes) }
}

async function* manifestLines(manifest: Manifest): AsyncGenerator<Buffer> {
  const { entries, quiet, unquiet } = manifest
  const keys = new Map([...objectKeys(manifest)].map((key, number) => [key, number]))
  const header = Buffer.from(`${JSON.stringify({ v: VERSION, quiet, unquiet, keys: [...keys.keys()], entries: entries.length })}\n`)
  if (header.length > LONGEST_LINE) throw tooLarge(manifest, `they lie in ${keys.size} objects, more than one manifest can name`)
  yield header
  for (let from = 0; from < entries.length; from += LINES_AT_ONCE) {
    let text = ''
    for (let number = from; number < Math.min(from + LINES_AT_ONCE, entries.length); number++) {
      const entry = entries.at(number)
      if (entry !== undefined) text += checkedLine(entry, keys)
    }
    yield Buffer.from(text)
    await nextTurn()
  }
}

function tooLarge({ entries }: Manifest, why: string): SnapshotError {
  return new SnapshotError('too-large', `could not save ${entries.length} files: ${why}`)
}

function checkedLine(entry: Entry, keys: ReadonlyMap<string, number>): string {
  const line = JSON.stringify(entryLine(entry, keys))
  if (line.length > LONGEST_LINE) throw new SnapshotError('too-large', `could not save ${showPath(entry.path)}: it has too many pieces`)
  return `${line}\n`
}

function entryLine(entry: Entry, keys: ReadonlyMap<string, number>): unknown[] {
  const { path, mode, mtime } = entry
  if (entry.type === 'folder') return ['d', path, mode, mtime]
  if (entry.type === 'link') return ['l', path, mode, mtime, entry.target]
  const line: unknown[] = ['f', path, mode, mtime, entry.size, entry.hash]
  for (const { key, sha256, from, length, offset, size, zstd } of entry.pieces) {
    line.push([keys.get(key) ?? -1, sha256 === entry.hash ? '' : sha256, from, length, offset, size, zstd ? 1 : 0])
  }
  return line
}

/** Reads and checks a manifest. Throws `lost` or `corrupt`, and StoreError; `unavailable` is retried until the signal. */
export async function readManifest(store: Store, root: string, ref: NamedRef, signal?: AbortSignal): Promise<Manifest> {
  const bytes = await manifestBytes(store, root, ref, signal)
  const manifest = await decodeManifest(bytes, ref.at)
  free(bytes) // nobody else holds them: a store makes new ones for each reader
  return manifest
}

/** The same entry by entry, in order, for callers that do not want to hold all of them. */
export async function eachEntry(
  store: Store,
  root: string,
  ref: NamedRef,
  take: (entry: Entry) => void,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = await manifestBytes(store, root, ref, signal)
  await readLines(bytes, take, ref.at)
  free(bytes)
}

async function manifestBytes(store: Store, root: string, ref: NamedRef, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const key = manifestKey(ref)
  const object = await patiently(() => store.read(root + key, undefined, signal), signal)
  if (object === undefined) throw new SnapshotError('lost', `snapshot ${ref.digest.slice(0, 12)} is not in the store`)
  if (hash('sha256', object.bytes) !== ref.digest) throw corrupt(`snapshot ${ref.digest.slice(0, 12)} does not match its digest`)
  return object.bytes
}

export async function decodeManifest(bytes: Uint8Array, at?: string): Promise<Manifest> {
  const gatherer = new Gatherer(new Pieces())
  const { quiet, unquiet } = await readLines(bytes, (entry) => gatherer.add(entry), at)
  return { v: VERSION, entries: gatherer.end(), quiet, unquiet }
}
