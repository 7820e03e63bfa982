/** A run with a reclaim, as reports get it. */
import type { Status } from '../../src/engine/follow/status.ts'
import type { RunReport } from '../../src/report/run.ts'
import type { Attempt } from '../../src/wire/slot.ts'

export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + seconds * 1000).toISOString()

export const FIRST: Attempt = {
  epoch: 1,
  holder: 'm-1',
  start: at(1),
  end: at(61),
  announced: true,
  cause: 'interrupted',
  reason: 'machine reclaimed',
  savedAt: at(58),
}
const SECOND: Attempt = { epoch: 2, holder: 'm-2', start: at(65), end: at(125), cause: 'exit', exitCode: 0 }

/** On two machines, 125 seconds altogether. */
export function status(more: Partial<Status> = {}, slots = 1): Status {
  const slot = {
    state: 'succeeded' as const,
    attempt: 2,
    exitCode: 0,
    reason: null,
    machine: 'm-2',
    savedAt: at(125),
    attempts: [FIRST, SECOND],
    outputs: { accuracy: '0.9' },
  }
  return {
    id: 'tpi-fit-0123456789',
    name: 'fit',
    cloud: 'local',
    mode: 'task',
    state: 'succeeded',
    outcome: 'success',
    exitCode: 0,
    createdAt: at(0),
    deadline: at(3600),
    endedAt: at(125),
    collected: true,
    destroyed: true,
    origin: { commit: 'abc' },
    store: 'file:///s',
    slots: Array.from({ length: slots }, (_, index) => ({ ...slot, index })),
    ...more,
  }
}

export function report(more: Partial<RunReport> = {}): RunReport {
  return {
    status: status(),
    attached: false,
    result: { accuracy: '0.9' },
    keptUntil: undefined,
    artifact: undefined,
    tails: new Map(),
    samples: new Map(),
    price: undefined,
    now: new Date(at(200)),
    delivery: { folder: '/w', files: ['r/a'], bytes: 12, same: 0, beside: [], conflicts: [], saved: true, unmatched: [] },
    ...more,
  }
}
