/** The report at the end of a run: outcome, time line, attempts, lost work, results, what is kept and for how long. */
import type { Outcome } from '../core/exit-codes.ts'
import type { Tone, Tones } from '../core/host.ts'
import type { Delivery } from '../engine/deliver/collect.ts'
import type { Unreturned } from '../engine/deliver/unreturned-files.ts'
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { formatBytes } from '../lib/bytes.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns, cutAt, plural, printable } from '../lib/text.ts'
import { isOwnEnd } from '../wire/slot-end.ts'
import { keptOf, usesOfKept } from './kept.ts'
import { costLine, minute, type RunReport, tookLine } from './run.ts'
import { timeLine } from './time-line.ts'

export type Closing = Pick<RunReport, 'status' | 'delivery' | 'keptUntil' | 'fleeting'> & Partial<Pick<RunReport, 'price'>>

export function closingReport({ status, delivery, keptUntil, fleeting, price }: Closing): string {
  const end = status.endedAt ?? status.createdAt
  const rows: string[][] = [
    ['took', tookLine(status, end)],
    // If machines cost nothing, there is nothing to report.
    ...(price ? [['cost', costLine({ status, price, now: new Date(end) })]] : []),
    ['lost work', lostWork(status.slots)],
    ['outputs', outputsLine(delivery, keptUntil !== undefined)],
  ]
  if (delivery && delivery.beside.length > 0)
    rows.push(['beside', `${plural(delivery.beside.length, 'file')} as <name>~: another file of that name was already here`])
  for (const slot of status.slots)
    for (const [name, value] of Object.entries(slot.outputs)) rows.push([printable(label(status, slot, name)), shown(value)])
  if (keptUntil) rows.push(['kept', keptLine(status, keptUntil, fleeting)])
  return [
    `── ${status.name}: ${status.outcome}`,
    ...columns(rows).map((line) => `  ${line}`),
    ...timeLine(status),
    lastLine(status.outcome, status.exitCode),
  ].join('\n')
}

/** The colours of a report: its first and last line are green after a success, red after a failure, and plain while the run goes on. */
export function outcomeTones(outcome: Outcome): Tones {
  const tone = toneOf(outcome)
  return (line) => (/^(?:── |outcome: )/.test(line) ? tone : 'plain')
}

/** The colour of a word or row about a run. */
export function toneOf(outcome: Outcome): Tone {
  if (outcome === 'success') return 'good'
  return outcome === 'running' ? 'plain' : 'bad'
}

/** The last line of a command, which programs may read: the exit code alone does not say what happened, because it can be the script's own. */
export function lastLine(outcome: Outcome, exitCode: number | null): string {
  return `outcome: ${outcome}, exit code ${exitCode ?? '-'}`
}

/** A value of the script, in one line of at most 100 characters, in which nothing acts on a terminal. */
function shown(value: string): string {
  const text = printable(value)
  return text.length > 100 ? `${cutAt(text, 99)}…` : text
}

function keptLine(status: Status, until: string, fleeting: string | undefined): string {
  const what = keptOf(status)
  if (fleeting !== undefined)
    return `${what}, but only until this ${fleeting} ends with its job: with \`storage\`, the next job can use them`
  return `${what} until ${minute(until)}; ${usesOfKept(status)}, \`tpi destroy ${status.name}\` removes them`
}

function label(status: Status, slot: SlotStatus, key: string): string {
  return status.slots.length > 1 ? `${key} [${slot.index}]` : key
}

/** What became of the outputs, in one line. `kept`: what the run has saved stays for a while. */
export function outputsLine(delivery: Delivery | undefined, kept: boolean): string {
  if (!delivery) return 'none delivered by this command'
  if (delivery.unreturned) return `none asked for${unreturnedLine(delivery.unreturned, kept)}`
  const { files, same, unmatched, folder } = delivery
  if (files.length + same === 0)
    return `${unmatched.length > 0 ? 'no file matched' : 'none that differ from what was uploaded'}; nothing was written to ${folder}`
  const took = files.length > 0 ? Math.round((delivery.took ?? 0) / 1000) : 0
  return `${broughtLine(delivery)}${took > 0 ? `, fetched in ${formatDuration(took)}` : ''}`
}

/** What a delivery has brought, if the folder has any of it now; and what a folder other than the work directory does not get. */
export function broughtLine({ files, bytes, same, unchanged = 0, folder }: Delivery): string {
  const left = unchanged > 0 ? `, ${unchanged} unchanged since the upload left out` : ''
  if (files.length === 0) return `nothing new: ${plural(same, 'file')} already in ${folder}${left}`
  return `${plural(files.length, 'file')} (${formatBytes(bytes)}) in ${folder}${same > 0 ? `, ${same} already there` : ''}${left}`
}

function unreturnedLine({ files }: Unreturned, kept: boolean): string {
  if (files === 0) return ''
  const [isKept, wasLost] = files === 1 ? ['is kept', 'was lost with its machine'] : ['are kept', 'were lost with the machines']
  return `; ${plural(files, 'file')} that the script made or changed ${kept ? isKept : wasLost}`
}

/** Seconds between the last snapshot of an attempt and its end, summed over all attempts that another one followed. */
function lostSeconds(slots: readonly SlotStatus[]): number {
  let total = 0
  for (const slot of slots) {
    for (const attempt of slot.attempts.slice(0, -1)) {
      if (attempt.end === undefined) continue
      total += Math.max(0, (Date.parse(attempt.end) - Date.parse(attempt.savedAt ?? attempt.start)) / 1000)
    }
  }
  return total
}

/** How much work had to be done again, in one line. */
export function lostWork(slots: readonly SlotStatus[]): string {
  const ended = slots.flatMap((slot) => slot.attempts.slice(0, -1))
  if (ended.length === 0) return 'no interruption'
  const seconds = Math.round(lostSeconds(slots) * 10) / 10
  const lost = seconds === 0 ? 'nothing, over' : `at most ${formatDuration(seconds)}, done again after`
  return `${lost} ${plural(ended.length, ended.some(({ cause }) => isOwnEnd(cause)) ? 'restart' : 'interruption')}`
}
