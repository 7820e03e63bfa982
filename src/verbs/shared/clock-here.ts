/** What a command says or refuses if the clock of this computer is wrong: deadlines, and what a sweep removes, are reckoned by it. */
import { RemoteError } from '../../core/errors.ts'
import type { ClockFault } from '../../lib/clock-check.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { VerbContext } from './context.ts'

const HINT = 'set the clock, in WSL by `sudo hwclock -s`'

/** For a command that makes something, or only looks. */
export function warnOfClock({ clockFault, host }: Pick<VerbContext, 'clockFault' | 'host'>): void {
  const fault = clockFault?.()
  if (fault) host.warn(`${said(fault)}: deadlines are wrong by that much (${HINT})`)
}

/** For a command that removes what is past its time: by a clock that is ahead, that would be runs that are still going on. */
export function refuseClockAhead({ clockFault }: Pick<VerbContext, 'clockFault'>): void {
  const fault = clockFault?.()
  if (fault && fault.ahead > 0)
    throw new RemoteError(`${said(fault)}: nothing is removed, because it may only seem to be past its time`, { hint: HINT })
}

function said({ ahead, server }: ClockFault): string {
  return `the clock of this computer is ${formatDuration(Math.round(Math.abs(ahead) / 1000))} ${ahead > 0 ? 'ahead of' : 'behind'} that of ${server}`
}
