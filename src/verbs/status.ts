/** `tpi status NAME`: the state by the records, corrected by a look at the machines: a run whose machines are gone is not shown as running. */

import { EXIT } from '../core/exit-codes.ts'
import type { Deployment } from '../engine/deployment.ts'
import { look } from '../engine/follow/one-look.ts'
import type { SlotStatus } from '../engine/follow/status.ts'
import { type Past, recallRun } from '../engine/history.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns } from '../lib/text.ts'
import { toneOf } from '../report/closing.ts'
import { transferText } from '../report/progress.ts'
import { costLine, costOf } from '../report/run.ts'
import { timeLine } from '../report/time-line.ts'
import type { VerbContext } from './shared/context.ts'
import { meant, nameOf } from './shared/find-run.ts'
import { priceOf } from './shared/price.ts'
import { publishValues } from './task/publish.ts'

export async function status(context: VerbContext): Promise<number> {
  const found = await meant(context, nameOf(context))
  const now: Past = 'gone' in found ? found.gone : await living(context, found.alive)
  const { price } = publishValues(context, { status: now, attached: true, price: now.price })
  const date = context.engine.clock.date()
  if (context.values.json) context.host.facts({ ...now, price, cost: costOf({ status: now, price, now: date }) })
  else context.host.print(text({ ...now, price }, date), (line) => (/^(?:── | {2}state )/.test(line) ? toneOf(now.outcome) : 'plain'))
  return EXIT.ok
}

async function living(context: VerbContext, d: Deployment): Promise<Past> {
  const now = await look(context.engine, d, context.signals.first)
  return { ...now, price: await priceOf(context, d), results: (await recallRun(context.engine.home, now))?.results }
}

function text(now: Past, date: Date): string {
  const ago = (iso: string): string => `${formatDuration(Math.max(0, Math.round((date.getTime() - Date.parse(iso)) / 1000)))} ago`
  const facts: string[][] = [
    ['id', now.id],
    ['state', `${now.state}${now.exitCode === null ? '' : `, exit code ${now.exitCode}`} (outcome: ${now.outcome})`],
    ['cloud', `${now.cloud}, store ${now.store}`],
    ['created', now.createdAt === '' ? 'not finished' : `${now.createdAt} (${ago(now.createdAt)})`],
    ...(now.deadline === '' ? [] : [['deadline', now.deadline]]),
    ['cost', costLine({ status: now, price: now.price, now: date })],
    ...(now.mode === 'task' ? [['results', results(now)]] : []),
  ]
  const slots = [['SLOT', 'STATE', 'ATTEMPTS', 'EXIT', 'MACHINE', 'SAVED', 'REASON'], ...now.slots.map((slot) => slotRow(slot, ago))]
  return [
    `── ${now.name}`,
    ...columns(facts).map((line) => `  ${line}`),
    '',
    ...columns(slots).map((line) => `  ${line}`),
    ...withTitle(timeLine(now, date)),
  ].join('\n')
}

function results({ collected, destroyed, results: what }: Past): string {
  if (!collected) return destroyed ? 'not collected, everything given back' : 'not collected yet'
  return [`delivered${destroyed ? ', everything given back' : ''}`, ...(what === undefined ? [] : [what])].join(': ')
}

function slotRow(slot: SlotStatus, ago: (iso: string) => string): string[] {
  const state = slot.phase && slot.phase !== 'script' ? `${slot.state} (${slot.phase}${transferText(slot.transfer)})` : slot.state
  return [
    String(slot.index),
    state,
    // Not the epoch: closing a slot counts as taking it.
    String(slot.attempts.length),
    slot.exitCode === null ? '-' : String(slot.exitCode),
    slot.machine ?? '-',
    slot.savedAt ? ago(slot.savedAt) : '-',
    slot.reason ?? '',
  ]
}

function withTitle(lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}
