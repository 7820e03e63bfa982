/** `spec.json`: what to run. Written once by the controller, read by every agent. Never holds a secret value. */
import type { Mode, Origin } from './records.ts'
import type { RunnerWork } from './runner.ts'

export interface Lease {
  /** Milliseconds between two beats of a holder. */
  readonly beat: number
  /** Milliseconds without a change after which a contender may take over. */
  readonly ttl: number
  /** Milliseconds without the store after which a holder kills its script and leaves. */
  readonly storeGrace: number
}

export interface Lifetime {
  /** ISO. When SIGTERM goes out. Fixed at creation. */
  readonly deadline: string
  /** Seconds between SIGTERM and SIGKILL. */
  readonly grace: number
  /** Seconds kept for the final save after the grace; the native switch is armed at the hard deadline. */
  readonly reserve: number
  /** Seconds that store and last snapshot stay after the end. */
  readonly retention: number
}

/** Seconds that a machine has left when the deadline has come. */
export function overtime({ grace, reserve }: Pick<Lifetime, 'grace' | 'reserve'>): number {
  return grace + reserve
}

/** Milliseconds since 1970: nothing of any machine runs past it. */
export function hardDeadline(lifetime: Omit<Lifetime, 'retention'>): number {
  return Date.parse(lifetime.deadline) + overtime(lifetime) * 1000
}

/** Milliseconds since 1970: nothing is kept past it, whatever became of the machines. */
export function keptUntil(lifetime: Lifetime): number {
  return hardDeadline(lifetime) + lifetime.retention * 1000
}

/** A program to run: text with a shebang (or run by `bash -e -o pipefail`), or argv as it is. */
export type Program = { readonly script: string } | { readonly argv: readonly string[] }

export interface Checkpoint {
  /** Seconds: the longest time between a change and its snapshot. */
  readonly interval: number
  /** Only files that match are saved before the end (and outputs); empty = the whole work directory. */
  readonly globs: readonly string[]
}

export interface RetryRule {
  /** Ends without notice; all of them, unless `lasted` says which count. */
  readonly maxAttempts: number
  /** Seconds after which an attempt that has saved something (a runner: that was registered) has not been in vain: only ends after the last one of these count. */
  readonly lasted?: number
  readonly retries: number
  /** Exit codes, or `oom`; empty with retries > 0 = any failure. */
  readonly retryOn: readonly string[]
}

/** What every mode's deployment is, whatever its machines do. */
export interface CommonSpec {
  readonly v: 1
  readonly id: string
  readonly incarnation: string
  readonly name: string
  readonly mode: Mode
  readonly createdAt: string
  readonly origin: Origin
  readonly count: number
  readonly lifetime: Lifetime
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
  /** Keyed hashes of what "the same command" means; compared by attach. */
  readonly fingerprint: Readonly<Record<string, string>>
  /** The command line's own rehearsal of spot reclaims (local): mean seconds between two, and a seed. */
  readonly rehearse?: { readonly every: number; readonly seed: number }
}

export interface TaskSpec extends CommonSpec {
  readonly mode: 'task'
  readonly program: Program
  /** Digest of the manifest under `base/`; absent when no work directory was given. */
  readonly base?: string
  /** Folder below the work directory in which the script starts. */
  readonly workingDirectory: string
  readonly output: readonly string[]
  readonly checkpoint: Checkpoint
  /** What a controller needs to deliver without the original command: output-dir, layout, workdir, artifact wishes, … */
  readonly delivery: Delivery
}

/** Machines that serve a forge as self-hosted runners. */
export interface RunnerSpec extends CommonSpec {
  readonly mode: 'runner'
  readonly runner: RunnerWork
}

/** What `spec.json` may hold, told apart by `mode`. */
export type Spec = TaskSpec | RunnerSpec

export interface Delivery {
  /** Absolute folder of the caller's work directory, when there was one. */
  readonly workdir?: string
  readonly outputDir?: string
  readonly outputLayout: 'merge' | 'index'
  readonly keepOnFailure: boolean
}

/** `used`: script retries so far. */
export function mayRetry(rule: RetryRule, used: number, code: number, outOfMemory: boolean): boolean {
  if (used >= rule.retries) return false
  return rule.retryOn.length === 0 || rule.retryOn.includes(String(code)) || (outOfMemory && rule.retryOn.includes('oom'))
}
