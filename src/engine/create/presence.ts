/**
 * Controllers that follow one deployment at the same time. Each shows itself, so that the first to finish does not clear away what
 * another one is about to bring home.
 */

import { newNonce } from '../../core/identity.ts'
import { VERSION } from '../../wire/parse.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { patiently } from '../patience.ts'

export interface Presence {
  /** Delivered, or gone on purpose. */
  leave(): Promise<void>
  /** Waits until no other controller is there, or each has been silent for one TTL. */
  alone(): Promise<void>
}

/** Milliseconds between two looks while others are still busy. */
const LOOK = 300
/** Beats in one TTL, so that a lost one costs nothing; and beats between two looks at others, whose silence is then known at the end. */
const BEATS = 3
const SELDOM = 6
/** TTLs between two looks at others. */
export const LOOKS_AFTER = SELDOM / BEATS

export async function enter(engine: Engine, d: Deployment, lease: { readonly ttl: number }): Promise<Presence> {
  const folder = d.keys.controllers
  const own = `${folder}${newNonce()}`
  const done = new AbortController()
  const seen = new Map<string, { version: string; since: number }>()

  const show = (): Promise<unknown> => d.store.write(own, Buffer.from(JSON.stringify({ v: VERSION, nonce: newNonce() })))
  const lively = async (): Promise<number> => {
    let count = 0
    for await (const { key } of d.store.list(folder)) {
      const object = key === own ? undefined : await d.store.read(key)
      if (!object) continue
      const before = seen.get(key)
      const since = before?.version === object.version ? before.since : engine.clock.now()
      seen.set(key, { version: object.version, since })
      if (engine.clock.now() - since < lease.ttl) count += 1
    }
    return count
  }
  const beat = async (): Promise<void> => {
    for (let round = 1; ; round += 1) {
      await engine.clock.sleep(lease.ttl / BEATS, done.signal)
      // A beat that fails costs nothing but a shorter wait of others.
      await Promise.all([show(), ...(round % SELDOM === 0 ? [lively()] : [])]).catch(() => undefined)
    }
  }
  // Who comes just as the store is away for a moment waits as it would a moment later.
  await patiently(engine, show)
  await patiently(engine, lively)
  beat().catch(() => undefined)
  return {
    async leave() {
      done.abort()
      await d.store.remove([own])
    },
    async alone() {
      while ((await lively()) > 0) await engine.clock.sleep(LOOK)
    },
  }
}
