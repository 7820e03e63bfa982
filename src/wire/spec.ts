/** `spec.json`: what to run. Its maker writes it once, and every agent reads it. Secret values are not in it. */
import { fieldsIn } from '../lib/record.ts'
import { count, dictionary, type Fields, flag, line, list, maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import { type Budget, budgetShape } from './budget.ts'
import { type Lifetime, lifetime } from './lifetime.ts'
import { digest, LONG, label, type RecordKind, VERSION, word } from './parse.ts'
import { type Program, program } from './program.ts'
import { type Mode, type Origin, origin } from './records.ts'
import { type RetryRule, retryRule } from './retry-rule.ts'
import { type RunnerFacts, runnerFacts } from './runner.ts'

export interface Lease {
  /** Milliseconds between two signs of life of a holder. */
  readonly beat: number
  /** Milliseconds without a sign of life after which another machine may take over. */
  readonly ttl: number
  /** Milliseconds for which the store may be out of reach before a holder kills its script and leaves. */
  readonly storeGrace: number
}

/** Slots of one deployment, at most. */
export const MOST_SLOTS = 1000

export interface Checkpoint {
  /** Seconds between a change of a file and the next snapshot, at most. */
  readonly interval: number
  /** Until the script ends, snapshots have only files that match, and outputs; empty: the whole work directory. */
  readonly globs: readonly string[]
}

/** What is known of a deployment from the start, and what every cloud remembers of it. */
export interface DeploymentFacts {
  readonly id: string
  readonly incarnation: string
  readonly name: string
  readonly mode: Mode
  readonly createdAt: string
  readonly origin: Origin
  readonly count: number
  readonly lifetime: Lifetime
}

/** What the specifications of both modes have in common. */
export interface CommonSpec extends DeploymentFacts {
  readonly v: typeof VERSION
  readonly lease: Lease
  readonly setup?: Program
  /** Plain environment of the programs. */
  readonly env: Readonly<Record<string, string>>
  /** Names (never values) of the secret environment. */
  readonly secretNames: readonly string[]
  readonly retry: RetryRule
  readonly failFast: boolean
  readonly gang: boolean
  /** Digest of the agent bundle under `agent/`. */
  readonly agent: string
  /** Hashes of what decides what runs (`engine/create/fingerprint.ts`): a command attaches only if its own are the same. */
  readonly fingerprint: Readonly<Record<string, string>>
  /** Rehearsed reclaims (where the cloud can): seconds between two of them on average, and the seed of the random numbers. */
  readonly rehearse?: { readonly every: number; readonly seed: number }
}

export interface TaskSpec extends CommonSpec {
  readonly mode: 'task'
  readonly program: Program
  /** Image of the container in which programs run, on machines that are whole operating systems. */
  readonly container?: string
  /** Digest of the manifest under `base/`; absent: no work directory was uploaded. */
  readonly base?: string
  /** Folder below the work directory in which the script starts. */
  readonly workingDirectory: string
  readonly output: readonly string[]
  readonly checkpoint: Checkpoint
  /** The run is stopped once it has cost this much. */
  readonly budget?: Budget
  /** What a controller needs for a delivery if it is not the one that has started the run. */
  readonly delivery: DeliveryTarget
}

/** Machines that serve a forge as self-hosted runners. */
export interface RunnerSpec extends CommonSpec {
  readonly mode: 'runner'
  readonly runner: RunnerFacts
}

/** What `spec.json` may hold, told apart by `mode`. */
export type Spec = TaskSpec | RunnerSpec

export interface DeliveryTarget {
  /** Where outputs go, relative to the workspace or the folder in which the command was given; absent: not below that. */
  readonly path?: string
  readonly outputLayout: 'merge' | 'index'
  readonly keepOnFailure: boolean
}

const LINE = line(4096)
const PATTERNS = list(text(65_536), 100_000)

export const lease = object<Lease>({ beat: number(1, LONG), ttl: number(1, LONG), storeGrace: number(0, LONG) })

const COMMON: Omit<Fields<CommonSpec>, 'mode'> = {
  v: oneOf(VERSION),
  id: label,
  incarnation: label,
  name: label,
  createdAt: time,
  origin,
  count: count(MOST_SLOTS, 1),
  lifetime,
  lease,
  setup: maybe(program),
  env: dictionary(LINE, text(8 << 20), 100_000),
  secretNames: list(LINE, 100_000),
  retry: retryRule,
  failFast: flag,
  gang: flag,
  agent: word,
  fingerprint: dictionary(LINE, LINE, 1000),
  rehearse: maybe(object<NonNullable<CommonSpec['rehearse']>>({ every: number(0, LONG), seed: number(-LONG, LONG) })),
}

const task = object<TaskSpec>({
  ...COMMON,
  mode: oneOf('task'),
  program,
  container: maybe(LINE),
  base: maybe(digest),
  workingDirectory: text(4096),
  output: PATTERNS,
  checkpoint: object<Checkpoint>({ interval: number(0, LONG), globs: PATTERNS }),
  budget: maybe(budgetShape),
  delivery: object<DeliveryTarget>({
    path: maybe(text(4096)),
    outputLayout: oneOf('merge', 'index'),
    keepOnFailure: flag,
  }),
})

const runner = object<RunnerSpec>({ ...COMMON, mode: oneOf('runner'), runner: runnerFacts })

export const SPEC: RecordKind<Spec> = {
  what: 'the specification of a run',
  most: 32 << 20,
  shape: (value) => (fieldsIn(value)['mode'] === 'task' ? task(value) : runner(value)),
}
