/** A command's clock that goes faster than that of everybody else. */
import type { Clock } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { World } from './world.ts'

/** `times` as fast. What day it is stays as it is. */
export function hurriedClock(times: number): Clock {
  const begun = systemClock.now()
  return {
    now: () => begun + (systemClock.now() - begun) * times,
    date: () => systemClock.date(),
    sleep: async (milliseconds, signal) => systemClock.sleep(milliseconds / times, signal),
  }
}

/** To be given to a command. */
export const hurriedBy =
  (clock: Clock) =>
  (context: VerbContext): VerbContext => ({ ...context, engine: { ...context.engine, clock } })

/** To a command it is two months later, when nobody wants the results of anything any more. */
export function monthsLater(context: VerbContext): VerbContext {
  const { clock } = context.engine
  const date = (): Date => new Date(Date.now() + 60 * 24 * 3600_000)
  return { ...context, engine: { ...context.engine, clock: { ...clock, date } } }
}

/**
 * Commands of this world in an account whose vendor is `times` as fast as a real one: they wait as long as they do beside that. Signs of life are as
 * far apart as they are elsewhere, by the clock of everybody else.
 */
export function hurriedIn(w: World, times = 10): World['tpi'] {
  const hurried = hurriedBy(hurriedClock(times))
  const lease = { TPI_LEASE_BEAT: `${times * 500}ms`, TPI_LEASE_TTL: `${times * 2000}ms` }
  return async (words, how = {}) => {
    const given = (context: VerbContext): VerbContext => how.given?.(hurried(context)) ?? hurried(context)
    return w.tpi(words, { ...how, given, env: { ...lease, ...how.env } })
  }
}
