/** Runners as their user asks for them: plain data from the values of options. Nothing of them exists yet. */
import { randomBytes } from 'node:crypto'
import type { ContainerRequest, ForgeDescriptor, Platform } from '../core/forge.ts'
import { type Comparable, type ComparedFields, comparedParts } from '../engine/create/fingerprint.ts'
import { COMPARED_ALIKE, type DeploymentRequest } from '../engine/create/group-spec.ts'
import type { Program } from '../wire/program.ts'

export interface RunnerModeRequest extends DeploymentRequest {
  /** Set-up that runs once the forge's runner program is there. */
  readonly setupAfter?: Program
  /** Jobs run in containers. */
  readonly containers?: ContainerRequest
  /** As the user gives them; `labelsFor` adds others. */
  readonly labels: readonly string[]
  readonly defaultLabels: boolean
  /** Jobs per machine; `null` = without limit. */
  readonly jobs: number | null
  /** Seconds without a job after which a machine leaves; `null` = never. */
  readonly idle: number | null
  /** Seconds (see `RunnerFacts.rest`); absent in requests of older versions. */
  readonly rest?: number
  readonly group?: string
  /** The version of the forge's runner program; absent: the one that the forge offers. */
  readonly version?: string
  readonly platform: Platform
  /** How often `tpi retry` may run a job again that was cut off. */
  readonly retry: number
  /** Seconds in which all runners must be online. */
  readonly onlineTimeout: number
}

/**
 * All labels: one that no other runner has, those that the user asked for, and those that the forge's own set-up adds. `unique`: the first
 * of these, if an earlier launch had one already.
 */
export function labelsFor(
  { labels, defaultLabels, platform }: RunnerModeRequest,
  forge: ForgeDescriptor,
  unique = `tpi-${randomBytes(8).toString('hex')}`,
): readonly string[] {
  return [...new Set([unique, ...labels, ...(defaultLabels ? forge.defaultLabels(platform) : [])])]
}

/** The parts of a request in which an existing deployment must not differ, by option name. */
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
  // These may differ from start to start: existing runners serve the same jobs.
  timeout: null,
  grace: null,
  rest: null,
  retry: null,
  onlineTimeout: null,
  // Only tasks have it.
  container: null,
}
