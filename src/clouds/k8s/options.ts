/** Options of Kubernetes only. */
import type { CloudRows } from '../../core/option.ts'
import { ON_CLOUDS, ON_MACHINES } from '../../core/verb-groups.ts'

/** Verbs that start runners, or check whether that is possible. */
const RUNNERS = ['runner', 'doctor'] as const

/** Names of namespaces, by the rule for DNS labels: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
const NAMESPACE = { test: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, says: 'lower-case letters, digits and dashes' }

/** Names of claims and accounts: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
export const OBJECT = { test: /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, says: 'lower-case letters, digits, dashes and dots' }

export const DEFAULTS = { image: 'ubuntu:24.04', runtimeImage: 'ghcr.io/iterative/tpi-runtime:24' } as const

export const options = {
  context: {
    kind: 'string',
    group: 'where',
    about: 'place',
    verbs: ON_CLOUDS,
    placeholder: 'NAME',
    defaultText: 'the current one',
    help: 'Context of the kubeconfig.',
  },
  namespace: {
    kind: 'string',
    group: 'where',
    about: 'place',
    verbs: ON_CLOUDS,
    placeholder: 'NAME',
    pattern: NAMESPACE,
    defaultText: 'that of the context, else "default"',
    help: 'Namespace in which everything is created.',
  },
  'node-selector': {
    kind: 'map',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    aliases: ['kubernetes-node-selector', 'cloud-kubernetes-node-selector'],
    variables: ['CML_RUNNER_CLOUD_KUBERNETES_NODE_SELECTOR'],
    placeholder: 'LABEL=VALUE',
    help: 'Labels that a node must have, such as accelerator=nvidia-t4.',
  },
  'pod-template': {
    kind: 'file',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'FILE',
    help: 'A pod (YAML) that is merged into the one that tpi makes: tolerations, volumes, runtime class and anything else. Maps are merged; containers, environment, volumes, mounts and tolerations are merged by their key; everything else is replaced. The program\'s container is called "main". For runners, the text is kept on record, so refer to secrets instead of writing them.',
  },
  'runtime-image': {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'IMAGE',
    default: DEFAULTS.runtimeImage,
    help: 'Image with the runtime of tpi for the pod. Mirror it if the cluster has no internet access.',
  },
  'image-pull-secret': {
    kind: 'list',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'NAME',
    help: 'Secrets for pulling images.',
  },
  'run-as-user': {
    kind: 'int',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    min: 0,
    max: 2_147_483_647,
    placeholder: 'UID',
    defaultText: 'the user of the image; for runners 1001',
    help: 'User id of the program, 0 for root. Needed if the namespace has the restricted pod security standard and the image runs as root.',
  },
  'container-mode': {
    kind: 'choice',
    group: 'what',
    about: 'machines',
    verbs: RUNNERS,
    oneOf: ['none', 'dind', 'dind-rootless', 'kubernetes'],
    default: 'none',
    help: 'Containers for the jobs of runners. "dind", "dind-rootless": each pod has a Docker daemon beside the runner, run by root or by another user. Either is a privileged container, so anyone who may start jobs can do anything on the node. "kubernetes": GitHub\'s own container hooks make a pod for each job, in job-namespace.',
  },
  'job-namespace': {
    kind: 'string',
    group: 'what',
    about: 'machines',
    verbs: [...RUNNERS, 'permissions'],
    placeholder: 'NAME',
    pattern: NAMESPACE,
    help: 'Namespace for the pods of jobs, with container-mode "kubernetes". It cannot be that of the runners, because the account that makes these pods (permission-set) may read and change all secrets and pods there.',
  },
  'dind-image': {
    kind: 'string',
    group: 'what',
    about: 'machines',
    verbs: RUNNERS,
    placeholder: 'IMAGE',
    defaultText: 'docker:dind or docker:dind-rootless',
    help: 'Image of the Docker daemon of container-mode. Mirror it if the cluster has no internet access.',
  },
  'storage-class': {
    kind: 'string',
    group: 'data',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'NAME',
    defaultText: "the cluster's default",
    help: 'Storage class of the claim behind the store.',
  },
  'storage-size': {
    kind: 'size',
    group: 'data',
    about: 'machines',
    verbs: ON_MACHINES,
    min: 1_000_000,
    placeholder: 'SIZE',
    defaultText: 'disk-size, but at least 10GB',
    help: 'Size of the claim behind the store: work directory, checkpoints of all slots, logs.',
  },
  'storage-claim': {
    kind: 'string',
    group: 'data',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'NAME',
    pattern: OBJECT,
    defaultText: 'a new one',
    help: 'Existing claim behind the store; it is never removed.',
  },
  'storage-path': {
    kind: 'string',
    group: 'data',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'FOLDER',
    pattern: { test: /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/, says: 'a relative folder without ".."' },
    default: 'tpi',
    help: 'Folder in the claim of storage-claim; each run gets a folder below it.',
  },
} as const satisfies CloudRows
