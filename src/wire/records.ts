/** Small records of a deployment besides the slots. */
import { count, dictionary, flag, json, line, list, maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import { type ExecRequest, execRequest } from './exec.ts'
import { LONG, label, nonce, type RecordKind, VERSION, word } from './parse.ts'
import { type EarlierJobs, earlierJobs } from './runner.ts'

export const MODES = ['task', 'runner'] as const
export type Mode = (typeof MODES)[number]

/** Where a deployment came from. */
export interface Origin {
  readonly repository?: string
  readonly commit?: string
  readonly ref?: string
  readonly runUrl?: string
  /** CI run and step: two steps of one run must never share a deployment. */
  readonly run?: string
  readonly step?: string
  /** The job that the step is in, if a job has several, the same on a re-run: a leg of a matrix is one. Absent if the step does not know its leg. */
  readonly job?: string
  /** The job on its machine: all steps of a leg know that. */
  readonly place?: string
  /** Which attempt of the CI run: in one attempt, a step occurs only once, unless two jobs cannot be told apart. */
  readonly attempt?: string
  /** `user@host`, outside CI. */
  readonly user?: string
}

/** Which forge, and where at that forge, as in `runner.ts`. Never a credential. */
export interface Registry {
  readonly forge: string
  readonly scope: Readonly<Record<string, string>>
}

/** Where an incarnation was made: a later command looks there even if it is meant for another place. */
export interface Whereabouts {
  readonly cloud: string
  /** Where that cloud has several. */
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
  /** Where registrations of it may be, from before the first one is made. */
  readonly registry?: Registry
  /** Its maker or remover renews the nonce at every beat; silent for one TTL = that controller is dead. */
  readonly state: CurrentState
  /** Of what is being removed. */
  readonly why?: Why
  /** Who makes or removes it, for people; and as what process, so that its own host knows when it is dead. */
  readonly by?: string
  readonly process?: string
  /** That TTL, in milliseconds. */
  readonly ttl?: number
  /** Earlier incarnations of which something may be left, the latest first. */
  readonly former?: readonly string[]
  /** Of it and of the former ones, by incarnation. */
  readonly where?: Readonly<Record<string, Whereabouts>>
  /** The same run before it moved here (it had not begun to run): the region of each incarnation. */
  readonly moved?: Readonly<Record<string, string>>
  /** It will be started again as another incarnation: what that needs, in case the controller dies in between. */
  readonly relaunch?: Relaunch
  /** For runners that have left: no job that was cut off is waiting any more, so their store may be removed. */
  readonly settled?: boolean
}

const STATES = ['making', 'open', 'destroying'] as const
export type CurrentState = (typeof STATES)[number]

/** `rollback`: the new incarnation is undone, and the previous one restored. `collected`: waits for its readers. */
const WHYS = ['rollback', 'collected', 'discard', 'sweep'] as const
export type Why = (typeof WHYS)[number]

/** Runners that jobs wait for, as their specification had them. */
export interface Relaunch {
  /** ISO. */
  readonly since: string
  readonly labels: readonly string[]
  readonly request: Readonly<Record<string, unknown>>
  /** Where its jobs can be. */
  readonly repositories: readonly string[]
  /** How often in a row they were started in vain. */
  readonly tries?: number
  /** Jobs of theirs that were cut off, and are not re-run yet. */
  readonly earlier?: EarlierJobs
}

/** Requests of controllers, and facts that only they can see, read by every agent about once a second. Changes only by compare-and-swap. */
export interface ControlRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  readonly stop?: StopRequest
  /** Rehearsed reclaims, if the cloud cannot give notice itself. */
  readonly interrupts?: readonly InterruptRequest[]
  /** Commands beside the script, if the cloud cannot run them on a machine. */
  readonly execs?: readonly ExecRequest[]
  /** ISO, the controller's clock: when it had seen each runner of the launch online at the forge. */
  readonly online?: string
  /** USD per hour of one machine, as it was then. */
  readonly price?: number
}

export interface StopRequest {
  readonly at: string
  /** Who asked, for people: `cancel`, `stop`, `replace`, `fail-fast`, `deadline`, … */
  readonly by: string
  /** Seconds between SIGTERM and SIGKILL; the task's own grace when absent. */
  readonly grace?: number
}

export interface InterruptRequest {
  readonly id: string
  readonly at: string
  /** Absent: every slot. */
  readonly slot?: number
}

/** `collected.json`, created once by the controller whose delivery is complete. */
export interface CollectedRecord {
  readonly v: typeof VERSION
  readonly at: string
  readonly by: string
  /** Where the results are, from the point of view of the command that delivered them. */
  readonly to?: string
  readonly heads: Readonly<Record<string, string>>
}

/** `settled.json`: final answers of a forge about jobs that were cut off. Changes only by compare-and-swap. */
export interface SettledRecord {
  readonly v: typeof VERSION
  readonly nonce: string
  /** Execution of a job → what was said. */
  readonly jobs: Readonly<Record<string, string>>
  /** Names of registrations, or of their machines, that were taken away, but no job with them. */
  readonly unharmed: readonly string[]
}

/** `secrets/registration/<slot>`: files of a runner's own program, by their paths. Removed with the end of the slot. */
export interface RegistrationRecord {
  readonly v: typeof VERSION
  readonly files: Readonly<Record<string, string>>
}

/** `secrets/env.json`: secret environment of the script. Removed by the machine or controller that closes the last slot. */
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
