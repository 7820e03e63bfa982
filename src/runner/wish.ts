/** Runners as their user wishes them: option values resolved, nothing created yet. Plain data. */

import type { ContainerWish, Platform } from '../core/forge.ts'
import type { DeploymentWish } from '../engine/group-spec.ts'
import type { Program } from '../wire/spec.ts'

export interface RunnerModeWish extends DeploymentWish {
  /** Once the forge's runner program is there. */
  readonly setupAfter?: Program
  /** Jobs run in containers. */
  readonly containers?: ContainerWish
  /** As given; the unique one and the forge's own are added. */
  readonly labels: readonly string[]
  readonly defaultLabels: boolean
  /** `null` = without limit. */
  readonly jobs: number | null
  /** Seconds; `null` = never. */
  readonly idle: number | null
  readonly group?: string
  /** Of the forge's runner program; absent: what the forge offers. */
  readonly version?: string
  readonly platform: Platform
  readonly retry: number
  /** Seconds. */
  readonly onlineTimeout: number
}

/** What decides whether a deployment that is there is the one that is asked for. */
export function comparable(wish: RunnerModeWish, forge: string, scope: Readonly<Record<string, string>>): Record<string, unknown> {
  const {
    count,
    size,
    diskBytes,
    image,
    region,
    spot,
    permissionSet,
    tags,
    setup,
    setupAfter,
    containers,
    env,
    labels,
    defaultLabels,
    jobs,
    idle,
    group,
    version,
    platform,
  } = wish
  return {
    count,
    size,
    'disk-size': diskBytes,
    image,
    region,
    spot,
    'permission-set': permissionSet,
    tags,
    setup,
    'setup-after': setupAfter,
    'docker-image': containers,
    env,
    labels,
    'default-labels': defaultLabels,
    jobs,
    'idle-timeout': idle,
    'runner-group': group,
    'runner-version': version,
    platform,
    forge,
    scope,
  }
}
