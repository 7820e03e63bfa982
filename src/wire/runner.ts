/** What a machine must know to serve a forge as a runner: plain data, made by the forge's room, for an agent that knows no forge. */

import { constants } from 'node:os'
import { count, dictionary, flag, json, line, list, maybe, number, object, oneOf, orNone, type Shape, text, time } from '../lib/shape.ts'
import { digest, LONG, word } from './parse.ts'
import { type Program, program } from './program.ts'

/** Where runners are registered, as its forge understands it. Never a credential. */
export type RunnerScope = Readonly<Record<string, string>>

/** One registration that was made for a slot, or that its machine makes. Its credential lies under `secrets/once/<slot>-<k>`. */
export interface EnrolledRunner {
  readonly slot: number
  readonly k: number
  /** The forge's id of the runner object, which is used in addresses; absent: the machine registers itself, and is identified by its name. */
  readonly id?: string
  readonly name: string
}

export interface RunnerFacts {
  /** Which entry of `forges/registry.ts` made it. */
  readonly forge: string
  readonly scope: RunnerScope
  /** All labels, as registered. */
  readonly labels: readonly string[]
  /** The label that only jobs meant for this deployment name. */
  readonly label: string
  /** Jobs that each slot serves; `null` = without limit. */
  readonly jobs: number | null
  /** Seconds without a job after which a runner leaves; `null` = never. */
  readonly idle: number | null
  /** Seconds for which a runner must have done nothing before it counts as idle; absent in records of older versions. */
  readonly rest?: number
  readonly enrolled: readonly EnrolledRunner[]
  /** ISO, the controller's clock: when the forge had accepted all of these; absent in records of older versions. */
  readonly registered?: string
  /** Credentials per slot, numbered from 0. */
  readonly supply: number
  readonly machine: RunnerProgram
  /** Runs once per machine, after the program is installed and before it starts. */
  readonly setup?: Program
  /** What `tpi retry` needs to launch the same again. */
  readonly relaunch: Readonly<Record<string, unknown>>
  /** What an earlier launch of these runners has left to decide. */
  readonly earlier?: EarlierJobs
}

/**
 * A part of the forge's own runner program. Text fields may hold `{folder}`, `{run}`, `{work}`, `{name}`, `{idle}`, `{jobs}`, `{slot}`,
 * `{attempt}`, `{machine}`, `{timeline}` (several lines) and `{mark}` (see `markOf`, of the name), those of files also `{credential}`.
 */
export interface RunnerProgram {
  readonly archive: RunnerArchive
  /** Where it is in the forge's own image. */
  readonly inImage?: RunnerInImage
  /** Program and arguments; the program is below the folder that the archive is unpacked to. */
  readonly argv: readonly string[]
  /** Further environment of the runner. */
  readonly env: Readonly<Record<string, string>>
  /** Further environment if no library of this name is found on its machine. */
  readonly lacking?: { readonly library: string; readonly env: Readonly<Record<string, string>> }
  /** The variable that takes the credential of each start; absent: one of the files has it, or the machine is registered already. */
  readonly credential?: string
  /** A credential is valid for any number of starts and machines, one after the other: each slot has one. */
  readonly reusable?: true
  /** Absent: each start takes a credential of its own, or the one of its slot. */
  readonly registration?: RunnerRegistration
  /** Files to write below the folder before each start. */
  readonly files: readonly RunnerFile[]
  /** Files below the folder to remove before each start: those of another credential would be mistaken for this one's. */
  readonly stale?: readonly string[]
  /** File below the folder that says that a newer version of it is in place. */
  readonly updated?: string
  /** Absent: it has no job hooks, and only its worker processes show whether it is busy. */
  readonly hooks?: RunnerHooks
  /** Name of the process that exists exactly while a job runs. */
  readonly worker?: string
  /** Who ends an idle runner: the agent, or the runner by itself. */
  readonly idleClock: 'agent' | 'runner'
  /** Jobs that one start serves; `null` = as many as the slot is to serve. */
  readonly jobsPerStart: number | null
  readonly signals: {
    /** Ends a running job at once and clearly. */
    readonly abort: NodeJS.Signals
    /** Seconds that its job then has; after that its processes are killed, because it would wait for them. Absent: it kills them itself. */
    readonly jobEnds?: number
    /** Takes no further job and ends after the present one; absent: it cannot. */
    readonly drain?: NodeJS.Signals
  }
  /** Exit code → what it means; a code that does not exist is a failure. */
  readonly exits: Readonly<Record<string, RunnerExit>>
  /** Asked now and then while it waits for jobs; absent: its program ends by itself when its registration is gone. */
  readonly standing?: RunnerStanding
  /** Absent: its program always ends its session itself. */
  readonly session?: RunnerSession
  /** Called once the last slot is closed, so that nothing is left at the forge. */
  readonly farewell?: RunnerCall
}

export interface RunnerInImage {
  /** As the archive unpacks: a folder, or one program. */
  readonly path: string
  /** What shows its version. */
  readonly version: readonly string[]
  /** No version was asked for: in place of a download, any from this one on will do. What was newest at the start may be replaced meanwhile. */
  readonly from?: string
}

/** A machine registers itself, once for all its starts. The resulting files make a machine the runner, so the next machine of the slot gets them. */
export interface RunnerRegistration {
  /** As `argv` of the runner. */
  readonly argv: readonly string[]
  /** The variable that takes the credential of the slot. */
  readonly credential: string
  /** Texts below the folder that make the registration. */
  readonly files: readonly RegistrationFile[]
  /** For people: why it may be refused. */
  readonly refused: string
  /** For people: what becomes of a registration that nobody removes, as a sentence about "one". */
  readonly stays: string
}

export interface RegistrationFile {
  readonly path: string
  /** It is JSON: its values are never printed. */
  readonly secret?: true
}

export interface RunnerExit {
  /**
   * `done` it exited normally · `again` start it again, by the same credential unless that has had its job · `next` start it again by the
   * next credential · `failed`
   */
  readonly means: 'done' | 'again' | 'next' | 'failed'
  readonly says: string
  /** A newer version of it is put in place meanwhile. */
  readonly updates?: true
  /** Its job has not succeeded. */
  readonly failed?: true
}

export interface RunnerFile {
  readonly path: string
  readonly text: string
  readonly mode?: number
  /** Values are filled in inside JSON strings. */
  readonly json?: true
}

export interface RunnerHooks {
  /** Variables that name a script to run as a job starts and as it ends. */
  readonly started: string
  readonly completed: string
  /** Variables of the job that are worth keeping, by tpi's name for them. */
  readonly facts: Readonly<Record<string, string>>
}

/**
 * One request that needs nothing but the credential the machine had: `{credential}` in the body stands for it, `{mark}` for that of its
 * runner's name.
 */
export interface RunnerCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A value in the files that make a registration: a file of JSON, and the names that lead there, in whatever letters they are written. */
export type RegistrationValue = readonly [file: string, ...names: string[]]

/**
 * What its program does at its end, for the agent that had to kill it: one request with a token of OAuth 2.0, which is to be had for an
 * assertion that the runner's own key signs (RFC 7523). What is asked for lies in the files that make its registration: those that it left
 * behind, or those that its credential packs (base64 of JSON: names, and texts in base64).
 */
export interface RunnerSession {
  readonly method: string
  /** Below `server`. */
  readonly path: string
  /** Only where this says "true". */
  readonly where: RegistrationValue
  readonly server: RegistrationValue
  readonly client: RegistrationValue
  readonly audience: RegistrationValue
  /** Where tokens are; absent in the files: the audience. */
  readonly endpoint: RegistrationValue
  /** "true": RSA-PSS. */
  readonly pss: RegistrationValue
  /** File with the parameters of the RSA key, as .NET writes them. */
  readonly key: string
}

export interface RunnerStanding extends RunnerCall {
  /** HTTP statuses that mean: there is no such registration. */
  readonly gone: readonly number[]
}

/** Bytes under `agent/<digest>.<part>`, cut into pieces that a store takes: a tar.gz, or one program when `file` names it. */
export interface RunnerArchive {
  /** SHA-256, hex. */
  readonly digest: string
  readonly bytes: number
  readonly parts: number
  readonly file?: string
  readonly version: string
  /** It has no parts in the store: a machine whose image does not have it downloads it from the forge. */
  readonly url?: string
}

/** A job that a slot served, by what the forge's hooks said about it. */
export interface ServedJob {
  readonly epoch: number
  /** ISO, the machine's clock. */
  readonly start: string
  readonly end?: string
  /** Its machine was taken away. */
  readonly interrupted?: boolean
  /** Facts by the names of `RunnerHooks.facts`: `run`, `attempt`, `job`, `repository`, … */
  readonly facts: Readonly<Record<string, string>>
}

/** A machine that was taken away before a hook reported a job: the forge may know of one. */
export interface UnreportedJob {
  readonly enrolled: EnrolledRunner
  /** When it may have had a job, ISO: the latest. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** The text by which `tpi retry` remembers it. */
  readonly as: string
}

/** Jobs, and machines, that are carried over from launch to launch: the latest. */
export const MOST_EARLIER = 1000
/** Lives of each of these machines. */
export const MOST_LIVES = 20

/** For `tpi retry`, when the records of a launch are replaced by those of the next one. */
export interface EarlierJobs {
  /** Of each run of the forge in which a job is still to be re-run: all that the launch has served, `interrupted` if they were cut off. */
  readonly jobs: readonly ServedJob[]
  readonly unreported: readonly UnreportedJob[]
}

const LINE = line(4096)
/** May have several lines. */
const TEXT = text(1 << 20)
const FACTS = dictionary(LINE, TEXT, 1000)
const ARGV = list(TEXT, 10_000)
const signal: Shape<NodeJS.Signals> = oneOf(...(Object.keys(constants.signals) as NodeJS.Signals[]))

const call = { method: LINE, url: TEXT, headers: FACTS, body: TEXT } as const

const value: Shape<RegistrationValue> = (found) => {
  const [file = '', ...names] = list(LINE, 10)(found)
  return [file, ...names]
}
const session = object<RunnerSession>({
  method: LINE,
  path: LINE,
  where: value,
  server: value,
  client: value,
  audience: value,
  endpoint: value,
  pss: value,
  key: LINE,
})

const machine = object<RunnerProgram>({
  archive: object<RunnerArchive>({ digest, bytes: count(), parts: count(100_000), file: maybe(LINE), version: LINE, url: maybe(LINE) }),
  inImage: maybe(object<RunnerInImage>({ path: LINE, version: ARGV, from: maybe(LINE) })),
  argv: ARGV,
  env: FACTS,
  lacking: maybe(object<NonNullable<RunnerProgram['lacking']>>({ library: LINE, env: FACTS })),
  credential: maybe(LINE),
  reusable: maybe(oneOf(true)),
  registration: maybe(
    object<RunnerRegistration>({
      argv: ARGV,
      credential: LINE,
      files: list(object<RegistrationFile>({ path: LINE, secret: maybe(oneOf(true)) }), 100),
      refused: TEXT,
      stays: TEXT,
    }),
  ),
  files: list(object<RunnerFile>({ path: LINE, text: TEXT, mode: maybe(count(0o7777)), json: maybe(oneOf(true)) }), 1000),
  stale: maybe(list(LINE, 100)),
  updated: maybe(LINE),
  hooks: maybe(object<RunnerHooks>({ started: LINE, completed: LINE, facts: FACTS })),
  worker: maybe(LINE),
  idleClock: oneOf('agent', 'runner'),
  jobsPerStart: orNone(count()),
  signals: object<RunnerProgram['signals']>({ abort: signal, jobEnds: maybe(number(0, 1e6)), drain: maybe(signal) }),
  exits: dictionary(
    LINE,
    object<RunnerExit>({
      means: oneOf('done', 'again', 'next', 'failed'),
      says: TEXT,
      updates: maybe(oneOf(true)),
      failed: maybe(oneOf(true)),
    }),
    1000,
  ),
  standing: maybe(object<RunnerStanding>({ ...call, gone: list(count(999), 100) })),
  session: maybe(session),
  farewell: maybe(object<RunnerCall>(call)),
})

export const servedJob = object<ServedJob>({
  epoch: count(),
  start: time,
  end: maybe(time),
  interrupted: maybe(flag),
  facts: dictionary(text(1000), text(1000), 100),
})

const enrolled = object<EnrolledRunner>({ slot: count(), k: count(), id: maybe(word), name: LINE })

export const earlierJobs = object<EarlierJobs>({
  jobs: list(servedJob, MOST_EARLIER),
  unreported: list(
    object<UnreportedJob>({ enrolled, away: list(object<UnreportedJob['away'][number]>({ from: time, to: time }), MOST_LIVES), as: LINE }),
    MOST_EARLIER,
  ),
})

export const runnerFacts = object<RunnerFacts>({
  forge: word,
  scope: dictionary(LINE, LINE, 100),
  labels: list(LINE, 1000),
  label: LINE,
  jobs: orNone(count()),
  idle: orNone(number(0, LONG)),
  rest: maybe(number(0, LONG)),
  enrolled: list(enrolled, 1_000_000),
  registered: maybe(time),
  supply: count(),
  machine,
  setup: maybe(program),
  relaunch: dictionary(LINE, json(), 1000),
  earlier: maybe(earlierJobs),
})
