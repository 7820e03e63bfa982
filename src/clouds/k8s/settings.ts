/** Option values of Kubernetes, checked as far as possible without a cluster. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { textOf } from '../../lib/record.ts'
import { CONTAINER_MODES, type ContainerMode, type Docker } from './docker.ts'
import type { JobPods } from './job-pods.ts'
import { DEFAULTS } from './options.ts'

export interface Settings {
  readonly runtimeImage: string
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly pullSecrets: readonly string[]
  readonly runAsUser: number | undefined
  readonly storageClass: string | undefined
  readonly storageBytes: number | undefined
  /** An existing claim for the store, instead of a claim of its own. */
  readonly storageClaim: { readonly name: string; readonly folder: string } | undefined
  /** The user's pod template, as it was written. */
  readonly template: string | undefined
  /** The Docker daemon beside a runner. */
  readonly docker: Docker | undefined
  /** Pods for each job of a runner. */
  readonly jobPods: JobPods | undefined
}

export function settingsOf({ values }: Pick<CloudContext, 'values'>): Settings {
  const claim = textOf(values['storage-claim'])
  return {
    runtimeImage: textOf(values['runtime-image']) ?? DEFAULTS.runtimeImage,
    nodeSelector: (values['node-selector'] as Readonly<Record<string, string>> | undefined) ?? {},
    pullSecrets: (values['image-pull-secret'] as readonly string[] | undefined) ?? [],
    runAsUser: values['run-as-user'] as number | undefined,
    storageClass: textOf(values['storage-class']),
    storageBytes: values['storage-size'] as number | undefined,
    storageClaim: claim === undefined ? undefined : { name: claim, folder: textOf(values['storage-path']) ?? 'tpi' },
    template: textOf(values['pod-template']),
    docker: dockerOf(values),
    jobPods: jobPodsOf(values),
  }
}

function dockerOf(values: CloudContext['values']): Docker | undefined {
  const mode = textOf(values['container-mode'])
  if (mode === undefined || !Object.hasOwn(CONTAINER_MODES, mode)) return undefined
  return { mode: mode as ContainerMode, image: textOf(values['dind-image']) }
}

function jobPodsOf(values: CloudContext['values']): JobPods | undefined {
  const namespace = textOf(values['job-namespace'])
  if (textOf(values['container-mode']) !== 'kubernetes') return undefined
  if (namespace === undefined)
    throw new InputError([
      {
        option: 'job-namespace',
        message: 'container-mode: "kubernetes" makes a pod for each job, and needs a namespace for them: job-namespace',
        hint: 'tpi permissions k8s --job-namespace NAME prints the account and the rights that it needs',
      },
    ])
  return { namespace }
}
