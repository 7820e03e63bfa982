/** `tpi list`: all runs. */

import { describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import type { Tone } from '../core/host.ts'
import { runId } from '../core/identity.ts'
import { readSpec } from '../engine/deployment.ts'
import { openSighting, type Sighting } from '../engine/find.ts'
import { look } from '../engine/follow/one-look.ts'
import type { Status } from '../engine/follow/status.ts'
import { type Past, recall, unreadWords } from '../engine/history.ts'
import { noteNames } from '../engine/recent-names.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns, plural } from '../lib/text.ts'
import { toneOf } from '../report/closing.ts'
import { costOf, shortCost } from '../report/run.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { ownedBy } from './shared/ownership.ts'
import { Losses } from './shared/partial-failures.ts'
import { freeOf, priceOf } from './shared/price.ts'

type Row = Pick<Status, 'id' | 'name' | 'cloud' | 'mode' | 'createdAt' | 'deadline'> &
  Partial<Omit<Past, 'state'>> & {
    readonly state: string
    /** What finds this run: its id or, if it is not the last one of that id, its run id. */
    readonly run: string
    /** USD so far; absent if the cloud gives no price. */
    readonly cost?: number | undefined
  }

export async function list(context: VerbContext): Promise<number> {
  const { values, host, owner } = context
  const losses = new Losses(context, 'several')
  const all = (await losses.seen()).filter((sighting) => !values.mine || ownedBy(owner, sighting.found.tags.origin))
  const living = (await Promise.all(all.map((sighting) => rowOf(context, sighting)))).filter(
    (row) => !values.finished || (row.mode === 'task' && row.outcome !== 'running' && row.collected === false),
  )
  const gone = values.all ? (await history(context, living)).filter((row) => !values.mine || ownedBy(owner, row.origin ?? {})) : []
  const rows = [...living.sort((a, b) => urgency(a) - urgency(b) || younger(a, b)), ...gone]
  await noteNames(
    context.engine.home,
    rows.map(({ name }) => name),
  )
  if (values.json) host.facts(rows)
  else if (rows.length > 0) host.print(table(rows, context.engine.clock.date()), (_, index) => rowTone(rows[index - 1]))
  else if (losses.code === EXIT.ok) {
    const where = await checkedClouds(context)
    host.print(values.all ? `no runs${where}` : `no runs${where}; \`tpi list --all\` shows those that are gone`)
  }
  return losses.end()
}

async function rowOf(context: VerbContext, sighting: Sighting): Promise<Row> {
  const { tags } = sighting.found
  const { id, name, mode, createdAt } = tags
  const plain = { id, run: id, name, cloud: sighting.id, mode, createdAt, deadline: tags.lifetime.deadline }
  try {
    const d = await openSighting(sighting, context.access)
    if (!(await readSpec(d))) return { ...plain, state: 'creating' }
    const [status, price] = await Promise.all([look(context.engine, d, context.signals.first), priceOf(context, d)])
    return { ...status, run: id, cost: costOf({ status, price, now: context.engine.clock.date() }) }
  } catch (error) {
    // One unreadable deployment must not hide the others.
    context.host.warn(`${name}: ${describeError(error)}`)
    return { ...plain, state: 'unknown' }
  }
}

/** Runs that are gone, newest first. */
async function history(context: VerbContext, living: readonly Row[]): Promise<Row[]> {
  const there = new Set(living.map(runId))
  const names = new Set(living.map(({ id }) => id))
  return (await recall(context.engine.home, (count) => context.host.warn(unreadWords(count))))
    .filter((past) => !there.has(runId(past)))
    .map((past) => {
      const run = names.has(past.id) ? runId(past) : past.id
      names.add(past.id)
      return {
        ...past,
        // A later run of the same id has taken its place, so nothing of it is left.
        destroyed: past.destroyed || run !== past.id,
        run,
        cost: costOf({ status: past, price: past.price ?? freeOf(context, past.cloud), now: context.engine.clock.date() }),
      }
    })
}

const younger = (a: Row, b: Row): number => (a.createdAt < b.createdAt ? 1 : -1)

/** Running ones first, then those that nobody collected. */
function urgency({ outcome = 'running', mode, collected }: Row): number {
  if (outcome === 'running') return 0
  return mode === 'task' && !collected ? 1 : 2
}

function table(rows: readonly Row[], now: Date): string {
  const seconds = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 1000)
  const timeLeft = (row: Row): string => {
    if (row.outcome !== 'running') return '-'
    const rest = seconds(now, new Date(row.deadline))
    return rest > 0 ? formatDuration(rest) : 'past'
  }
  const running = rows.some(({ outcome }) => outcome === 'running')
  return columns([
    ['NAME', 'CLOUD', 'MACHINE', 'STATE', 'EXIT', 'AGE', ...(running ? ['TIME LEFT'] : []), 'COST', 'RESULTS'],
    ...rows.map((row) => [
      calledFor(row, rows),
      row.cloud,
      machines(row),
      stateOf(row),
      row.exitCode === undefined || row.exitCode === null ? '-' : String(row.exitCode),
      formatDuration(seconds(new Date(row.createdAt), now)),
      ...(running ? [timeLeft(row)] : []),
      shortCost(row.cost),
      results(row),
    ]),
  ]).join('\n')
}

/** What commands find it by: its name, unless another run has the same one. Of several runs that are gone, the name means the last one. */
function calledFor(row: Row, rows: readonly Row[]): string {
  const namesakes = rows.filter(({ name }) => name === row.name)
  const own = namesakes.every(({ id }) => id === row.id) && namesakes[0] === row
  return own ? row.name : row.run
}

/** Runs that need attention are highlighted; finished ones are faint. */
function rowTone(row: Row | undefined): Tone {
  if (row?.outcome === undefined || row.outcome === 'running') return 'plain'
  return row.collected || row.destroyed ? 'faint' : toneOf(row.outcome)
}

/** Once it has ended, its outcome: the state of a slot says neither that no machine came nor that the set-up failed. */
function stateOf({ state, outcome = 'running' }: Row): string {
  return outcome === 'running' || state === 'destroying' ? state : outcome
}

/** Its machine or, once it has ended, its last machine. A long name is cut then; `tpi status` shows all of it. */
function machines({ slots = [], outcome }: Row): string {
  const taken = slots.flatMap(({ machine }) => machine ?? [])
  if (taken.length === 0) return '-'
  if (slots.length > 1) return plural(slots.length, 'machine')
  const [name = ''] = taken
  return outcome === 'running' || name.length <= SHORT ? name : `${name.slice(0, SHORT - 1)}…`
}

/** Characters of the name of a machine that is gone. */
const SHORT = 12

function results({ mode, collected, destroyed, outcome }: Row): string {
  if (mode !== 'task' || outcome === undefined || outcome === 'running') return '-'
  if (!collected) return destroyed ? 'given up' : 'not collected'
  return destroyed ? 'collected' : 'kept'
}
