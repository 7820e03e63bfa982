/**
 * Controllers that read one deployment at the same time. Each registers, with a heartbeat, so that the first to finish does not remove what
 * another one is about to deliver.
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
  /** This controller has delivered, or leaves on purpose. */
  leave(): Promise<void>
  /** Waits until there is no other controller, or each has been silent for one TTL. */
  alone(): Promise<void>
}

/** Milliseconds between two looks while others are still busy. */
const LOOK = 300
/** Beats in one TTL, so that a lost one costs nothing; and beats between two looks at others, whose silence is then known at the end. */
const BEATS = 3
/** TTLs between two looks at others. */
export const LOOKS_AFTER = 2
const SELDOM = LOOKS_AFTER * BEATS

/**
 * Registers, and only then checks that the run still exists: a remover marks the run first and then counts readers, so that one of the two
 * sees the other. `first`: it was made here a moment ago.
 */
export async function enter(engine: Engine, d: Deployment, lease: { readonly ttl: number }, first = false): Promise<Presence> {
  const own = `${d.keys.controllers}${newNonce()}`
  const done = new AbortController()
  const others = new Readers(engine, d, lease.ttl, own)
  const show = (): Promise<unknown> => d.store.write(own, Buffer.from(JSON.stringify({ v: VERSION, nonce: newNonce() })))
  const beat = async (): Promise<void> => {
    for (let round = 1; ; round += 1) {
      await engine.clock.sleep(lease.ttl / BEATS, done.signal)
      // If a beat fails, the only harm is that others wait less long.
      await Promise.all([show(), ...(round % SELDOM === 0 ? [others.living()] : [])]).catch(() => undefined)
    }
  }
  // If the store is out of reach for a moment just now, this waits as it would a moment later.
  await patiently(engine, show).catch(async (error: unknown) => {
    throw isStoreError(error, 'gone') && (await isRemoved(d)) ? await tooLate(engine, d, error) : error
  })
  if (!first) await patiently(engine, async () => others.living())
  let hasLeft = false
  let beating: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    done.abort()
    // A beat that arrives later would be a reader that never leaves.
    await beating
    if (!hasLeft) await d.store.remove([own])
    hasLeft = true
  }
  // A run that has ended and is being replaced can be read completely as long as this reader is registered.
  if ((await isRemoved(d)) && !(await isSucceeded(d))) {
    await leave().catch(() => undefined)
    throw await tooLate(engine, d)
  }
  beating = beat().catch(() => undefined)
  return { leave, alone: async () => others.gone() }
}

/** The same for a command that its user may interrupt, which must not stay registered: others would wait for it. */
export async function enterUntil(engine: Engine, d: Deployment, lease: { readonly ttl: number }, signal: AbortSignal): Promise<Presence> {
  const entering = enter(engine, d, lease)
  try {
    return await orLate(entering, signal, PARTING)
  } catch (error) {
    entering.then(async (late) => late.leave()).catch(() => undefined)
    throw error
  }
}

/** Like `alone`, for a controller that is not a reader itself. */
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

  async gone(): Promise<void> {
    while ((await patiently(this.#engine, async () => this.living())) > 0) await this.#engine.clock.sleep(LOOK)
  }

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
