/** A task as its user asks for it: option values resolved, nothing created yet. Plain data. */

import { type Comparable, type ComparedFields, comparedParts } from '../engine/create/fingerprint.ts'
import { COMPARED_ALIKE, type DeploymentRequest } from '../engine/create/group-spec.ts'
import type { Budget } from '../wire/budget.ts'
import type { Program } from '../wire/program.ts'
import type { RetryRule } from '../wire/retry-rule.ts'
import type { Checkpoint } from '../wire/spec.ts'

export interface TaskRequest extends DeploymentRequest {
  /** Absolute. */
  readonly workdir?: string
  readonly workingDirectory: string
  readonly output: readonly string[]
  /** Absolute. */
  readonly outputDir?: string
  /** The place of outputs relative to the workspace or folder in which the command was given, if they go below it. */
  readonly outputPath?: string
  readonly outputLayout: 'merge' | 'index'
  readonly exclude: readonly string[]
  readonly git: 'auto' | boolean
  readonly program: Program
  readonly secrets: Readonly<Record<string, string>>
  readonly checkpoint: Checkpoint
  readonly retry: RetryRule
  readonly failFast: boolean
  readonly gang: boolean
  readonly keepOnFailure: boolean
  readonly rehearse?: { readonly every: number; readonly seed: number }
  /** USD. */
  readonly maxCost?: number
  /** The same, with the prices for counting: known once the cloud has been asked. */
  readonly budget?: Budget
  readonly ifExists?: 'attach' | 'replace' | 'fail'
  readonly resume: boolean
  /** `true` until the end, `false` detach at once, seconds: detach then. */
  readonly wait: boolean | number
  readonly onCancel: 'stop' | 'detach'
  /** `/` or the home folder as work directory was confirmed. */
  readonly yes: boolean
}

/** Everything that decides what runs, by option name. */
export function comparable(request: TaskRequest): Comparable {
  return comparedParts(request, COMPARED)
}

const COMPARED: ComparedFields<TaskRequest> = {
  ...COMPARED_ALIKE,
  count: (parallelism) => ({ parallelism }),
  size: ({ machine, cpu, memoryBytes: memory, gpu, scratch }) => ({ machine, cpu, memory, gpu, scratch }),
  container: (image) => ({ container: image }),
  workingDirectory: (folder) => ({ 'working-directory': folder }),
  output: (output) => ({ output }),
  program: (script) => ({ script }),
  timeout: (timeout) => ({ timeout }),
  grace: (grace) => ({ grace }),
  checkpoint: ({ interval, globs }) => ({ 'checkpoint-interval': interval, checkpoint: globs }),
  retry: ({ maxAttempts, retries, retryOn }) => ({ 'max-attempts': maxAttempts, retries, 'retry-on': retryOn }),
  failFast: (failFast) => ({ 'fail-fast': failFast }),
  gang: (gang) => ({ gang }),
  env: (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [`env ${name}`, value])),
  // Never their values: they may be renewed.
  secrets: (secrets) => ({ secrets: Object.keys(secrets).sort() }),
  maxCost: (usd) => ({ 'max-cost': usd }),
  // By content, which the upload knows.
  workdir: null,
  exclude: null,
  git: null,
  outputDir: null,
  outputPath: null,
  outputLayout: null,
  keepOnFailure: null,
  rehearse: null,
  budget: null,
  ifExists: null,
  resume: null,
  wait: null,
  onCancel: null,
  yes: null,
}
