/** Amounts of bytes as people write and read them. */

const DECIMAL = ['', 'k', 'm', 'g', 't', 'p'] as const

/** Bytes in "16GB", "512 MiB", "1.5T", "2Gi", "100B" (upper or lower case); a bare "0" is zero. `undefined` for everything else. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)(b?)$/i.exec(text.trim())
  if (!match) return undefined
  const [, amount = '', prefix = '', binary = '', b = ''] = match
  const bare = prefix === '' && b === ''
  if ((prefix === '' && binary !== '') || (bare && Number(amount) !== 0)) return undefined
  const power = (DECIMAL as readonly string[]).indexOf(prefix.toLowerCase())
  const bytes = Math.round(Number(amount) * (binary === '' ? 1000 : 1024) ** power)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** "0 B", "999 B", "1.5 MB", "12 GB": decimal units, two to three digits. */
export function formatBytes(bytes: number): string {
  let amount = bytes
  let power = 0
  while (Math.abs(amount) >= 999.5 && power < DECIMAL.length - 1) {
    amount /= 1000
    power++
  }
  const unit = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'][power] ?? ''
  const digits = power > 0 && Math.abs(amount) < 9.95 ? 1 : 0
  return `${amount.toFixed(digits).replace(/\.0$/, '')} ${unit}`
}

/** The shortest text that `parseBytes` reads back to the same number. */
export function writeBytes(bytes: number): string {
  for (let power = DECIMAL.length - 1; power > 0; power--) {
    for (const [base, suffix] of [
      [1024, 'iB'],
      [1000, 'B'],
    ] as const) {
      if (bytes > 0 && bytes % base ** power === 0) return `${bytes / base ** power}${(DECIMAL[power] ?? '').toUpperCase()}${suffix}`
    }
  }
  return `${bytes}B`
}
