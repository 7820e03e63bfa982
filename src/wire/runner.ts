/** What a machine must know to serve a forge as a runner. Plain data, made in the forge's room, for an agent that knows no forge. */

import { constants } from 'node:os'
import { count, dictionary, flag, json, line, list, maybe, number, object, oneOf, orNone, type Shape, text, time } from '../lib/shape.ts'
import { digest, LONG, word } from './parse.ts'
import { type Program, program } from './program.ts'

/** Where at a forge runners are registered, in the forge's own terms. Never a credential. */
export type RunnerScope = Readonly<Record<string, string>>

/** One registration that was made for a slot, or that its machine makes. Its credential is under `secrets/once/<slot>-<k>`. */
export interface EnrolledRunner {
  readonly slot: number
  /** Number of the registration among those of its slot, from 0. */
  readonly k: number
  /** The forge's id of the runner, for addresses; absent: the machine registers itself, and only the name is known. */
  readonly id?: string
  readonly name: string
}

export interface RunnerFacts {
  /** Which entry of `forges/registry.ts` made it. */
  readonly forge: string
  readonly scope: RunnerScope
  /** All labels, as registered. */
  readonly labels: readonly string[]
  /** The one among them that no other runner has: only jobs that are meant for this deployment name it. */
  readonly label: string
  /** Jobs that each slot serves; `null` = without limit. */
  readonly jobs: number | null
  /** Seconds without a job after which a runner leaves; `null` = never. */
  readonly idle: number | null
  /** Seconds for which a runner must have done nothing before its machine leaves for lack of a job; absent: the agent decides. */
  readonly rest?: number
  readonly enrolled: readonly EnrolledRunner[]
  /** ISO, the controller's clock: when the forge had accepted all of these; absent: machines register themselves. */
  readonly registered?: string
  /** How many credentials each slot has. */
  readonly supply: number
  readonly machine: RunnerProgram
  /** Runs once on each machine, after the runner program is installed and before it starts. */
  readonly setup?: Program
  /** The request, for `tpi retry`, which starts the same runners again. */
  readonly relaunch: Readonly<Record<string, unknown>>
  /** Jobs of an earlier launch of these runners that are still to be re-run, or asked about. */
  readonly earlier?: EarlierJobs
}

/**
 * How the forge's own runner program is installed and run. The agent fills in placeholders in its texts: `{folder}`, `{run}`, `{work}`, `{name}`,
 * `{idle}`, `{jobs}`, `{slot}`, `{attempt}`, `{machine}`, `{timeline}` (several lines), `{mark}` (`markOf` the name), and in files also
 * `{credential}`.
 */
export interface RunnerProgram {
  readonly archive: RunnerArchive
  /** Where the program is in the forge's own image. */
  readonly inImage?: RunnerInImage
  /** Program and arguments; the program is below the folder into which the archive is unpacked. */
  readonly argv: readonly string[]
  /** Further environment of the runner. */
  readonly env: Readonly<Record<string, string>>
  /** Further environment if its machine has no library of this name. */
  readonly lacking?: { readonly library: string; readonly env: Readonly<Record<string, string>> }
  /** The variable that takes the credential of each start; absent: one of the files has it, or the machine is registered already. */
  readonly credential?: string
  /** A credential is valid for any number of starts, on one machine after the other, so each slot has only one. */
  readonly reusable?: true
  /** How a machine registers itself, once for all its starts; absent: each start takes a credential, its own or that of its slot. */
  readonly registration?: RunnerRegistration
  /** Files to write below the folder before each start. */
  readonly files: readonly RunnerFile[]
  /** Files below the folder to remove before each start: they belong to the former credential, and the program would use them. */
  readonly stale?: readonly string[]
  /** A file below the folder: if it is there, the program has put a newer version of itself in place. */
  readonly updated?: string
  /** Absent: the program has no job hooks, and only its worker processes show whether it is busy. */
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
    /**
     * Seconds that the job then has before the agent kills its processes, because the program would wait for them. Absent: the program kills them.
     */
    readonly jobEnds?: number
    /** Makes it take no further job, and end after the present one; absent: no signal does. */
    readonly drain?: NodeJS.Signals
  }
  /** Exit code → what it means; any other code is a failure. */
  readonly exits: Readonly<Record<string, RunnerExit>>
  /** Asks the forge now and then, while the program waits for jobs, whether the registration exists; absent: the program ends if it does not. */
  readonly standing?: RunnerStanding
  /** How the agent ends the program's session at the forge after it had to kill the program; absent: that is not necessary. */
  readonly session?: RunnerSession
  /** A last call, once the last slot is closed, so that nothing is left at the forge. */
  readonly farewell?: RunnerCall
}

export interface RunnerInImage {
  /** A folder, or one program, as the archive has it. */
  readonly path: string
  /** The command that prints its version. */
  readonly version: readonly string[]
  /** Present if the user asked for no version: this one or a newer one is used in place of a download. */
  readonly from?: string
}

/** How a machine registers itself. Whoever has the resulting files is the runner, so the next machine of the slot gets them. */
export interface RunnerRegistration {
  /** As `argv` of the runner. */
  readonly argv: readonly string[]
  /** The variable that takes the credential of the slot. */
  readonly credential: string
  /** The files, below the folder, that make the registration. */
  readonly files: readonly RegistrationFile[]
  /** For people: why the forge may refuse to register it. */
  readonly refused: string
  /** For people: what becomes of a registration that nobody removes, as a sentence about "one". */
  readonly stays: string
}

export interface RegistrationFile {
  readonly path: string
  /** It is JSON, and its values are never printed. */
  readonly secret?: true
}

export interface RunnerExit {
  /**
   * `done` it has done its work · `again` it is started again, with the same credential unless that has had its job · `next` it is started again with
   * the next credential · `failed` it is not started again
   */
  readonly means: 'done' | 'again' | 'next' | 'failed'
  /** For people. */
  readonly says: string
  /** It is just putting a newer version of itself in place. */
  readonly updates?: true
  /** Its job did not succeed. */
  readonly failed?: true
}

export interface RunnerFile {
  readonly path: string
  readonly text: string
  readonly mode?: number
  /** The text is JSON: what is filled in is escaped as in its strings. */
  readonly json?: true
}

export interface RunnerHooks {
  /** The variable that names a script to run when a job starts. */
  readonly started: string
  /** The same when a job ends. */
  readonly completed: string
  /** tpi's name for a fact of a job → the job's variable that has it. */
  readonly facts: Readonly<Record<string, string>>
}

/** One request with nothing but the credential that the machine had: `{credential}` in the body stands for that, `{mark}` for `markOf` the name. */
export interface RunnerCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where a value is among the files of a registration: in which file of JSON, and below which names there (upper and lower case are the same). */
export type RegistrationValue = readonly [file: string, ...names: string[]]

/**
 * The request with which the program ends its session, for an agent that had to kill it. The request needs a token of OAuth 2.0, which the forge
 * gives for an assertion that the runner's own key signs (RFC 7523). Its parts are in the files of the registration: those that the program has
 * left, or those that are packed in its credential (base64 of JSON: names of files, and their texts in base64).
 */
export interface RunnerSession {
  readonly method: string
  /** Below `server`. */
  readonly path: string
  /** The request is made only if this value is "true". */
  readonly where: RegistrationValue
  readonly server: RegistrationValue
  readonly client: RegistrationValue
  readonly audience: RegistrationValue
  /** Where tokens are to be had; if the files do not say: at the audience. */
  readonly endpoint: RegistrationValue
  /** If this value is "true", the key signs with RSA-PSS. */
  readonly pss: RegistrationValue
  /** File with the parameters of the RSA key, as .NET writes them. */
  readonly key: string
}

export interface RunnerStanding extends RunnerCall {
  /** HTTP statuses that mean that there is no such registration. */
  readonly gone: readonly number[]
}

/** The forge's runner program, in parts that a store takes (`agentPart`): a tar.gz, or one program (`file`). */
export interface RunnerArchive {
  /** SHA-256, hex. */
  readonly digest: string
  readonly bytes: number
  readonly parts: number
  /** It is one program with this name. */
  readonly file?: string
  readonly version: string
  /** Present if the store has no parts of it: a machine whose image does not have the program downloads it from here. */
  readonly url?: string
}

/** A job that a slot served, according to the forge's hooks. */
export interface ServedJob {
  readonly epoch: number
  /** ISO, the machine's clock. */
  readonly start: string
  readonly end?: string
  /** The job was cut off: its machine was taken away. */
  readonly interrupted?: boolean
  /** Facts by the names of `RunnerHooks.facts`: `run`, `attempt`, `job`, `repository`, … */
  readonly facts: Readonly<Record<string, string>>
}

/** A registration whose machine was taken away before a hook reported a job: only the forge knows whether it had one. */
export interface UnreportedJob {
  readonly enrolled: EnrolledRunner
  /** When its machines lived that were taken away, ISO: the last few. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** The text by which `tpi retry` remembers the answer. */
  readonly as: string
}

/** Jobs, and unreported ones, that are carried over from launch to launch: the latest. */
export const MOST_EARLIER = 1000
/** Lives of machines for each unreported job. */
export const MOST_LIVES = 20

/** What `tpi retry` keeps of a launch whose records are replaced by those of the next one. */
export interface EarlierJobs {
  /** All jobs that the launch has served in runs of the forge in which one is still to be re-run; `interrupted`: it was cut off. */
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
