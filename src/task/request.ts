/** A task as its user asks for it, as plain data: option values are resolved, and nothing is created yet. */

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
  /** Where outputs go, relative to the workspace of the CI job or the current folder, if it is below that. */
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
  /** `maxCost` with the prices to count by: known once the cloud has been asked. */
  readonly budget?: Budget
  readonly ifExists?: 'attach' | 'replace' | 'fail'
  readonly resume: boolean
  /** `true`: wait until the end; `false`: detach at once; a number: detach after so many seconds. */
  readonly wait: boolean | number
  /** The user has confirmed a work directory that hardly anybody means, such as `/` or the home folder. */
  readonly yes: boolean
}

/** Everything that decides what runs, by option name: if it differs, it is another run. */
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
  // Only their names: values may be renewed.
  secrets: (secrets) => ({ secrets: Object.keys(secrets).sort() }),
  maxCost: (usd) => ({ 'max-cost': usd }),
  // Compared by its content, which the upload knows.
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
  yes: null,
}
