/**
 * The history of runs, in `$TPI_HOME/history`: the last status of each (`<run>.json`) and what it printed (`<run>.log.gz`, see `kept-log.ts`), so
 * that `status`, `logs` and `list --all` still answer when the run is gone. Its size is limited: the oldest runs go first.
 */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTCOME_NAMES } from '../core/exit-codes.ts'
import type { Host } from '../core/host.ts'
import { runId } from '../core/identity.ts'
import { makePrivate, namesIn, readJson, recordsIn, writeWhole } from '../lib/files.ts'
import { count, either, flag, list, maybe, number, object, oneOf, orNone, text, time } from '../lib/shape.ts'
import { writerIsDead } from '../lib/temp-name.ts'
import { messageOf, plural } from '../lib/text.ts'
import { label, word } from '../wire/parse.ts'
import { MODES, origin } from '../wire/records.ts'
import { servedJob } from '../wire/runner.ts'
import { attempt, outputs, type SlotTransfer, slotState } from '../wire/slot.ts'
import type { SlotStatus, Status } from './follow/status.ts'

/** How many runs are kept, and how many bytes all of them may take. */
const MOST = { runs: 200, bytes: 500e6 }

/** The last status of a run, and what else its closing report said. */
export interface Past extends Status {
  /** USD per machine-hour; absent if the cloud gave none. */
  readonly price?: number | undefined
  /** What became of its outputs, in one line. */
  readonly results?: string | undefined
}

const TEXT = text(1 << 19)
const exitCode = orNone(number(-1e9, 1e9))

const slot = object<SlotStatus>({
  index: count(),
  state: slotState,
  phase: maybe(TEXT),
  transfer: maybe(object<SlotTransfer>({ done: count(), total: count(), since: time, at: time })),
  attempt: count(),
  exitCode,
  reason: orNone(TEXT),
  machine: orNone(TEXT),
  savedAt: orNone(time),
  attempts: list(attempt, 100_000),
  at: maybe(time),
  outputs,
  summary: maybe(TEXT),
  jobs: maybe(list(servedJob, 1000)),
})

const pastShape = object<Past>({
  id: label,
  name: label,
  cloud: word,
  mode: oneOf(...MODES),
  state: either(slotState, oneOf('creating', 'destroying')),
  outcome: oneOf(...OUTCOME_NAMES),
  exitCode,
  createdAt: time,
  deadline: time,
  endedAt: orNone(time),
  collected: flag,
  destroyed: flag,
  delivered: maybe(object<NonNullable<Status['delivered']>>({ at: time, by: TEXT, to: TEXT })),
  origin,
  store: TEXT,
  slots: list(slot, 1_000_000),
  price: maybe(number(0, 1e9)),
  results: maybe(TEXT),
})

/** What identifies a run here: its files are called after both (`runId`). */
export type Run = Pick<Status, 'id' | 'createdAt'>

const folderOf = (home: string): string => join(home, 'history')
const recordOf = (home: string, run: Run): string => join(folderOf(home), `${runId(run)}.json`)
export const logOf = (home: string, run: Run): string => join(folderOf(home), `${runId(run)}.log.gz`)

export interface KeptFiles {
  readonly folder: string
  /** Absolute paths of files in it. */
  readonly files: readonly string[]
}

/** The files of a run: its record and its log. Copied into the `history` folder of another home, they are found there. */
export function keptOf(home: string, run: Run): KeptFiles {
  return { folder: folderOf(home), files: [recordOf(home, run), logOf(home, run)] }
}

/** Stores the last status of a run. What an earlier call has said of price, results and delivery stays if this one does not say. */
export async function remember(home: string, past: Past, most = MOST): Promise<void> {
  await makePrivate(folderOf(home))
  const known = await recallRun(home, past)
  const { price = known?.price, results = known?.results, delivered = known?.delivered, ...status } = past
  await writeWhole(recordOf(home, past), `${JSON.stringify({ ...status, price, results, delivered }, null, 1)}\n`)
  await forgetOldest(home, most)
}

/** The same for a command that has more to do, such as giving machines back: if the disk of the history is full, for example, that is only a warning. */
export async function tryToRemember(
  { home, host }: { readonly home: string; readonly host: Pick<Host, 'warn'> },
  past: Past,
): Promise<void> {
  await remember(home, past).catch((error: unknown) =>
    host.warn(`${past.name}: the history in ${folderOf(home)} cannot be written: ${messageOf(error)}`),
  )
}

export async function recallRun(home: string, run: Run): Promise<Past | undefined> {
  return readJson(recordOf(home, run), pastShape)
}

/** All runs, the newest first. `unread` is told how many there are that this version cannot read, if any. */
export async function recall(home: string, unread?: (count: number) => void): Promise<Past[]> {
  const called = /^tpi-.*\.json$/
  const names = unread ? (await namesIn(folderOf(home))).filter((name) => called.test(name)) : []
  const found = await recordsIn(folderOf(home), called, pastShape)
  if (names.length > found.length) unread?.(names.length - found.length)
  return found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

export function unreadWords(count: number): string {
  return `${plural(count, 'former run')} cannot be read: another version of tpi may have written what the history has of ${count === 1 ? 'it' : 'them'}`
}

interface Kept {
  size: number
  at: number
  readonly names: string[]
}

/** Removes what is too much, except for the newest run, and incomplete files of killed commands. */
async function forgetOldest(home: string, most: typeof MOST): Promise<void> {
  const runs = new Map<string, Kept>()
  for (const name of await namesIn(folderOf(home))) {
    const [, writer] = /\.([^.]+\.[^.]+)\.part$/.exec(name) ?? []
    if (writer !== undefined && writerIsDead(writer)) await rm(join(folderOf(home), name), { force: true })
    const [, run] = /^(tpi-.*?)(?:\.json|\.log\.gz)$/.exec(name) ?? []
    const found = run && (await stat(join(folderOf(home), name)).catch(() => undefined))
    if (!run || !found) continue
    const kept = runs.get(run) ?? { size: 0, at: 0, names: [] }
    runs.set(run, kept)
    kept.size += found.size
    kept.at = Math.max(kept.at, found.mtimeMs)
    kept.names.push(name)
  }
  let room = most.bytes
  const newestFirst = [...runs.values()].sort((a, b) => b.at - a.at)
  for (const [index, { size, names }] of newestFirst.entries()) {
    room -= size
    if (index === 0 || (index < most.runs && room >= 0)) continue
    for (const name of names) await rm(join(folderOf(home), name), { force: true })
  }
}
