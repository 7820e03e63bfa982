/** The pod of a task: the user's image; an init container copies tpi's runtime and the agent into it. */
import type { MachineSpec } from '../../core/cloud.ts'
import { hardDeadline, overtime } from '../../wire/lifetime.ts'
import { dockerAccess, dockerContainer, dockerVolumes, userBeside } from './docker.ts'
import { gateContainer } from './gate.ts'
import { jobPodsEnv } from './job-pods.ts'
import { CONTAINER, labelsOf, PLACE } from './names.ts'
import { DEFAULTS } from './options.ts'
import { before, LOCKED, OUR_NODES, volumesOf } from './own-containers.ts'
import type { PodInit } from './pod-config.ts'
import type { Settings } from './settings.ts'
import { quantities, resourcesOf } from './sizes.ts'
import { worn } from './tags.ts'
import { merge, userPodIn } from './user-pod.ts'

/** Seconds of notice that tpi requests at most; a node may give less. */
const LONGEST_NOTICE = 600
const SHORTEST_NOTICE = 30

function noticeOf({ tags }: Pick<MachineSpec, 'tags'>): number {
  return Math.max(SHORTEST_NOTICE, Math.min(LONGEST_NOTICE, overtime(tags.lifetime)))
}

/** Pods leave a lost node after half a minute; by default, it would be five minutes. */
export const BRIEFLY = ['not-ready', 'unreachable'].map((what) => ({
  key: `node.kubernetes.io/${what}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 30,
}))

/**
 * `program`, `secret`: names of the ConfigMap with the agent and of the Secret with the key of machines' passes. `store`: the address that
 * machines use.
 */
export interface PodParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly program: string
  readonly secret: string
  readonly store: PodInit['store']
  /** The store is outside the cluster: machines reach it through tpi's server beside them. */
  readonly gate: boolean
}

export function podTemplate(params: PodParams): object {
  const { spec, settings } = params
  const labels = labelsOf(spec.tags, 'task')
  // What is wrong with a template is reported by `faultsOf`.
  const read = settings.template === undefined ? undefined : userPodIn(settings.template)
  const theirs = typeof read === 'string' ? undefined : read
  const pod = theirs ? (merge(podSpec(params), theirs.spec) as Record<string, unknown>) : podSpec(params)
  const metadata = merge(worn(spec.tags.user), theirs?.metadata ?? {}) as { labels?: object }
  return { metadata: { ...metadata, labels: { ...metadata.labels, ...labels } }, spec: { ...pod, ...guarded(params) } }
}

/** Fields that tpi depends on: no template may change them. */
function guarded({ spec }: PodParams): object {
  return { restartPolicy: 'Never', terminationGracePeriodSeconds: noticeOf(spec) }
}

function podSpec(params: PodParams): Record<string, unknown> {
  const { spec, settings } = params
  const { accelerator } = resourcesOf(spec.size)
  const nodeSelector = {
    ...OUR_NODES,
    ...(accelerator !== undefined && { accelerator }),
    ...regionSelector(spec.region),
    ...settings.nodeSelector,
  }
  return {
    automountServiceAccountToken: spec.permissionSet !== undefined,
    ...(spec.permissionSet !== undefined && { serviceAccountName: spec.permissionSet }),
    enableServiceLinks: false,
    securityContext: podSecurity(userOf(params)),
    nodeSelector,
    ...(settings.pullSecrets.length > 0 && { imagePullSecrets: settings.pullSecrets.map((name) => ({ name })) }),
    tolerations: BRIEFLY,
    initContainers: [
      initContainer(params),
      ...(params.gate ? [gateContainer(spec, settings.runtimeImage)] : []),
      ...(settings.docker ? [dockerContainer(settings.docker, userOf(params))] : []),
    ],
    containers: [mainContainer(params)],
    volumes: [
      { name: 'tpi-runtime', emptyDir: {} },
      { name: 'tpi-handover', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      { name: 'tpi-home', emptyDir: spec.diskBytes === undefined ? {} : { sizeLimit: String(spec.diskBytes) } },
      { name: 'tpi-shm', emptyDir: { medium: 'Memory' } },
      { name: 'tpi-config', configMap: { name: params.program } },
      { name: 'tpi-secret', secret: { secretName: params.secret } },
      ...(settings.docker ? dockerVolumes() : []),
    ],
  }
}

/** TPI took a list of node labels as `region`. Words without "=" are regions of other clouds and have no effect here. */
function regionSelector(region: string | undefined): Record<string, string> {
  const pairs = (region ?? '').split(',').flatMap((part) => {
    const [, key, value] = /^\s*([^=\s]+)=(\S*)\s*$/.exec(part) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(pairs)
}

/** The user of a pod that must not run as root, whatever its image says. */
const UNPRIVILEGED_UID = 1001

/** `undefined`: the image decides. */
function userOf({ settings, spec }: Pick<PodParams, 'settings' | 'spec'>): number | undefined {
  return settings.runAsUser ?? userBeside(settings.docker) ?? (spec.unprivileged === true ? UNPRIVILEGED_UID : undefined)
}

function podSecurity(user: number | undefined): object {
  const seccompProfile = { type: 'RuntimeDefault' }
  if (user === undefined) return { seccompProfile }
  return { seccompProfile, runAsUser: user, ...(user > 0 && { runAsNonRoot: true, ...volumesOf(user) }) }
}

function initContainer({ spec, settings, store }: PodParams): object {
  const { id, incarnation, lifetime } = spec.tags
  const init: PodInit = {
    id,
    incarnation,
    agent: spec.agent,
    store,
    ...(spec.ahead && { ahead: true }),
    ...(settings.jobPods && { jobs: settings.jobPods.namespace }),
    notice: noticeOf(spec),
    ...(spec.diskBytes !== undefined && { disk: spec.diskBytes }),
    hardDeadline: new Date(hardDeadline(lifetime)).toISOString(),
  }
  return {
    name: CONTAINER.init,
    image: settings.runtimeImage,
    command: [PLACE.node, `${PLACE.config}/agent.mjs`, 'k8s', 'pod-init', JSON.stringify(init)],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
    resources: before(resourcesOf(spec.size)),
    securityContext: LOCKED,
    volumeMounts: [
      { name: 'tpi-runtime', mountPath: '/into' },
      { name: 'tpi-handover', mountPath: PLACE.handover },
      { name: 'tpi-home', mountPath: PLACE.home },
      { name: 'tpi-config', mountPath: PLACE.config, readOnly: true },
      { name: 'tpi-secret', mountPath: PLACE.secret, readOnly: true },
    ],
  }
}

function mainContainer({ spec, settings }: PodParams): object {
  const amounts = quantities(resourcesOf(spec.size), spec.diskBytes)
  const docker = dockerAccess(settings.docker)
  const image = spec.image ?? spec.usualImage ?? DEFAULTS.image
  const env = [...docker.env, ...(settings.jobPods ? jobPodsEnv(settings.jobPods, spec.tags.incarnation, image) : [])]
  return {
    name: CONTAINER.program,
    image,
    command: [PLACE.node, PLACE.agent, 'run', `${PLACE.home}/machine.json`],
    workingDir: PLACE.home,
    ...(env.length > 0 && { env }),
    resources: { requests: amounts, limits: amounts },
    securityContext: { allowPrivilegeEscalation: false, ...((userOf({ settings, spec }) ?? 0) > 0 && { capabilities: { drop: ['ALL'] } }) },
    volumeMounts: [
      { name: 'tpi-runtime', mountPath: PLACE.runtime, readOnly: true },
      { name: 'tpi-handover', mountPath: PLACE.handover },
      { name: 'tpi-home', mountPath: PLACE.home },
      // Limited only by memory: by default, a container has 64 MB, too little for PyTorch's data loaders and for several GPUs (NCCL).
      { name: 'tpi-shm', mountPath: '/dev/shm' },
      ...docker.mounts,
    ],
  }
}
