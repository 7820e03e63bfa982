/**
 * Readers that need a snapshot to stay: `slots/<n>/pins/<reader>` names the manifests. A pin that has not changed for ten minutes of the
 * holder's own clock is ignored, so a reader that was killed costs space for ten minutes only.
 */
import { hash, randomUUID } from 'node:crypto'
import { list, object, oneOf } from '../lib/shape.ts'
import { Staleness } from '../lib/staleness.ts'
import { pinsAt, snapAt } from '../wire/layout.ts'
import { digest, nonce, parseRecord, type RecordKind, VERSION } from '../wire/parse.ts'
import { type SnapshotRef, snapshotsAt } from '../wire/slot.ts'
import { isStoreError, type Store } from '../wire/store.ts'
import { patiently } from './outage.ts'
import type { NamedRef, SnapshotPlace } from './types.ts'

/** Milliseconds between two renewals, and without a change until a pin no longer counts. */
const RENEWED = 60_000
const STALE = 600_000
const TRIES = 20

interface PinRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  readonly refs: readonly NamedRef[]
}

const PIN: RecordKind<PinRecord> = {
  what: 'a pin of snapshots',
  most: 65_536,
  shape: object<PinRecord>({ v: oneOf(VERSION), nonce, refs: list(object<NamedRef>({ at: snapshotsAt, digest }), 100) }),
}

export interface PinOptions {
  readonly store: Store
  readonly root: string
  readonly slot: number
  /** Name of the reader, unique among readers; one path segment. */
  readonly reader: string
  /** Reads from slot.json which snapshots have to stay (head, and those to fall back to). */
  readonly head: () => Promise<readonly SnapshotRef[]>
  readonly signal?: AbortSignal
}

export interface Pin {
  /** The snapshots that stay whole until `release`. */
  readonly refs: readonly SnapshotRef[]
  release(): Promise<void>
}

/**
 * Pins what `head` names, and asks `head` again: if it names others now, the holder may have removed the first ones before it saw the pin.
 * Throws StoreError.
 */
export async function pin(options: PinOptions): Promise<Pin> {
  const { store, root, slot, reader, head, signal } = options
  const key = root + pinsAt(snapAt(slot)) + reader
  let refs = await head()
  for (let tries = 0; ; tries++) {
    await writePin(store, key, refs, signal)
    const now = await head()
    if (sameRefs(refs, now)) break
    if (tries === TRIES) throw new Error(`could not read the checkpoints of slot ${slot}: new ones replace them too fast; try again`)
    refs = now
  }
  const stop = new AbortController()
  const timer = setInterval(() => {
    // If it fails, the next one follows: a pin survives nine failures in a row.
    writePin(store, key, refs, AbortSignal.any([stop.signal, AbortSignal.timeout(RENEWED)])).catch(() => undefined)
  }, RENEWED)
  timer.unref()
  return {
    refs,
    release: async () => {
      clearInterval(timer)
      stop.abort()
      await patiently(() => store.remove([key]), signal)
    },
  }
}

async function writePin(store: Store, key: string, refs: readonly NamedRef[], signal: AbortSignal | undefined): Promise<void> {
  const record: PinRecord = { v: VERSION, nonce: randomUUID(), refs: refs.map(({ at, digest: sum }) => ({ at, digest: sum })) }
  await patiently(() => store.write(key, Buffer.from(JSON.stringify(record)), undefined, signal), signal)
}

function sameRefs(a: readonly NamedRef[], b: readonly NamedRef[]): boolean {
  return a.length === b.length && a.every((ref, number) => ref.digest === b[number]?.digest && ref.at === b[number]?.at)
}

/** The holder's view of the pins of its slot. */
export class PinWatch {
  readonly #place: SnapshotPlace
  readonly #now: () => number
  readonly #unchanged = new Staleness()

  /** `now`: milliseconds on a clock that never jumps. */
  constructor(place: SnapshotPlace, now: () => number = () => performance.now()) {
    this.#place = place
    this.#now = now
  }

  /** Snapshots that are being read. */
  async valid(signal?: AbortSignal): Promise<readonly NamedRef[]> {
    const { store, root, at } = this.#place
    const refs: NamedRef[] = []
    const keys = await patiently(() => keysBelow(store, root + pinsAt(at), signal), signal)
    for (const key of keys) {
      const looked = this.#now()
      const object = await patiently(() => store.read(key, undefined, signal), signal)
      const sum = object && hash('sha256', object.bytes)
      if (object && this.#unchanged.for(key, sum, looked) < STALE) refs.push(...readPin(object.bytes, key))
    }
    return refs
  }
}

async function keysBelow(store: Store, prefix: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix, undefined, signal)) keys.push(key)
  return keys
}

/** A record that cannot be understood pins nothing. */
function readPin(bytes: Uint8Array, key: string): readonly NamedRef[] {
  try {
    return parseRecord(PIN, bytes, key).refs
  } catch (error) {
    if (isStoreError(error, 'corrupt')) return []
    throw error
  }
}
