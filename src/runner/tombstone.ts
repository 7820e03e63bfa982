/** What is kept about runners that have left, and whose store is gone: enough to start them again for jobs that are re-run. */
import type { Tombstone } from '../core/cloud.ts'
import { line, list, object, oneOf } from '../lib/shape.ts'
import { parseShape, VERSION } from '../wire/parse.ts'
import { type Registry, registry } from '../wire/records.ts'
import { recordedRequest } from './recorded-request.ts'
import type { RunnerModeRequest } from './request.ts'

export interface RunnersTombstone {
  readonly v: typeof VERSION
  readonly registry: Registry
  readonly labels: readonly string[]
  readonly request: RunnerModeRequest
}

const kept = object<RunnersTombstone>({
  v: oneOf(VERSION),
  registry,
  labels: list(line(4096), 1000),
  request: recordedRequest,
})

export function tombstoneText(facts: Omit<RunnersTombstone, 'v'>): string {
  return JSON.stringify({ v: VERSION, ...facts } satisfies RunnersTombstone)
}

/** Reads it; `undefined`: it is about something else, or of an unknown version. */
export function readTombstone({ tags, text }: Tombstone): RunnersTombstone | undefined {
  if (tags.mode !== 'runner') return undefined
  try {
    return parseShape(kept, text)
  } catch {
    return undefined
  }
}
