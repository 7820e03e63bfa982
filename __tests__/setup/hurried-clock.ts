/** A command's clock that is faster than the real one. */
import type { Clock } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { World } from './world.ts'

/** `times` as fast; the date stays the real one. */
export function hurriedClock(times: number): Clock {
  const begun = systemClock.now()
  return {
    now: () => begun + (systemClock.now() - begun) * times,
    date: () => systemClock.date(),
    sleep: async (milliseconds, signal) => systemClock.sleep(milliseconds / times, signal),
  }
}

/** Gives the clock to a command. */
export const hurriedBy =
  (clock: Clock) =>
  (context: VerbContext): VerbContext => ({ ...context, engine: { ...context.engine, clock } })

/** For this command it is two months later, when results are no longer kept. */
export function monthsLater(context: VerbContext): VerbContext {
  const { clock } = context.engine
  const date = (): Date => new Date(Date.now() + 60 * 24 * 3600_000)
  return { ...context, engine: { ...context.engine, clock: { ...clock, date } } }
}

/**
 * Commands of this world, in an account whose vendor is `times` as fast as a real one: their waits are shortened in proportion. Heartbeats keep
 * their usual interval by the real clock.
 */
export function hurriedIn(w: World, times = 10): World['tpi'] {
  const hurried = hurriedBy(hurriedClock(times))
  const lease = { TPI_LEASE_BEAT: `${times * 500}ms`, TPI_LEASE_TTL: `${times * 2000}ms` }
  return async (words, how = {}) => {
    const given = (context: VerbContext): VerbContext => how.given?.(hurried(context)) ?? hurried(context)
    return w.tpi(words, { ...how, given, env: { ...lease, ...how.env } })
  }
}
