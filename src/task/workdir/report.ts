/** What an upload tells its user: how much is uploaded, what is largest, what is left out and why. */

import { formatBytes } from '../../lib/bytes.ts'
import { plural, printable } from '../../lib/text.ts'
import { FILE, FOLDER, type Scan } from '../../snapshot/folder/scan.ts'

const SHOWN = 5

export interface Weight {
  readonly path: string
  readonly isFolder: boolean
  readonly files: number
  readonly bytes: number
}

export interface LeftOut extends Weight {
  readonly rule: string
  readonly remedy: string
}

export interface WorkdirReport {
  readonly files: number
  readonly bytes: number
  /** The largest entries of the work directory that are sent, largest first; at most five. */
  readonly largest: readonly Weight[]
  /** How many more entries are sent. */
  readonly moreSent: number
  /** The largest entries that are left out, largest first; at most five. */
  readonly leftOut: readonly LeftOut[]
  /** How many more are left out. */
  readonly moreLeftOut: number
  readonly notices: readonly string[]
  readonly warnings: readonly string[]
}

export const NOTHING: WorkdirReport = {
  files: 0,
  bytes: 0,
  largest: [],
  moreSent: 0,
  leftOut: [],
  moreLeftOut: 0,
  notices: [],
  warnings: [],
}

/** Sums up the files for which `wanted` says so, under the names that `group` gives them. `more`: how many names are not among the largest. */
export function weigh(
  scan: Scan,
  wanted: (path: string) => boolean,
  group: (path: string) => string,
): { total: Weight; largest: readonly Weight[]; more: number } {
  const sums = new Map<string, { files: number; bytes: number }>()
  const folders = new Set<string>()
  const total = { path: '', isFolder: true, files: 0, bytes: 0 }
  for (const [number, path] of scan.paths.entries()) {
    if (scan.kind[number] === FOLDER) folders.add(path)
    if (scan.kind[number] !== FILE || !wanted(path)) continue
    const bytes = scan.size[number] ?? 0
    const name = group(path)
    const sum = sums.get(name) ?? { files: 0, bytes: 0 }
    sums.set(name, { files: sum.files + 1, bytes: sum.bytes + bytes })
    total.files += 1
    total.bytes += bytes
  }
  const weights = [...sums].map(([path, sum]) => ({ path, isFolder: folders.has(path), ...sum }))
  const largest = weights.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, SHOWN)
  return { total, largest, more: weights.length - largest.length }
}

export function weightLine({ path, isFolder, bytes, files }: Weight): string {
  return `${printable(path)}${isFolder ? '/' : ''} ${formatBytes(bytes)}${isFolder ? ` in ${plural(files, 'file')}` : ''}`
}

/** The report as lines for people. Warnings and notices are not among them. Each remedy is given once. */
export function reportLines({ files, bytes, largest, moreSent, leftOut, moreLeftOut }: WorkdirReport): readonly string[] {
  const lines = [`work directory: ${plural(files, 'file')}, ${formatBytes(bytes)}`, ...largest.map((item) => `  ${weightLine(item)}`)]
  if (moreSent > 0) lines.push(`  and ${moreSent} more`)
  const given = new Set<string>()
  for (const item of leftOut) {
    lines.push(`  not sent: ${weightLine(item)} (${item.rule})${given.has(item.remedy) ? '' : `; ${item.remedy}`}`)
    given.add(item.remedy)
  }
  if (moreLeftOut > 0) lines.push(`  not sent: ${moreLeftOut} more`)
  return lines
}
