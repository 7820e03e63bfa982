/** How the Jobs of a deployment are configured, and that they were never configured otherwise. */
import { expect } from '@jest/globals'
import type { KubernetesObject } from './api.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Room } from './room.ts'

export async function jobOf(
  { cluster, namespace }: Pick<Room, 'cluster' | 'namespace'>,
  role: 'store' | 'task' | 'record',
): Promise<KubernetesObject> {
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs?labelSelector=tpi.iterative.ai/role=${role}`
  const [job] = await cluster.api.list(path)
  if (!job) throw new Error(`there is no Job of the ${role}`)
  return job
}

/** Seconds from the creation of a Job until the cluster ends it, minus those until the machines' time is over. */
export function beyondDeadline({ metadata, spec }: KubernetesObject): number {
  const { annotations, creationTimestamp = '' } = metadata
  const { lifetime } = JSON.parse(annotations?.['tpi.iterative.ai/tags'] ?? '') as {
    lifetime: { deadline: string; grace: number; reserve: number }
  }
  const over = Date.parse(lifetime.deadline) / 1000 + lifetime.grace + lifetime.reserve
  return Number(spec?.['activeDeadlineSeconds']) - (over - Date.parse(creationTimestamp) / 1000)
}

/**
 * For every creation and change of a Job: `suspend` must not serve to scale (it restarts the clock), and a failure policy waits for pods on dead
 * nodes.
 */
export function expectNeverSuspended(control: ControlPlane): void {
  const changes = control.jobChanges().filter(({ userAgent }) => userAgent === 'tpi-action')
  const specs = (verb: string): (Readonly<Record<string, unknown>> | undefined)[] =>
    changes.filter((change) => change.verb === verb).map(({ requestObject }) => requestObject?.spec)
  const [made, changed] = [specs('create'), specs('patch')]
  expect(changes.filter(({ verb }) => verb !== 'create' && verb !== 'patch')).toEqual([])
  expect(made.filter((spec) => spec?.['template'] !== undefined).length).toBeGreaterThan(0)
  expect(changed.filter((spec) => spec?.['parallelism'] !== undefined).length).toBeGreaterThan(0)
  // Creations are logged with what the API server adds: `suspend: false`. Patches are logged as sent.
  const wrong = [
    ...made.filter((spec) => spec?.['suspend'] !== false || 'podFailurePolicy' in spec),
    ...changed.filter((spec) => spec !== undefined && ('suspend' in spec || 'podFailurePolicy' in spec)),
  ]
  expect(wrong).toEqual([])
}
