/** The attempts of a run over time: as text, or as a chart in the language that GitHub and GitLab draw inside Markdown (mermaid). */
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { formatSpan } from '../lib/duration.ts'
import { chartWords } from '../lib/markdown.ts'
import { columns } from '../lib/text.ts'
import type { Attempt } from '../wire/slot.ts'

/** A line for each attempt. `now`: until when those that still run are shown. */
export function timeLine(status: Status, now?: Date): string[] {
  const rows = status.slots.flatMap((slot) =>
    slot.attempts.map((attempt) => [
      status.slots.length > 1 ? `  slot ${slot.index}, attempt ${attempt.epoch}` : `  attempt ${attempt.epoch}`,
      `${attempt.start.slice(11, 19)} UTC`,
      formatSpan(attempt.start, attempt.end ?? status.endedAt ?? now?.toISOString() ?? attempt.start),
      attempt.holder,
      endText(attempt, slot),
    ]),
  )
  return rows.length === 0 ? [] : columns(rows)
}

function endText(attempt: Attempt, slot: SlotStatus): string {
  if (attempt.end === undefined) return slot.state
  const why = attempt.reason ?? attempt.cause ?? ''
  const code = attempt.exitCode === undefined || why.includes('exit code') ? '' : `exit code ${attempt.exitCode}`
  return [why, code].filter(Boolean).join(', ')
}

/** Bars of a chart: more cannot be told apart, and the drawing has a limit of its own. */
const MOST_BARS = 60
/** Milliseconds. */
const DAY = 86_400_000

export interface Chart {
  readonly text: string
  /** What was left out of it, for people. */
  readonly omitted: string | undefined
}

/** Slots and their attempts over time. `undefined` if nothing ever ran. */
export function timeChart(status: Status, now: Date): Chart | undefined {
  const end = status.endedAt ?? now.toISOString()
  const all = status.slots.flatMap((slot) => slot.attempts.map((attempt) => ({ slot, attempt })))
  if (all.length === 0) return undefined
  const length = Date.parse(end) - Date.parse(status.createdAt)
  // No mark for the time at which somebody looks. Times have no zone, so that the axis shows them as they are, in UTC, wherever somebody looks.
  const lines = [
    'gantt',
    '  title Times are in UTC',
    '  todayMarker off',
    '  dateFormat YYYY-MM-DD HH:mm:ss.SSS',
    `  axisFormat ${length > DAY ? '%m-%d %H:%M' : '%H:%M:%S'}`,
  ]
  let section: number | undefined
  for (const { slot, attempt } of all.slice(0, MOST_BARS)) {
    if (section !== slot.index) lines.push(`  section ${status.slots.length > 1 ? `slot ${slot.index}` : 'run'}`)
    section = slot.index
    const from = Date.parse(attempt.start)
    const to = Math.max(from + 1, Date.parse(attempt.end ?? end))
    lines.push(`  attempt ${attempt.epoch} ${chartWords(endOf(attempt, slot))} :${styleOf(attempt, slot)}${written(from)}, ${written(to)}`)
  }
  const omitted = all.length > MOST_BARS ? `${all.length - MOST_BARS} of ${all.length} attempts in the time line` : undefined
  return { text: lines.join('\n'), omitted }
}

/** How mermaid draws the bar: plain after a success, and otherwise by its words for a task. */
function styleOf(attempt: Attempt, slot: SlotStatus): string {
  const last = attempt === slot.attempts.at(-1)
  if (last && slot.state === 'succeeded') return ''
  if (last && slot.state === 'running') return 'active, '
  return attempt.announced ? 'done, ' : 'crit, '
}

const written = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '')

/** How the attempt has ended, in one or two words. */
function endOf(attempt: Attempt, slot: SlotStatus): string {
  const last = attempt === slot.attempts.at(-1)
  if (attempt.end === undefined || (last && slot.state === 'succeeded')) return slot.state
  return attempt.cause === 'exit' && attempt.exitCode !== undefined ? `exit code ${attempt.exitCode}` : (attempt.cause ?? 'ended')
}
