/** The summary of a run as Markdown: result, the script's own words, time line, charts, the end of the log, how to come back, what was left out. */
import type { Outcome } from '../core/exit-codes.ts'
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { formatBytes } from '../lib/bytes.ts'
import { plainText } from '../lib/control-characters.ts'
import { formatDuration } from '../lib/duration.ts'
import { cutBytes, fenced, folded, inline, markdownTable } from '../lib/markdown.ts'
import { cutAt, plural } from '../lib/text.ts'
import { isContained } from './closed-markdown.ts'
import { lostWork, outputsLine } from './closing.ts'
import { hasCheckpoint, keptOf, onResume } from './kept.ts'
import { loadChart } from './load-chart.ts'
import { type Artifact, costLine, hoursOf, minute, type RunReport, shortNumber, tookLine } from './run.ts'
import { timeChart, timeLine } from './time-line.ts'

/** Bytes of the whole page: GitHub takes 1 MiB of a step, and shows nothing of a longer one. */
export const MOST_PAGE = 900 * 1024
/** Bytes of a comment for saying what is left out. */
const FOR_OMISSIONS = 1024
/** Values of scripts that are listed. */
const MOST_VALUES = 100
/** Characters of such a value. */
const MOST_SHOWN = 300
/** Slots whose log is shown. */
const MOST_TAILS = 8
/** Lines of the time line that are shown as text. */
const MOST_ATTEMPTS = 200
/** Bytes that are left free beside the script's own words, for what is said about them. */
const MARGIN = 4096
/** Milliseconds: charts of a shorter run show nothing. */
const SHORT = 60_000

const FAILED = '❌'
const MARKS: Readonly<Record<Outcome, string>> = {
  success: '✅',
  running: '⏳',
  stopped: '⏹️',
  'timed-out': '⌛',
  'script-failed': FAILED,
  'setup-failed': FAILED,
  invalid: FAILED,
  denied: FAILED,
  'no-capacity': FAILED,
  'remote-error': FAILED,
  bug: FAILED,
}

/** The page that a job shows of a run. */
export function summaryOf(run: RunReport): string {
  const omitted: string[] = []
  const { status } = run
  const first = [heading(status), facts(run), values(status, omitted)]
  const then = [timing(run, omitted), ...charts(run, omitted), ...tails(run, omitted, MOST_PAGE), comeBack(run)]
  const own = ownWords(status, MOST_PAGE - Buffer.byteLength([...first, ...then].join('\n\n')), omitted)
  const rest = leftOut(omitted)
  // What follows text of the script that leaves something open would not be readable, so that text comes last then.
  const page = isContained(own) ? [...first, own, ...then, rest] : [...first, ...then, rest, own]
  return page.filter((part) => part !== '').join('\n\n')
}

/**
 * The comment on a pull request, of at most `most` bytes: the result in two lines, the end of the log after a failure, and the script's own words
 * last, because what follows these may not be readable.
 */
export function commentOf(run: RunReport, most: number): string {
  const { status } = run
  const omitted: string[] = []
  const took = formatDuration(Math.round(lengthOf(run) / 1000))
  const { runUrl, commit } = status.origin
  const lines = [
    heading(status),
    [
      ...(status.exitCode === null ? [] : [`exit code ${status.exitCode}`]),
      `${took} on ${inline(status.cloud)}`,
      `cost: ${costLine(run)}`,
      ...(commit === undefined ? [] : [`commit ${inline(commit.slice(0, 12))}`]),
      ...(runUrl !== undefined && URL.canParse(runUrl) ? [`[the whole run](${new URL(runUrl).href})`] : []),
    ].join(' · '),
  ]
  const room = most - Buffer.byteLength(lines.join('\n\n')) - FOR_OMISSIONS
  const failed = status.outcome !== 'success' && status.outcome !== 'running' ? tails(run, omitted, room) : []
  const page = [...lines, ...failed].join('\n\n')
  const own = ownWords(status, most - Buffer.byteLength(page), omitted)
  const rest = leftOut(omitted)
  return [page, rest, own].filter((part) => part !== '').join('\n\n')
}

const heading = ({ name, outcome }: Status): string => `### ${MARKS[outcome]} ${inline(name)}: ${outcome}`

const leftOut = (omitted: readonly string[]): string => (omitted.length === 0 ? '' : `*Left out here: ${omitted.join('; ')}.*`)

/** Milliseconds from its creation to its end, or until now. */
function lengthOf({ status, now }: RunReport): number {
  return Math.max(0, Date.parse(status.endedAt ?? now.toISOString()) - Date.parse(status.createdAt))
}

/** The result, as a table. */
function facts(run: RunReport): string {
  const { status, delivery, artifact, log, keptUntil, fleeting, now } = run
  const bad = status.slots.find((slot) => slot.reason !== null && slot.exitCode === status.exitCode && slot.state !== 'succeeded')
  const reason = bad?.reason && `${status.slots.length > 1 ? `slot ${bad.index}: ` : ''}${bad.reason}`
  // A table must have a head: what everybody looks for first, instead of an empty row.
  const head = ['exit code', status.exitCode === null ? 'none yet' : String(status.exitCode)]
  const rows: (readonly [string, string])[] = [
    ...(reason && reason !== `exit code ${status.exitCode}` ? [['why', inline(reason)] as const] : []),
    ['took', inline(tookLine(status, status.endedAt ?? now.toISOString()))],
    ['machine hours', shortNumber(hoursOf(run))],
    ['cost', costLine(run)],
    ['lost work', lostWork(status.slots)],
    ['outputs', inline(outputsLine(delivery, keptUntil !== undefined))],
    ...(artifact ? [['artifact', linked(artifact)] as const] : []),
    ...(log ? [['whole log', linked(log)] as const] : []),
    ...(keptUntil
      ? [['kept until', `${fleeting ? `this ${fleeting} ends with its job` : minute(keptUntil)}: ${keptOf(status)}`] as const]
      : []),
    ['id', `\`${status.id}\``],
  ]
  return markdownTable(
    head,
    rows.map(([name, value]) => [`**${name}**`, value]),
  )
}

/** The values that scripts have written, as a table. */
function values(status: Status, omitted: string[]): string {
  const all = status.slots.flatMap((slot) => Object.entries(slot.outputs).map(([name, value]) => ({ slot: slot.index, name, value })))
  if (all.length === 0) return ''
  const many = status.slots.length > 1
  if (all.length > MOST_VALUES) omitted.push(`${all.length - MOST_VALUES} of ${all.length} values`)
  const rows = all.slice(0, MOST_VALUES).map(({ slot, name, value }) => {
    const shown = inline(value.length > MOST_SHOWN ? `${cutAt(value, MOST_SHOWN)}…` : value)
    return many ? [String(slot), inline(name), shown] : [inline(name), shown]
  })
  return markdownTable(many ? ['slot', 'value of the program', ''] : ['value of the program', ''], rows)
}

/** The time line: as a chart if the run was long enough, and as text. */
function timing(run: RunReport, omitted: string[]): string {
  const lines = timeLine(run.status, run.now).slice(0, MOST_ATTEMPTS)
  if (lines.length === 0) return ''
  const text = fenced(lines.map((line) => line.trimStart()).join('\n'))
  const chart = lengthOf(run) < SHORT ? undefined : timeChart(run.status, run.now)
  if (!chart) return text
  if (chart.omitted) omitted.push(chart.omitted)
  return `${fenced(chart.text, 'mermaid')}\n\n${folded('Attempts', text)}`
}

/** The load of machines. */
function charts(run: RunReport, omitted: string[]): string[] {
  if (lengthOf(run) < SHORT) return []
  const many = run.status.slots.length > 1
  const drawn = [...run.samples].flatMap(([slot, samples]) => {
    const gpus = samples.some((sample) => sample.gpus?.length)
    const chart = loadChart(`${many ? `slot ${slot} - ` : ''}CPU blue, memory red${gpus ? ', GPU green' : ''}`, samples)
    return chart ? [fenced(chart, 'mermaid')] : []
  })
  if (drawn.length > 0 && run.status.slots.length > run.samples.size)
    omitted.push(`charts of ${run.status.slots.length - run.samples.size} slots`)
  return drawn.length === 0 ? [] : [folded('CPU and memory', drawn.join('\n\n'))]
}

function linked({ name, url }: Artifact): string {
  return url ? `[${inline(name)}](${url})` : inline(name)
}

/** The ends of logs, as far as they fit into `room` bytes. Slots that did not succeed come first, because people look for their log. */
function tails(run: RunReport, omitted: string[], room: number): string[] {
  const bad = new Set(run.status.slots.filter((slot) => slot.state !== 'succeeded').map((slot) => slot.index))
  const order = [...run.tails].sort(([a], [b]) => Number(bad.has(b)) - Number(bad.has(a)) || a - b)
  const shown: string[] = []
  let left = room
  for (const [slot, tail] of order.slice(0, MOST_TAILS)) {
    const of = run.status.slots.length > 1 ? ` of slot ${slot}` : ''
    const note = tail.cut ? ` (the end of ${formatBytes(tail.bytes)})` : ''
    const part = folded(`Log${of}${note}`, fenced(plainText(tail.text)), run.status.outcome !== 'success' && slot === order[0]?.[0])
    left -= Buffer.byteLength(part)
    if (left < 0) break
    if (tail.cut) omitted.push(`the beginning of the log${of}`)
    shown.push(part)
  }
  if (order.length > shown.length) omitted.push(`the log of ${plural(order.length - shown.length, 'slot')}`)
  return shown
}

const KEEPING = 'https://github.com/iterative/tpi-action/blob/main/docs/storage.md#hosted-runners-without-a-bucket'

/** How to follow or stop a run that goes on, and how to use or remove what is kept of one that has ended. */
function comeBack({ status, fleeting }: RunReport): string {
  if (status.destroyed) return ''
  if (fleeting !== undefined)
    return `This ${fleeting} ends with its job, and what it keeps of the run ends with it. To go on in another job, give \`storage\`, or [cache tpi's folder](${KEEPING}).`
  const open = status.outcome === 'running'
  const lines = open
    ? [
        `follow   npx @iterative/tpi-action logs ${status.name} --follow`,
        `results  npx @iterative/tpi-action collect ${status.name}`,
        `stop     npx @iterative/tpi-action stop ${status.name}`,
      ]
    : [
        ...(onResume(status) === undefined ? [] : [`resume   the same step with "resume: true"`]),
        hasCheckpoint(status)
          ? `files    npx @iterative/tpi-action pull ${status.name} --to DIR`
          : `log      npx @iterative/tpi-action logs ${status.name}`,
        `remove   npx @iterative/tpi-action destroy ${status.name} --discard`,
      ]
  const step = `- uses: iterative/tpi-action@v1\n  with:\n    command: ${open ? 'collect' : 'destroy'}\n    cloud: ${status.cloud}\n    name: ${status.name}${open ? '' : '\n    discard: true'}`
  const deadline = open ? `It ends on its own at ${minute(status.deadline)} at the latest.` : ''
  return folded(
    open ? 'How to come back' : 'What is kept, and how to use or remove it',
    [deadline, fenced(lines.join('\n')), 'or in a workflow:', fenced(step, 'yaml')].filter(Boolean).join('\n\n'),
  )
}

/** What scripts have written to `TPI_SUMMARY`, in at most `room` bytes. */
function ownWords(status: Status, room: number, omitted: string[]): string {
  const texts: string[] = []
  const cut: number[] = []
  let free = room - MARGIN
  const speaking = status.slots.filter((slot): slot is SlotStatus & { summary: string } => Boolean(slot.summary))
  for (const slot of speaking) {
    const title = status.slots.length > 1 ? `\n\n#### Slot ${slot.index}\n\n` : '\n\n'
    const text = cutBytes(slot.summary, Math.max(0, free - title.length))
    if (text.length < slot.summary.length) cut.push(slot.index)
    free -= Buffer.byteLength(text) + title.length
    if (text !== '') texts.push(title + text)
  }
  if (cut.length > 0)
    omitted.push(`what ${cut.length === 1 ? `slot ${cut[0]}` : `${cut.length} slots`} wrote to TPI_SUMMARY, or the end of it`)
  return texts.join('').trim()
}
