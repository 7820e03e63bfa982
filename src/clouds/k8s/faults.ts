/** Requests that no cluster can meet. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { imageFault } from './image-name.ts'
import type { JobPods } from './job-pods.ts'
import { OBJECT } from './options.ts'
import type { Settings } from './settings.ts'
import { sizeFaults } from './sizes.ts'
import { templateFaults, userPodIn } from './user-pod.ts'

/** `gated`: the store is outside the cluster. */
export function faultsOf(
  spec: MachineRequest,
  settings: Pick<Settings, 'runtimeImage' | 'docker' | 'jobPods' | 'template'>,
  namespace: string,
  gated = false,
): Fault[] {
  const faults = sizeFaults(spec.size)
  const { permissionSet } = spec
  if (permissionSet !== undefined && !OBJECT.test.test(permissionSet)) {
    faults.push({ option: 'permission-set', message: `"${permissionSet}" is not a valid name of a service account` })
  }
  if (settings.template !== undefined) faults.push(...podFaults(settings.template, gated))
  if (settings.docker && gated)
    faults.push({
      option: 'container-mode',
      message: 'from its privileged container, jobs could read the credentials of the storage',
      hint: 'leave out --storage: the store in the cluster has none',
    })
  if (settings.jobPods) faults.push(...jobPodFaults(settings.jobPods, namespace, permissionSet))
  for (const [option, image] of [
    ['image', spec.image],
    ['runtime-image', settings.runtimeImage],
    ['dind-image', settings.docker?.image],
  ] as const) {
    const wrong = image === undefined ? undefined : imageFault(image)
    if (wrong !== undefined)
      faults.push({ option, message: `"${image}" is not a valid image name: ${wrong}`, hint: 'write [HOST[:PORT]/]PATH[:TAG]' })
  }
  return faults
}

function podFaults(template: string, gated: boolean): Fault[] {
  const pod = userPodIn(template)
  const wrong = typeof pod === 'string' ? [pod] : templateFaults(pod, gated)
  return wrong.map((message) => ({ option: 'pod-template', message }))
}

function jobPodFaults({ namespace: jobs }: JobPods, namespace: string, account: string | undefined): Fault[] {
  const isShared = jobs === namespace
  const hint = `tpi permissions k8s --job-namespace ${isShared ? 'NAME' : jobs} prints the account and the rights that it needs`
  const faults: Fault[] = []
  if (isShared) {
    const message = `"${jobs}" is the namespace of the runners: every job could read and change their store`
    faults.push({ option: 'job-namespace', message, hint })
  }
  if (account === undefined)
    faults.push({ option: 'permission-set', message: 'container-mode "kubernetes" needs a service account that may make pods', hint })
  return faults
}
