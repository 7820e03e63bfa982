/**
 * A pod for each job of a runner, made by GitHub's own container hooks (actions/runner-container-hooks, packages/k8s), instead of a Docker daemon.
 * The hooks need rights on all pods and secrets of a namespace, so jobs get a namespace of their own: with these rights in the namespace of the
 * runners, a job could read every store there.
 */
import { CONTAINER_HOOKS, JOB_POD, JOB_RIGHTS } from './job-rights.ts'
import { boundRole, headLines, ruleLines } from './permissions.ts'
import { INDEX } from './pods.ts'

export interface JobPods {
  readonly namespace: string
}

/**
 * Environment of the runner's container for the hooks. `image`: the runner's image, from which the hooks bring Node into each job. The pods of a
 * slot have the same name, whichever machine holds it: the hooks remove all pods of that name before each job, so nothing of a dead machine stays.
 */
export function jobPodsEnv({ namespace }: JobPods, incarnation: string, image: string): object[] {
  const slot = { fieldRef: { fieldPath: `metadata.annotations['${INDEX}']` } }
  return [
    { name: 'TPI_SLOT', valueFrom: slot },
    { name: 'ACTIONS_RUNNER_POD_NAME', value: `tpi-${incarnation}-$(TPI_SLOT)` },
    { name: 'ACTIONS_RUNNER_KUBERNETES_NAMESPACE', value: namespace },
    { name: 'ACTIONS_RUNNER_CONTAINER_HOOKS', value: CONTAINER_HOOKS },
    { name: 'ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE', value: JOB_POD },
    { name: 'ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER', value: 'true' },
    { name: 'ACTIONS_RUNNER_IMAGE', value: image },
  ]
}

export const JOB_ACCOUNT = 'tpi-jobs'

/** The service account of such runners, and its rights in the namespace of their jobs: ready for `kubectl apply`. */
export function jobRoleText(namespace: string, jobs: string): string {
  const rules = JOB_RIGHTS.flatMap((right) => ruleLines({ group: '', ...right }))
  return `${[
    '---',
    '# For runners with container-mode: kubernetes, as their permission-set. Nothing of it is in their own namespace.',
    ...headLines({ api: 'v1', kind: 'ServiceAccount', name: JOB_ACCOUNT, namespace }),
    '---',
    ...boundRole({ name: JOB_ACCOUNT, namespace: jobs, rules, subject: { name: JOB_ACCOUNT, namespace } }),
  ].join('\n')}\n`
}
