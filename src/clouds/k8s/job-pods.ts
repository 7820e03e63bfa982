/**
 * A pod for each job of a runner, made by GitHub's own container hooks (actions/runner-container-hooks, packages/k8s), instead of a Docker daemon.
 * They want rights on all pods and secrets of a namespace, so they get one of its own: in that of the runners these would open every store.
 */
import { CONTAINER_HOOKS, JOB_POD, JOB_RIGHTS } from './job-rights.ts'
import { boundRole, headLines, ruleLines } from './permissions.ts'

export interface JobPods {
  readonly namespace: string
}

/**
 * What the container of the runner has of it. `image`: of the runner, from which the hooks bring Node into each job. The pods of a slot bear one name,
 * whichever machine has it: the hooks remove all that bears it before each job, so nothing of a machine that died stays beside its successor.
 */
export function jobPodsEnv({ namespace }: JobPods, incarnation: string, image: string): object[] {
  const slot = { fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" } }
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

/** The account of such runners, and what it may do where their jobs are: ready for `kubectl apply`. */
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
