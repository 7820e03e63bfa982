/** Numbers of one bench run: medians, percentiles, and the rows that show them. */

/** One row of the table. */
export interface Row {
  readonly what: string
  /** Empty: shown for comparison, without a limit. */
  readonly limit: string
  readonly seen: string
  /** What another program needs for the same, and how tpi compares; empty if there is none. */
  readonly peer: string
  readonly met: boolean | undefined
}

export interface Unit {
  show(value: number): string
}

export const milliseconds: Unit = { show: (value) => (value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(2)} s`) }
export const megabytes: Unit = { show: (value) => `${(value / 1e6).toFixed(value < 1e7 ? 2 : 0)} MB` }
export const mebibytes: Unit = { show: (value) => `${(value / 2 ** 20).toFixed(0)} MiB` }
export const times: Unit = { show: (value) => `${value.toFixed(3)} ×` }
export const plain: Unit = { show: (value) => value.toFixed(0) }
export const percent: Unit = { show: (value) => `${(value * 100).toFixed(0)} %` }

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}

/** Linear between neighbours; `share` from 0 to 1. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** Milliseconds. */
export async function timed(body: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await body()
  return performance.now() - began
}

export interface Judged {
  readonly what: string
  readonly samples: readonly number[]
  readonly limit: number
  readonly unit: Unit
  readonly peer?: string
}

/** The median of the samples, which must not exceed the limit. */
export function atMost({ what, samples, limit, unit, peer = '' }: Judged): Row {
  return { what, limit: `≤ ${unit.show(limit)}`, seen: spread(samples, unit), peer, met: median(samples) <= limit }
}

export function atLeast({ what, samples, limit, unit, peer = '' }: Judged): Row {
  return { what, limit: `≥ ${unit.show(limit)}`, seen: spread(samples, unit), peer, met: median(samples) >= limit }
}

export function shown(what: string, seen: string, peer = ''): Row {
  return { what, limit: '', seen, peer, met: undefined }
}

export const NO_SERVER: Row = shown('not measured', 'there is no S3 server: it is built with Go')

/** The median, and the range if there are several samples. */
export function spread(samples: readonly number[], unit: Unit): string {
  if (samples.length < 2) return unit.show(median(samples))
  return `${unit.show(median(samples))} (${samples.length} runs: ${unit.show(Math.min(...samples))} to ${unit.show(Math.max(...samples))})`
}

export function verdict({ met }: Row): string {
  if (met === undefined) return ''
  return met ? 'met' : 'missed'
}
