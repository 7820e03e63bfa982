/** Durations as people write and read them. */

/** Seconds of 365 days: the maximum of a time that has no reason for a smaller one. Nothing that tpi makes lasts longer. */
export const YEAR = 31_536_000

const SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^w(?:eeks?)?$/, 604_800],
  [/^d(?:ays?)?$/, 86_400],
  [/^h(?:r|rs|ours?)?$/, 3600],
  [/^m(?:in|ins|inutes?)?$/, 60],
  [/^s(?:ec|secs|econds?)?$/, 1],
  [/^(?:ms|milliseconds?)$/, 0.001],
]

/**
 * Seconds in "90s", "1h30m", "2 days", "1.5 hours", "500ms", "PT1H30M" or "P1DT12H"; a bare "0" is zero. `undefined` for everything else:
 * other numbers without a unit, months and years, units out of order or repeated, negative amounts.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '0') return 0
  const iso = /^p(?=\d|t\d)(?:(\d+)w)?(?:(\d+)d)?(?:t(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)?$/i.exec(trimmed)
  if (iso) return finite(iso.slice(1).reduce((sum, amount, index) => sum + Number(amount ?? 0) * (SECONDS[index]?.[1] ?? 0), 0))
  // A lone capital M could be months.
  if (trimmed === '' || /\dM$|\d\s+M$/.test(trimmed)) return undefined
  return sumOfParts(trimmed.toLowerCase())
}

function sumOfParts(text: string): number | undefined {
  const part = /(\d+(?:\.\d+)?)\s*([a-z]+)\s*/y
  let sum = 0
  let last = -1
  while (part.lastIndex < text.length) {
    const match = part.exec(text)
    if (!match) return undefined
    const unit = SECONDS.findIndex(([names]) => names.test(match[2] ?? ''))
    if (unit <= last) return undefined
    last = unit
    sum += Number(match[1]) * (SECONDS[unit]?.[1] ?? 0)
  }
  return finite(sum)
}

/** Whole milliseconds, so that sums of decimals come out even. */
function finite(seconds: number): number | undefined {
  const rounded = Math.round(seconds * 1000) / 1000
  return Number.isSafeInteger(Math.round(seconds * 1000)) ? rounded : undefined
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** "1d 2h", "5m 30s", "1.5s", "250ms": at most two units, rounded down to the smaller one. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '-' : ''
  const amount = Math.abs(seconds)
  if (amount === 0) return '0s'
  if (amount < 1) return `${sign}${Math.round(amount * 1000)}ms`
  if (amount < 10) return `${sign}${Math.floor(amount * 10) / 10}s`
  const first = UNITS.findIndex(([, size]) => amount >= size)
  const parts: string[] = []
  let rest = Math.floor(amount)
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${name}`)
  }
  return sign + parts.join(' ')
}

/** The shortest text that `parseDuration` reads back to the same number: "24h" stays "1d". */
export function writeDuration(seconds: number): string {
  let rest = Math.round(seconds * 1000)
  if (rest === 0) return '0s'
  let text = ''
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / (size * 1000))
    rest -= count * size * 1000
    if (count > 0) text += `${count}${name}`
  }
  return rest > 0 ? `${text}${rest}ms` : text
}

/** Between two ISO times, to a tenth of a second; never negative, because clocks differ. */
export function formatSpan(from: string, to: string): string {
  return formatDuration(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10))
}
