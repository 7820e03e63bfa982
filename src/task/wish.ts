/** A task as its user wishes it: option values resolved, nothing created yet. Plain data. */

import type { DeploymentWish } from '../engine/group-spec.ts'
import type { Checkpoint, Program, RetryRule } from '../wire/spec.ts'

export interface TaskWish extends DeploymentWish {
  /** Absolute. */
  readonly workdir?: string
  readonly workingDirectory: string
  readonly output: readonly string[]
  /** Absolute. */
  readonly outputDir?: string
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
  readonly ifExists?: 'attach' | 'replace' | 'fail'
  readonly resume: boolean
  /** `true` until the end, `false` detach at once, seconds: detach then. */
  readonly wait: boolean | number
  readonly onCancel: 'stop' | 'detach'
  /** `/` or the home folder as work directory was confirmed. */
  readonly yes: boolean
}

/** Everything that decides what runs, by option name. Where and how it is followed does not count. */
export function comparable(wish: TaskWish): Record<string, unknown> {
  return {
    parallelism: wish.count,
    machine: wish.size.machine,
    cpu: wish.size.cpu,
    memory: wish.size.memoryBytes,
    gpu: wish.size.gpu,
    'disk-size': wish.diskBytes,
    image: wish.image,
    region: wish.region,
    spot: wish.spot,
    'permission-set': wish.permissionSet,
    tags: wish.tags,
    'working-directory': wish.workingDirectory,
    output: wish.output,
    setup: wish.setup,
    script: wish.program,
    timeout: wish.timeout,
    grace: wish.grace,
    'checkpoint-interval': wish.checkpoint.interval,
    checkpoint: wish.checkpoint.globs,
    'max-attempts': wish.retry.maxAttempts,
    retries: wish.retry.retries,
    'retry-on': wish.retry.retryOn,
    'fail-fast': wish.failFast,
    gang: wish.gang,
    ...Object.fromEntries(Object.entries(wish.env).map(([name, value]) => [`env ${name}`, value])),
    secrets: Object.keys(wish.secrets).sort(),
  }
}
