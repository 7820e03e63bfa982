/** Removes registrations at the forge, also those that it does not list yet. */
import type { Clock } from '../core/cloud.ts'
import type { Forge, RunnerInfo } from '../core/forge.ts'
import { backoff } from '../lib/backoff.ts'
import type { EnrolledRunner } from '../wire/runner.ts'

/** Milliseconds after which a registration that the forge does not list is gone. */
export const LISTED = 2 * 60_000

/**
 * Milliseconds for which removing runners that the forge takes for busy is tried again, once their machines are gone. If a job was told to
 * end, the forge knows that in seconds; otherwise it takes minutes, which is not waited for.
 */
const JOBS_END = 10_000

export type Registered = Pick<RunnerInfo, 'id' | 'name'>

export interface Unregistered {
  readonly removed: number
  /** Those that the forge has kept, because they have a job as far as it knows. */
  readonly busy: readonly Registered[]
}

/** Removes all registrations whose names start with the prefix; also those in `recent`, which the forge may not list yet. */
export async function removeRegistrations(
  forge: Pick<Forge, 'runners' | 'one' | 'evict'>,
  prefix: string,
  recent: readonly Pick<EnrolledRunner, 'id' | 'name'>[],
): Promise<Unregistered> {
  const listed: readonly Registered[] = await forge.runners(prefix)
  const all = new Map(listed.map(({ id, name }) => [id, { id, name }] as const))
  for (const { id } of recent) {
    if (id === undefined || all.has(id)) continue
    // The name is checked as well: a forged record could name a registration of somebody else.
    const there = await forge.one(id)
    if (there?.name.startsWith(prefix)) all.set(id, { id, name: there.name })
  }
  return evictAll(forge, [...all.values()])
}

/** Tries again to remove runners that had a job, now that their machines are gone: the forge notices the end of a job late. */
export async function removeIdleRegistrations(
  clock: Clock,
  forge: Pick<Forge, 'evict'>,
  had: readonly Registered[],
  signal: AbortSignal,
): Promise<Unregistered> {
  const until = clock.now() + JOBS_END
  let removed = 0
  let busy = had
  for (let tries = 1; ; tries++) {
    const now = await evictAll(forge, busy)
    removed += now.removed
    busy = now.busy
    const remaining = until - clock.now()
    if (busy.length === 0 || remaining <= 0) return { removed, busy }
    await clock.sleep(Math.min(remaining, backoff(tries, { first: 500, longest: 3000 })), signal)
  }
}

async function evictAll(forge: Pick<Forge, 'evict'>, all: readonly Registered[]): Promise<Unregistered> {
  const busy: Registered[] = []
  let removed = 0
  for (const one of all) {
    const outcome = await forge.evict(one.id)
    if (outcome === 'busy') busy.push(one)
    if (outcome === 'removed') removed++
  }
  return { removed, busy }
}
