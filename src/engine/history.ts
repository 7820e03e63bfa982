/** What stays in `$TPI_HOME` when a deployment is gone: its last status, so that `status NAME` still answers. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTCOMES } from '../core/errors.ts'
import { namesIn, readJson, writeWhole } from '../lib/files.ts'
import { count, either, flag, list, maybe, number, object, oneOf, type Shape, text, time } from '../lib/shape.ts'
import { label, word } from '../wire/parse.ts'
import { MODES, origin } from '../wire/records.ts'
import { servedJob } from '../wire/runner.ts'
import { attempt, outputs, slotState } from '../wire/slot.ts'
import type { SlotStatus, Status } from './follow/status.ts'

const TEXT = text(1 << 19)
const orNone = <T>(shape: Shape<T>): Shape<T | null> => either(shape, oneOf(null))
const exitCode = orNone(number(-1e9, 1e9))

const slot = object<SlotStatus>({
  index: count(),
  state: slotState,
  phase: maybe(TEXT),
  attempt: count(),
  exitCode,
  reason: orNone(TEXT),
  machine: orNone(TEXT),
  savedAt: orNone(time),
  attempts: list(attempt, 100_000),
  outputs,
  summary: maybe(TEXT),
  jobs: maybe(list(servedJob, 1000)),
})

const statusShape = object<Status>({
  id: label,
  name: label,
  cloud: word,
  mode: oneOf(...MODES),
  state: either(slotState, oneOf('creating', 'destroying')),
  outcome: oneOf(...OUTCOMES),
  exitCode,
  createdAt: time,
  deadline: time,
  endedAt: orNone(time),
  collected: flag,
  destroyed: flag,
  origin,
  store: TEXT,
  slots: list(slot, 1_000_000),
})

export async function remember(home: string, status: Status): Promise<void> {
  const folder = join(home, 'history')
  await mkdir(folder, { recursive: true })
  await writeWhole(join(folder, `${status.id}.json`), `${JSON.stringify(status, null, 1)}\n`)
}

/** Youngest first. What is cut off, or goes meanwhile, hides none of the others. */
export async function recall(home: string): Promise<Status[]> {
  const folder = join(home, 'history')
  const names = (await namesIn(folder)).filter((name) => /^tpi-.*\.json$/.test(name))
  const read = await Promise.all(names.map((name) => readJson(join(folder, name), statusShape)))
  return read.filter((status) => status !== undefined).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}
