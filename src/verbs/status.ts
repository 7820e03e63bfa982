/** `tpi status NAME`: the state by the records, corrected by a look at the machines: a run whose machines are gone is not shown as running. */

import { EXIT } from '../core/exit-codes.ts'
import { type Deployment, readCurrent, readSpec } from '../engine/deployment.ts'
import { closeLost } from '../engine/follow/close.ts'
import { refuseToStart } from '../engine/follow/no-start.ts'
import { overlay } from '../engine/follow/read-only-store.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import type { SlotStatus, Status } from '../engine/follow/status.ts'
import { type Past, recallRun } from '../engine/history.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns } from '../lib/text.ts'
import { toneOf } from '../report/closing.ts'
import { transferText } from '../report/progress.ts'
import { costLine, costOf } from '../report/run.ts'
import { timeLine } from '../report/time-line.ts'
import { removalOf } from '../wire/incarnation.ts'
import { softDeadline } from '../wire/lifetime.ts'
import type { CurrentRecord } from '../wire/records.ts'
import type { Spec } from '../wire/spec.ts'
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
  const now = await look(context, d)
  return { ...now, price: await priceOf(context, d), results: (await recallRun(context.engine.home, now))?.results }
}

/** One look that changes nothing. Slots whose machines are gone are shown as a verb that acts would close them. */
export async function look(context: VerbContext, d: Deployment): Promise<Status> {
  return present(context, { ...d, store: overlay(d.store) })
}

/** One look, which also closes slots whose machines are gone. */
export async function present(context: VerbContext, d: Deployment): Promise<Status> {
  const [spec, read] = await Promise.all([readSpec(d), readCurrent(d.store, d.id)])
  const current = read?.value
  if (!spec || (current?.incarnation === d.incarnation && current.state === 'making')) return unfinished(d, spec, current)
  // Its removal has begun, so nobody may close its slots any more.
  if (removalOf(current, d.incarnation) !== undefined) return going(await readStatus(d, spec))
  const { clock } = context.engine
  const slots = await closeLost(context.engine, d, spec, context.signals.first)
  const now = clock.date()
  const late = now.getTime() >= softDeadline(spec.lifetime)
  await refuseToStart(d, spec, slots, await d.cloud.observe(d), { at: now.toISOString(), late })
  return readStatus(d, spec)
}

/** A removal has begun: nothing can be collected any more, and slots that are still open end with it. */
export function going(status: Status): Status {
  return { ...status, state: 'destroying' }
}

/** Its controller has not finished creating it, or was killed before it could. */
function unfinished(d: Deployment, spec: Spec | undefined, current: CurrentRecord | undefined): Status {
  return {
    id: d.id,
    name: d.name,
    cloud: d.cloudId,
    // Only runners are on record at a forge.
    mode: current?.registry ? 'runner' : 'task',
    state: 'creating',
    outcome: 'running',
    exitCode: null,
    createdAt: current?.createdAt ?? '',
    deadline: spec?.lifetime.deadline ?? '',
    endedAt: null,
    collected: false,
    destroyed: false,
    origin: current?.origin ?? {},
    store: d.store.url,
    slots: [],
  }
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
