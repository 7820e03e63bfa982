/** A copy of what the history has of a run, for other people to read: the values that they must not see are masked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrivate } from '../lib/files.ts'
import { Redactor, redactText } from '../lib/redact.ts'
import { type KeptFiles, keptOf, type Past, type Run, recallRun } from './history.ts'
import { hasLog, LogKeeper, readKept } from './kept-log.ts'
import type { LogPiece } from './log-reader.ts'

export interface MaskedCopy extends KeptFiles {
  /** Removes the copy. */
  remove(): Promise<void>
}

/** `needles`: the values to mask. Throws if the history cannot be read or copied; then nothing of the copy is left. */
export async function maskedCopy(home: string, run: Run, needles: readonly Buffer[]): Promise<MaskedCopy> {
  const place = await mkdtemp(join(tmpdir(), 'tpi-log-'))
  const remove = async (): Promise<void> => rm(place, { recursive: true, force: true })
  try {
    const kept = keptOf(place, run)
    await makePrivate(kept.folder)
    const past = await recallRun(home, run)
    const [record = ''] = kept.files
    if (past) await writeFile(record, `${JSON.stringify(maskedRecord(past, needles), null, 1)}\n`, { mode: 0o600 })
    if (await hasLog(home, run)) await maskLog(home, run, place, needles)
    return { ...kept, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A secret may continue in the next piece, so each stream of a slot is searched as a whole. */
async function maskLog(home: string, run: Run, place: string, needles: readonly Buffer[]): Promise<void> {
  const keeper = new LogKeeper(place, run)
  const open = new Map<string, { readonly redactor: Redactor; last: LogPiece }>()
  try {
    for await (const piece of readKept(home, run)) {
      const key = `${piece.slot} ${piece.stream}`
      const stream = open.get(key) ?? { redactor: new Redactor(needles), last: piece }
      open.set(key, stream)
      stream.last = piece
      const bytes = stream.redactor.push(piece.bytes)
      if (bytes.length > 0) keeper.push({ ...piece, bytes })
    }
    for (const { redactor, last } of open.values()) {
      const bytes = redactor.end()
      if (bytes.length > 0) keeper.push({ ...last, bytes })
    }
    await keeper.keep()
  } catch (error) {
    await keeper.drop()
    throw error
  }
}

/** Fields that hold text from a program, or from what started it. All others hold tpi's own words, and names that everybody may see. */
const SAID: ReadonlySet<string> = new Set(['reason', 'outputs', 'summary', 'results'])

function maskedRecord(past: Past, needles: readonly Buffer[]): unknown {
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value, needles)
    return within(value, (_name, inner) => mask(inner))
  }
  const walk = (value: unknown): unknown => within(value, (name, inner) => (SAID.has(name) ? mask(inner) : walk(inner)))
  return walk(past)
}

function within(value: unknown, change: (name: string, inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => change('', inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(name, inner)]))
}
