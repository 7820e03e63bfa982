import type { CloudDescriptor } from '../../core/cloud.ts'
import { PLACE } from './names.ts'
import { options } from './options.ts'

export const k8s: CloudDescriptor = {
  id: 'k8s',
  title: 'Kubernetes',
  aliases: ['kubernetes'],
  billed: true,
  credentials: [
    {
      env: 'KUBECONFIG',
      help: 'Path of a kubeconfig. Not needed for ~/.kube/config, or in a pod with a service account.',
      secret: false,
    },
    { env: 'KUBERNETES_CONFIGURATION', help: 'A whole kubeconfig as text, or the absolute path of one.', secret: true },
  ],
  options,
  can: { spot: false, gpu: true, exec: true, rehearse: false, keep: false, numbered: true, wholeSystem: false },
  probe: [PLACE.node, PLACE.agent, 'k8s', 'pod-probe'],
  async permissions(values, env) {
    const [{ roleText }, { namespaceMeant }, { jobRoleText }] = await Promise.all([
      import('./permissions.ts'),
      import('./login.ts'),
      import('./job-pods.ts'),
    ])
    const [namespace, jobs] = [namespaceMeant(env, values), values['job-namespace']]
    return `${roleText(namespace)}${typeof jobs === 'string' ? jobRoleText(namespace, jobs) : ''}`
  },
  load: () => import('./index.ts'),
}
