/** Why a request for runners does not fit: the forge has no such feature, or the host is gone before a job comes. */
import { InputError } from '../../core/errors.ts'
import type { ForgeDescriptor } from '../../core/forge.ts'
import type { Env } from '../../lib/env.ts'
import { isRoot } from '../../lib/user.ts'
import type { RunnerModeRequest } from '../../runner/request.ts'
import type { VerbContext } from '../shared/context.ts'
import { fleetingHost } from '../shared/fleeting-host.ts'

export function refuseUnsupported(
  request: RunnerModeRequest,
  { title, can }: ForgeDescriptor,
  values: Readonly<Record<string, unknown>>,
): void {
  if (request.containers !== undefined && !can.containers)
    throw new InputError(`docker-image: a job of ${title} names its own container`, { hint: 'use "container:" in the job' })
  if (values['container-mode'] === 'kubernetes' && !can.jobPods)
    throw new InputError(`container-mode: "kubernetes" needs GitHub's container hooks, which the runner of ${title} does not have`, {
      hint: 'container-mode: dind gives its jobs a Docker daemon; pods for jobs are what its own executor for Kubernetes makes',
    })
  if (request.group !== undefined && !can.groups) throw new InputError(`runner-group: ${title} has no groups of runners`)
}

/** For machines that are processes on this host. */
export function hostWarnings({ billed, env }: Pick<VerbContext, 'billed' | 'env'>, cloud: string): readonly string[] {
  if (billed(cloud)) return []
  const fleeting = fleetingHost(env)
  const goes = `this ${fleeting} ends with its CI job, and so do the runners on it; later jobs would wait: choose another cloud`
  return [...(fleeting === undefined ? [] : [goes]), ...rootWarning(isRoot(), env)].map((warning) => `cloud ${cloud}: ${warning}`)
}

/** Runners run as the user who starts them: nothing here can change that. */
export function rootWarning(root: boolean, env: Env): readonly string[] {
  if (!root) return []
  const user = env['SUDO_USER']
  const remedy = user === undefined || user === 'root' ? 'start them as an unprivileged user' : `start them without sudo, as ${user}`
  return [`this is root, so the runners and every job on them are root too, and a job can change the whole host; ${remedy}`]
}
