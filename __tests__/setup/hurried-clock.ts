/** A command's clock that goes faster than that of everybody else. */
import type { Clock } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'

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
