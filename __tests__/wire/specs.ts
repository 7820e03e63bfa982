/** Minimal parts of specifications, and the record of a slot. */
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

export const TTL = 60_000
export const AT = '2026-01-01T00:00:00Z'
export const COMMON = {
  lifetime: { deadline: AT, grace: 1, reserve: 1, retention: 1 },
  lease: { beat: 1, ttl: TTL, storeGrace: 1 },
  env: {},
  secretNames: [],
  retry: { maxAttempts: 1, retries: 0, retryOn: [] },
  failFast: false,
  gang: false,
  agent: 'a',
  fingerprint: {},
}
const PROGRAM = {
  archive: { digest: 'a'.repeat(64), bytes: 1, parts: 1, version: '1' },
  argv: ['run'],
  env: {},
  files: [],
  idleClock: 'agent',
  jobsPerStart: 1,
  signals: { abort: 'SIGINT' },
  exits: {},
}
export const RUNNER = { forge: 'github', scope: {}, labels: [], label: 'r', jobs: 1, idle: null, enrolled: [], supply: 1, machine: PROGRAM }
export const RELAUNCH = { since: AT, labels: [], request: {}, repositories: [] }
export const TASK = {
  program: { script: 'true' },
  workingDirectory: '.',
  output: [],
  checkpoint: { interval: 1, globs: [] },
  delivery: { outputLayout: 'merge', keepOnFailure: false },
} as const

/** A slot whose only attempt has succeeded. */
export const ENDED_SLOT: SlotRecord = {
  ...newSlot(0, 'nonce', AT),
  state: 'succeeded',
  epoch: 1,
  holder: 'machine-0',
  head: { digest: 'a'.repeat(64), at: 'slots/0/snap/', epoch: 1, savedAt: AT, quiet: true, files: 1, bytes: 1 },
  attempts: [{ epoch: 1, holder: 'machine-0', start: AT, end: AT, cause: 'exit', exitCode: 0, logEnd: 3 }],
  outputs: { metric: '1' },
}
