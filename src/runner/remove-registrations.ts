/** Removes registrations at the forge, including those that it does not list yet. */
import type { Clock } from '../core/cloud.ts'
import type { Forge, RunnerInfo } from '../core/forge.ts'
import { backoff } from '../lib/backoff.ts'
import type { EnrolledRunner } from '../wire/runner.ts'

/** Milliseconds after which every registration should be in the forge's list; if it is not, it is gone. */
export const LISTED = 2 * 60_000

/**
 * Milliseconds for which a forge is asked again about jobs whose machines are gone: jobs that were told to end do so in seconds, others
 * take minutes.
 */
const JOBS_END = 10_000

export type Registered = Pick<RunnerInfo, 'id' | 'name'>

export interface Unregistered {
  readonly removed: number
  /** Those that have a job, as far as the forge knows. */
  readonly busy: readonly Registered[]
}

/** All whose names start with the prefix, and those that were just made. */
export async function removeRegistrations(
  forge: Pick<Forge, 'runners' | 'one' | 'evict'>,
  prefix: string,
  recent: readonly Pick<EnrolledRunner, 'id' | 'name'>[],
): Promise<Unregistered> {
  const listed: readonly Registered[] = await forge.runners(prefix)
  const all = new Map(listed.map(({ id, name }) => [id, { id, name }] as const))
  for (const { id } of recent) {
    if (id === undefined || all.has(id)) continue
    // A record may name a registration of somebody else.
    const there = await forge.one(id)
    if (there?.name.startsWith(prefix)) all.set(id, { id, name: there.name })
  }
  return evictAll(forge, [...all.values()])
}

/** Those that had a job, now that their machines are gone: a forge keeps runners that it considers busy, and notices the end of a job late. */
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
