/**
 * Readers: controllers that read one deployment at the same time. Each registers, and gives signs of life, so that the first one to finish does not
 * remove what another one is about to deliver.
 */

import { newNonce } from '../../core/identity.ts'
import { orLate } from '../../lib/abort.ts'
import { Staleness } from '../../lib/staleness.ts'
import { VERSION } from '../../wire/parse.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { isRemoved, isSucceeded, tooLate } from '../destroy/removed.ts'
import { patiently } from '../outage.ts'
import { PARTING } from '../read-until.ts'

export interface Presence {
  /** Takes this reader off: it has delivered, or does not want to any more. May be called again. */
  leave(): Promise<void>
  /** Waits until there is no other reader, or each has been silent for one TTL. */
  alone(): Promise<void>
}

/** Milliseconds between two looks while others are still busy. */
const LOOK = 300
/** Signs of life in one TTL: if one does not arrive, that does no harm. */
const BEATS = 3
/** TTLs between two looks at other readers. This one looks all the time, so that in the end it knows already for how long each has been silent. */
export const LOOKS_AFTER = 2
/** The same in signs of life. */
const SELDOM = LOOKS_AFTER * BEATS

/**
 * Registers, and only then checks that the run still exists: a remover first marks the run and then counts readers, so at least one of the two
 * sees the other. Throws `TooLate` if the run is gone. `isNew`: this process has just made the run, so there are no other readers yet.
 */
export async function enter(
  engine: Engine,
  d: Deployment,
  lease: { readonly ttl: number },
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<Presence> {
  const own = `${d.keys.controllers}${newNonce()}`
  const done = new AbortController()
  const others = new Readers(engine, d, lease.ttl, own)
  const show = (): Promise<unknown> => d.store.write(own, Buffer.from(JSON.stringify({ v: VERSION, nonce: newNonce() })))
  const beat = async (): Promise<void> => {
    for (let round = 1; ; round += 1) {
      await engine.clock.sleep(lease.ttl / BEATS, done.signal)
      // If a sign of life does not arrive, others only wait less long for this reader.
      await Promise.all([show(), ...(round % SELDOM === 0 ? [others.living()] : [])]).catch(() => undefined)
    }
  }
  try {
    await patiently(engine, show)
  } catch (error) {
    if (isStoreError(error, 'gone') && (await isRemoved(d))) throw await tooLate(engine, d, { cause: error })
    throw error
  }
  if (!isNew) await patiently(engine, async () => others.living())
  let hasLeft = false
  let beating: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    done.abort()
    // First, because a sign of life that arrives after the removal would register this reader again.
    await beating
    if (!hasLeft) await d.store.remove([own])
    hasLeft = true
  }
  // A run that is being replaced stays complete as long as this reader is registered.
  if ((await isRemoved(d)) && !(await isSucceeded(d))) {
    await leave().catch(() => undefined)
    throw await tooLate(engine, d)
  }
  beating = beat().catch(() => undefined)
  return { leave, alone: async () => others.gone() }
}

/** The same for a command that its user may interrupt: then it does not stay registered, because others would wait for it. */
export async function enterUntil(engine: Engine, d: Deployment, lease: { readonly ttl: number }, signal: AbortSignal): Promise<Presence> {
  const entering = enter(engine, d, lease)
  try {
    return await orLate(entering, signal, PARTING)
  } catch (error) {
    entering.then(async (late) => late.leave()).catch(() => undefined)
    throw error
  }
}

/** Like `Presence.alone`, for a controller that is not a reader itself. */
export async function untilUnread(engine: Engine, d: Deployment, ttl: number): Promise<void> {
  await new Readers(engine, d, ttl).gone()
}

class Readers {
  readonly #engine: Engine
  readonly #d: Deployment
  readonly #ttl: number
  readonly #own: string | undefined
  readonly #unchanged = new Staleness()

  constructor(engine: Engine, d: Deployment, ttl: number, own?: string) {
    this.#engine = engine
    this.#d = d
    this.#ttl = ttl
    this.#own = own
  }

  /** Waits until none is left that gives signs of life. */
  async gone(): Promise<void> {
    while ((await patiently(this.#engine, async () => this.living())) > 0) await this.#engine.clock.sleep(LOOK)
  }

  /** How many others there are that were not silent for a TTL, as far as they were watched. */
  async living(): Promise<number> {
    let count = 0
    for await (const { key } of this.#d.store.list(this.#d.keys.controllers)) {
      const at = this.#engine.clock.now()
      const object = key === this.#own ? undefined : await this.#d.store.read(key)
      if (object && this.#unchanged.for(key, object.version, at) < this.#ttl) count += 1
    }
    return count
  }
}
