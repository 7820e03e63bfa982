/** Merges a user's pod into tpi's: maps are merged, lists with a key are merged by it, and everything else is replaced. */
import { type Fields, fieldsIn, isRecord } from '../../lib/record.ts'
import { firstLineOf } from '../../lib/text.ts'
import { yaml } from './sdk.ts'

/** Lists that are merged by a key, and the field with the key. */
const KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  ports: 'containerPort',
}

/** The user's values over tpi's. */
export function merge(ours: unknown, theirs: unknown, field = ''): unknown {
  if (field === 'tolerations' && Array.isArray(ours) && Array.isArray(theirs)) return mergeTolerations(ours, theirs)
  const key = KEYS[field]
  if (key !== undefined && Array.isArray(ours) && Array.isArray(theirs)) return mergeLists(ours, theirs, key)
  if (!isRecord(ours) || !isRecord(theirs)) return theirs
  const merged: Record<string, unknown> = { ...ours }
  for (const [name, value] of Object.entries(theirs)) {
    if (value === undefined) continue
    merged[name] = Object.hasOwn(ours, name) ? merge(ours[name], value, name) : value
  }
  return merged
}

/** A toleration of the user's replaces tpi's for the same taint. Merged field by field, they could become one that Kubernetes refuses. */
function mergeTolerations(ours: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const isOver = (mine: unknown): boolean =>
    theirs.some((item) => {
      if (!isRecord(item) || !isRecord(mine) || item['key'] !== mine['key']) return false
      return item['effect'] === mine['effect'] || item['effect'] === undefined || mine['effect'] === undefined
    })
  return [...ours.filter((mine) => !isOver(mine)), ...theirs]
}

/** The user's items are not merged with each other: a list may have one port with two protocols. */
function mergeLists(ours: readonly unknown[], theirs: readonly unknown[], key: string): unknown[] {
  const merged = [...ours]
  for (const item of theirs) {
    const name = isRecord(item) ? item[key] : undefined
    const at = name === undefined ? -1 : ours.findIndex((mine) => isRecord(mine) && mine[key] === name)
    // If two of the user's items match, the second is added beside the first.
    if (at >= 0 && merged[at] === ours[at]) merged[at] = merge(ours[at], item)
    else merged.push(item)
  }
  return merged
}

export interface UserPod {
  readonly metadata: Fields
  readonly spec: Fields
}

/** The pod that a template's text describes; or, as text, what is wrong with it. */
export function userPodIn(text: string): UserPod | string {
  try {
    return podOf(yaml(text)) ?? 'the file is not a pod: it needs the "spec" of a pod'
  } catch (error) {
    return `the file is not valid YAML: ${firstLineOf(error)}`
  }
}

/** A file may hold a whole Pod, a pod template (`metadata`, `spec`), or the spec alone. `undefined`: none of them, such as a Job. */
export function podOf(parsed: unknown): UserPod | undefined {
  if (!isRecord(parsed)) return undefined
  const { spec, metadata } = parsed
  if (isRecord(spec)) return 'template' in spec ? undefined : { metadata: fieldsIn(metadata), spec }
  return 'spec' in parsed || 'kind' in parsed ? undefined : { metadata: {}, spec: parsed }
}

/** Fields that tpi depends on, each with what to use instead. */
const OURS: readonly { readonly field: string; readonly instead: string }[] = [
  { field: 'spec.restartPolicy', instead: 'the Job replaces pods itself' },
  { field: 'spec.terminationGracePeriodSeconds', instead: 'give --grace' },
  { field: 'spec.serviceAccountName', instead: 'give --permission-set' },
  { field: 'spec.serviceAccount', instead: 'give --permission-set' },
  { field: 'spec.automountServiceAccountToken', instead: 'give --permission-set' },
  { field: 'spec.hostname', instead: 'the Job gives each pod its own' },
  { field: 'spec.initContainers[tpi]', instead: 'use another name for yours' },
  { field: 'spec.initContainers[tpi-gate]', instead: 'use another name for yours' },
  { field: 'spec.initContainers[tpi-docker]', instead: 'give --container-mode and --dind-image' },
  { field: 'spec.containers[main].command', instead: 'give the command after "--", or --script' },
  { field: 'spec.containers[main].args', instead: 'give the command after "--", or --script' },
  { field: 'spec.containers[main].workingDir', instead: 'give --working-directory' },
]
/**
 * Fields by which a program that runs as root could reach the gate in front of a store outside the cluster: its memory and files, or its port on
 * the node.
 * https://kubernetes.io/docs/tasks/configure-pod-container/share-process-namespace/
 */
const OPENING = ['hostNetwork', 'hostPID', 'shareProcessNamespace']
const OUR_PREFIX = /^tpi(-|$)/
const OUR_PLACE = /^\/tpi(-|\/|$)/
const OUR_LABEL = /^(tpi\.iterative\.ai\/|batch\.kubernetes\.io\/|app\.kubernetes\.io\/managed-by$)/

/** A fault for each field that a user's pod must not set: which one, and what to do instead. `gated`: the store is outside the cluster. */
export function templateFaults(pod: UserPod, gated = false): string[] {
  const fixed = OURS.filter(({ field }) => valueAt(pod, field) !== undefined).map(
    ({ field, instead }) => `${field} is set by tpi: ${instead}`,
  )
  const opening = OPENING.filter((field) => gated && pod.spec[field] === true).map(
    (field) => `spec.${field} would let the program read the credentials of the store: leave it out, or leave out --storage`,
  )
  const volumes = itemsOf(pod.spec['volumes']).flatMap(({ name }) =>
    OUR_PREFIX.test(String(name)) ? [`spec.volumes[${String(name)}]`] : [],
  )
  const mounts = ['containers', 'initContainers'].flatMap((list) =>
    itemsOf(pod.spec[list]).flatMap((container) =>
      itemsOf(container['volumeMounts'])
        .filter(({ name, mountPath }) => OUR_PLACE.test(String(mountPath)) || OUR_PREFIX.test(String(name)))
        .map(({ mountPath }) => `spec.${list}[${String(container['name'])}].volumeMounts[${String(mountPath)}]`),
    ),
  )
  const labels = ['labels', 'annotations'].flatMap((kind) =>
    Object.keys(fieldsIn(pod.metadata[kind])).flatMap((key) => (OUR_LABEL.test(key) ? [`metadata.${kind}[${key}]`] : [])),
  )
  return [...fixed, ...opening, ...[...volumes, ...mounts, ...labels].map((field) => `${field} is set by tpi: use another name for yours`)]
}

/** `a.b[name].c` */
function valueAt(from: unknown, field: string): unknown {
  let at = from
  for (const part of field.split('.')) {
    const [, name = '', , item] = /^([^[]+)(\[(.+)\])?$/.exec(part) ?? []
    at = fieldsIn(at)[name]
    if (item !== undefined) at = itemsOf(at).find((one) => one['name'] === item)
  }
  return at
}

function itemsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}
