/** How far a transfer has come, in words: "270 MB of 600 MB (45 %), 12 MB/s, 27s left". */
import { formatBytes } from './bytes.ts'
import { formatDuration } from './duration.ts'

/** Seconds before which a rate would be a guess. */
const EARLY = 2

export interface Transfer {
  /** Bytes. */
  readonly done: number
  readonly total: number
  /** Since it began. */
  readonly seconds: number
}

export function transferWords({ done, total, seconds }: Transfer): string {
  const most = Math.max(done, total)
  const share = most === 0 ? 100 : Math.floor((100 * done) / most)
  const rate = seconds > 0 ? done / seconds : 0
  return [
    `${formatBytes(done)} of ${formatBytes(most)} (${share} %)`,
    ...(seconds < EARLY || rate === 0
      ? []
      : [`${formatBytes(Math.round(rate))}/s`, `${formatDuration(Math.ceil((most - done) / rate))} left`]),
  ].join(', ')
}
