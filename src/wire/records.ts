/** Small records of a deployment, besides those of slots. */
import { count, dictionary, flag, json, line, list, maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import { type ExecRequest, execRequest } from './exec.ts'
import { LONG, label, nonce, type RecordKind, VERSION, word } from './parse.ts'
import { type EarlierJobs, earlierJobs } from './runner.ts'

export const MODES = ['task', 'runner'] as const
export type Mode = (typeof MODES)[number]

/** Where a deployment comes from: a step of a CI job, or a user. */
export interface Origin {
  readonly repository?: string
  readonly commit?: string
  readonly ref?: string
  readonly runUrl?: string
  /** The CI run. */
  readonly run?: string
  /** The step: two steps of one CI run must never share a deployment. */
  readonly step?: string
  /** The step's job, the same on a re-run; each leg of a matrix is a job. Absent if the step does not know its leg. */
  readonly job?: string
  /** The job on its machine: all steps of a leg know that. */
  readonly place?: string
  /** Which attempt of the CI run. In one attempt, a step occurs only once, unless two jobs look the same. */
  readonly attempt?: string
  /** `user@host`, outside CI. */
  readonly user?: string
}

/** Which forge, and where at that forge (`RunnerScope`). Never a credential. */
export interface Registry {
  readonly forge: string
  readonly scope: Readonly<Record<string, string>>
}

/** Where an incarnation was made: a later command looks for it there, even if its own options name another region. */
export interface Whereabouts {
  readonly cloud: string
  /** Absent: that cloud has only one. */
  readonly region?: string
}

/** `<id>/current.json`: which incarnation is the current one. Changes only by compare-and-swap. */
export interface CurrentRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  readonly id: string
  readonly name: string
  readonly incarnation: string
  readonly createdAt: string
  readonly origin: Origin
  /** Where its runners are registered; on record before the first one is, so that none is ever left unknown. */
  readonly registry?: Registry
  /** In *making* and *destroying*, the maker or remover renews the nonce at every beat; if it is silent for a TTL, it counts as dead. */
  readonly state: CurrentState
  /** Why it is being removed. */
  readonly why?: Why
  /** Who makes or removes it, for people. */
  readonly by?: string
  /** The mark of the process that does it (`writerMark`): its own host knows when that is dead. */
  readonly process?: string
  /** Milliseconds of silence after which whoever makes or removes it counts as dead. */
  readonly ttl?: number
  /** Earlier incarnations of which something may be left, the latest first. */
  readonly former?: readonly string[]
  /** Where this incarnation and the former ones are, by incarnation. */
  readonly where?: Readonly<Record<string, Whereabouts>>
  /** Earlier incarnations of the same run, which has moved here before it had begun to work, and the region of each. */
  readonly moved?: Readonly<Record<string, string>>
  /** It will be started again as another incarnation: what that needs, in case the controller dies in between. */
  readonly relaunch?: Relaunch
  /** Runners: no job that was cut off is waiting any more, so their store may be removed. */
  readonly settled?: boolean
}

const STATES = ['making', 'open', 'destroying'] as const
export type CurrentState = (typeof STATES)[number]

/**
 * `rollback` a creation is undone, and the previous incarnation restored · `collected` results, if any, were delivered: its remover waits for
 * readers · `discard` at once, whatever becomes of results · `sweep` its time is over
 */
const WHYS = ['rollback', 'collected', 'discard', 'sweep'] as const
export type Why = (typeof WHYS)[number]

/** Runners that are to be started again, because jobs wait for them. */
export interface Relaunch {
  /** ISO. */
  readonly since: string
  readonly labels: readonly string[]
  /** As their specification had it (`RunnerFacts.relaunch`). */
  readonly request: Readonly<Record<string, unknown>>
  /** Where their jobs can be. */
  readonly repositories: readonly string[]
  /** How often in a row starting them has failed. */
  readonly tries?: number
  /** Their jobs that were cut off, and are not re-run yet. */
  readonly earlier?: EarlierJobs
}

/**
 * `control.json`: requests of controllers, and facts that only they can see. Every agent reads it about once a second. Changes only by
 * compare-and-swap.
 */
export interface ControlRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  readonly stop?: StopRequest
  /** Reclaims to rehearse, if the cloud itself cannot give notice. */
  readonly interrupts?: readonly InterruptRequest[]
  /** Commands to run beside the script, if the cloud cannot run them on a machine. */
  readonly execs?: readonly ExecRequest[]
  /** ISO, the controller's clock: by then it had seen each runner of the launch online at the forge. */
  readonly online?: string
  /** USD that one machine cost per hour then. */
  readonly price?: number
}

export interface StopRequest {
  readonly at: string
  /** Who or what asks, for people. Two texts have a meaning: `fail-fast` and `deadline` (`stoppedBy`). */
  readonly by: string
  /** Seconds between SIGTERM and SIGKILL; absent: as the specification says. */
  readonly grace?: number
}

export interface InterruptRequest {
  readonly id: string
  readonly at: string
  /** Absent: every slot. */
  readonly slot?: number
}

/** `collected.json`: the results were delivered. Written once, by the first controller that has delivered them. */
export interface CollectedRecord {
  readonly v: typeof VERSION
  readonly at: string
  readonly by: string
  /** Where the results are, as the command that delivered them names the folder. */
  readonly to?: string
  /** Slot → digest of the head that was delivered. */
  readonly heads: Readonly<Record<string, string>>
}

/** `settled.json`: what a forge has finally answered about jobs that were cut off. Changes only by compare-and-swap. */
export interface SettledRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  /** Execution of a job → the answer, for people. */
  readonly jobs: Readonly<Record<string, string>>
  /** Registrations (`UnreportedJob.as`) whose machines were taken away without a job. */
  readonly unharmed: readonly string[]
}

/** `secrets/registration/<slot>`: files of the runner program, by their paths. Removed when the slot has ended. */
export interface RegistrationRecord {
  readonly v: typeof VERSION
  readonly files: Readonly<Record<string, string>>
}

/** `secrets/env.json`: the secret environment of the script. Removed by whoever closes the last slot. */
export interface SecretsRecord {
  readonly v: typeof VERSION
  readonly env: Readonly<Record<string, string>>
}

const LINE = line(4096)
const v = oneOf(VERSION)

export const origin = object<Origin>({
  repository: maybe(LINE),
  commit: maybe(LINE),
  ref: maybe(LINE),
  runUrl: maybe(LINE),
  run: maybe(LINE),
  step: maybe(LINE),
  job: maybe(LINE),
  place: maybe(LINE),
  attempt: maybe(LINE),
  user: maybe(LINE),
})

export const registry = object<Registry>({ forge: word, scope: dictionary(LINE, LINE, 100) })

const relaunch = object<Relaunch>({
  since: time,
  labels: list(LINE, 1000),
  request: dictionary(LINE, json(), 1000),
  repositories: list(LINE, 10_000),
  tries: maybe(count()),
  earlier: maybe(earlierJobs),
})

export const CURRENT: RecordKind<CurrentRecord> = {
  what: 'the record of a run',
  most: 4 << 20,
  shape: object<CurrentRecord>({
    v,
    nonce,
    id: label,
    name: label,
    incarnation: label,
    createdAt: time,
    origin,
    registry: maybe(registry),
    state: oneOf(...STATES),
    why: maybe(oneOf(...WHYS)),
    by: maybe(LINE),
    process: maybe(LINE),
    ttl: maybe(number(0, LONG)),
    former: maybe(list(label, 1000)),
    where: maybe(dictionary(label, object<Whereabouts>({ cloud: word, region: maybe(label) }), 1001)),
    moved: maybe(dictionary(label, label, 1000)),
    relaunch: maybe(relaunch),
    settled: maybe(flag),
  }),
}

export const CONTROL: RecordKind<ControlRecord> = {
  what: 'the record of requests',
  most: 4 << 20,
  shape: object<ControlRecord>({
    v,
    nonce,
    stop: maybe(object<StopRequest>({ at: time, by: LINE, grace: maybe(number(0, 1e9)) })),
    interrupts: maybe(list(object<InterruptRequest>({ id: nonce, at: time, slot: maybe(count()) }), 100_000)),
    execs: maybe(list(execRequest, 100)),
    online: maybe(time),
    price: maybe(number(0, 1e6)),
  }),
}

export const COLLECTED: RecordKind<CollectedRecord> = {
  what: 'the record of a delivery',
  most: 4 << 20,
  shape: object<CollectedRecord>({ v, at: time, by: LINE, to: maybe(LINE), heads: dictionary(LINE, LINE, 1_000_000) }),
}

export const SETTLED: RecordKind<SettledRecord> = {
  what: 'the record of jobs that are settled',
  most: 16 << 20,
  shape: object<SettledRecord>({ v, nonce, jobs: dictionary(text(65_536), text(65_536), 100_000), unharmed: list(LINE, 100_000) }),
}

export const REGISTRATION: RecordKind<RegistrationRecord> = {
  what: 'the registration of a runner',
  most: 16 << 20,
  shape: object<RegistrationRecord>({ v, files: dictionary(LINE, text(8 << 20), 100) }),
}

export const SECRETS: RecordKind<SecretsRecord> = {
  what: 'the secret environment',
  most: 32 << 20,
  shape: object<SecretsRecord>({ v, env: dictionary(LINE, text(32 << 20), 100_000) }),
}
