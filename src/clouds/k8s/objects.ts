/** The fields of Kubernetes' objects that tpi reads. All others pass through as plain data. */

export interface Meta {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
}

export interface Thing {
  readonly metadata: Meta
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

interface PodTemplate {
  readonly spec?: {
    readonly volumes?: readonly {
      readonly configMap?: { readonly name?: string }
      readonly secret?: { readonly secretName?: string }
    }[]
  }
}

export interface Job extends Thing {
  readonly spec: {
    readonly parallelism?: number
    readonly completions?: number
    readonly activeDeadlineSeconds?: number
    readonly template?: PodTemplate
  }
  readonly status?: { readonly succeeded?: number; readonly conditions?: readonly Condition[]; readonly active?: number }
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly exitCode: number
    readonly signal?: number
    readonly reason?: string
    readonly message?: string
    readonly finishedAt?: string
  }
}

export interface ContainerStatus {
  readonly name: string
  readonly state?: ContainerState
  readonly lastState?: ContainerState
  readonly restartCount?: number
  /** It runs, and has passed its startup probe, if it has one: the containers after it may start. */
  readonly started?: boolean
}

interface Container {
  readonly name: string
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> }
}

export interface Pod extends Thing {
  readonly spec: {
    readonly nodeName?: string
    readonly containers?: readonly Container[]
    readonly initContainers?: readonly Container[]
  }
  readonly status?: {
    readonly phase?: string
    readonly podIP?: string
    readonly startTime?: string
    readonly reason?: string
    readonly message?: string
    readonly conditions?: readonly Condition[]
    readonly initContainerStatuses?: readonly ContainerStatus[]
    readonly containerStatuses?: readonly ContainerStatus[]
  }
}

export interface Happening extends Thing {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly eventTime?: string
  readonly involvedObject: { readonly kind?: string; readonly name?: string; readonly uid?: string; readonly fieldPath?: string }
}

export interface VolumeClaim extends Thing {
  readonly status?: { readonly phase?: string }
}

export interface Service extends Thing {
  readonly spec: { readonly clusterIP?: string }
}

export interface Secret extends Thing {
  /** base64 */
  readonly data?: Readonly<Record<string, string>>
}

/** `undefined`: it has no such data. */
export function secretText(secret: Secret | undefined, key: string): string | undefined {
  const data = secret?.data?.[key]
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8')
}

/** The condition of this type, if it holds. */
export function conditionOf(
  { status }: { readonly status?: { readonly conditions?: readonly Condition[] } },
  type: string,
): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type && one.status === 'True')
}
