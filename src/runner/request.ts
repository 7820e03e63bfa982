/** Runners as their user asks for them: option values resolved, nothing created yet. Plain data. */

import { randomBytes } from 'node:crypto'
import type { ContainerRequest, ForgeDescriptor, Platform } from '../core/forge.ts'
import { type Comparable, type ComparedFields, comparedParts } from '../engine/create/fingerprint.ts'
import { COMPARED_ALIKE, type DeploymentRequest } from '../engine/create/group-spec.ts'
import type { Program } from '../wire/program.ts'

export interface RunnerModeRequest extends DeploymentRequest {
  /** Once the forge's runner program is there. */
  readonly setupAfter?: Program
  /** Jobs run in containers. */
  readonly containers?: ContainerRequest
  /** As given; the unique one and the forge's own are added. */
  readonly labels: readonly string[]
  readonly defaultLabels: boolean
  /** `null` = without limit. */
  readonly jobs: number | null
  /** Seconds; `null` = never. */
  readonly idle: number | null
  /** Seconds; absent in requests of older versions. */
  readonly rest?: number
  readonly group?: string
  /** Of the forge's runner program; absent: what the forge offers. */
  readonly version?: string
  readonly platform: Platform
  readonly retry: number
  /** Seconds. */
  readonly onlineTimeout: number
}

/**
 * A label that no other runner has, those that were asked for, and those that the forge's own set-up adds.
 * `unique`: that of an earlier launch; absent: a new one.
 */
export function labelsFor(
  { labels, defaultLabels, platform }: RunnerModeRequest,
  forge: ForgeDescriptor,
  unique = `tpi-${randomBytes(8).toString('hex')}`,
): readonly string[] {
  return [...new Set([unique, ...labels, ...(defaultLabels ? forge.defaultLabels(platform) : [])])]
}

/** What determines whether an existing deployment is the requested one, by option name. */
export function comparable(request: RunnerModeRequest, forge: string, scope: Readonly<Record<string, string>>): Comparable {
  return { ...comparedParts(request, COMPARED), forge, scope }
}

const COMPARED: ComparedFields<RunnerModeRequest> = {
  ...COMPARED_ALIKE,
  count: (count) => ({ count }),
  size: (size) => ({ size }),
  setupAfter: (setup) => ({ 'setup-after': setup }),
  containers: (containers) => ({ 'docker-image': containers }),
  env: (env) => ({ env }),
  labels: (labels) => ({ labels }),
  defaultLabels: (defaultLabels) => ({ 'default-labels': defaultLabels }),
  jobs: (jobs) => ({ jobs }),
  idle: (idle) => ({ 'idle-timeout': idle }),
  group: (group) => ({ 'runner-group': group }),
  version: (version) => ({ 'runner-version': version }),
  platform: (platform) => ({ platform }),
  // Their lifetime may differ from start to start: existing runners serve the same jobs.
  timeout: null,
  grace: null,
  rest: null,
  retry: null,
  onlineTimeout: null,
  // The mode's own.
  container: null,
}
