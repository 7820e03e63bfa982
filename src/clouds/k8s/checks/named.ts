/** Objects that a pod names and that must exist before it can be made or started: its classes, and what its containers mount or read. */
import { type Check, looked } from '../../../core/check.ts'
import type { Api } from '../api.ts'
import type { Thing } from '../objects.ts'
import { glimpse } from './look.ts'

interface ObjectReference {
  readonly name?: string
  readonly key?: string
  /** The object may be missing. */
  readonly optional?: boolean
}

/** How a volume, or a part of one, names objects. */
interface Source {
  readonly secret?: ObjectReference & { readonly secretName?: string }
  readonly configMap?: ObjectReference
  readonly persistentVolumeClaim?: { readonly claimName: string }
}

interface Reader {
  readonly envFrom?: readonly { readonly secretRef?: ObjectReference; readonly configMapRef?: ObjectReference }[]
  readonly env?: readonly { readonly valueFrom?: { readonly secretKeyRef?: ObjectReference; readonly configMapKeyRef?: ObjectReference } }[]
}

/** The fields of a pod that name other objects. */
export interface Naming {
  readonly runtimeClassName?: string
  readonly priorityClassName?: string
  readonly imagePullSecrets?: readonly { readonly name: string }[]
  readonly volumes?: readonly (Source & { readonly name: string; readonly projected?: { readonly sources?: readonly Source[] } })[]
  readonly containers?: readonly Reader[]
  readonly initContainers?: readonly Reader[]
}

const NOUNS = { secrets: 'secret', configmaps: 'config map', persistentvolumeclaims: 'claim' } as const

interface Wanted {
  readonly kind: keyof typeof NOUNS
  readonly name: string
  readonly key?: string
}

interface Held extends Thing {
  readonly data?: Readonly<Record<string, unknown>>
  readonly binaryData?: Readonly<Record<string, unknown>>
  readonly status?: { readonly phase?: string }
}

/** One check for all objects that exist, and one for each that does not. */
export async function named(api: Api, pod: Naming): Promise<readonly Check[]> {
  const classes = [
    clusterWide(api, 'runtime class', '/apis/node.k8s.io/v1/runtimeclasses', pod.runtimeClassName),
    clusterWide(api, 'priority class', '/apis/scheduling.k8s.io/v1/priorityclasses', pod.priorityClassName),
  ]
  const checks = (await Promise.all([...classes, ...wantedOf(pod).map(async (wanted) => object(api, wanted))])).flat()
  // Several containers may read the same object.
  const distinct = [...new Map(checks.map((check) => [`${check.what} ${check.says}`, check])).values()]
  const there = distinct.filter(({ state }) => state === 'ok').map(({ what, says }) => `${what} ${says}`)
  const rest = distinct.filter(({ state }) => state !== 'ok')
  if (there.length === 0) return rest
  return [...rest, { what: 'pod-template', state: 'ok', says: `everything it names exists: ${there.join(', ')}` }]
}

async function clusterWide(api: Api, what: string, path: string, name: string | undefined): Promise<Check[]> {
  if (name === undefined) return []
  const look = async (): Promise<Check> => {
    if (await api.ask('GET', `${path}/${name}`)) return { what, state: 'ok', says: `"${name}"` }
    return { what, state: 'fault', says: `the cluster has no ${what} "${name}"`, hint: 'the pod template names it' }
  }
  return [await glimpse(what, `whether "${name}" exists will show when the pod is created`, look)]
}

async function object(api: Api, { kind, name, key }: Wanted): Promise<Check> {
  const what = NOUNS[kind]
  return looked(what, async () => {
    const found = await api.get<Held>(kind, name)
    const where = `in namespace "${api.namespace}"`
    const hint = 'the pod template names it: a machine waits until it exists'
    if (!found) return { what, state: 'fault', says: `there is no ${what} "${name}" ${where}`, hint }
    const keys = { ...found.data, ...found.binaryData }
    if (key !== undefined && !Object.hasOwn(keys, key))
      return { what, state: 'fault', says: `${what} "${name}" ${where} has no "${key}"`, hint }
    if (found.status?.phase === 'Lost') return { what, state: 'fault', says: `${what} "${name}" ${where} has lost its volume` }
    return { what, state: 'ok', says: `"${name}"` }
  })
}

/** Names of tpi's own volumes: their objects are made with the pod. */
const OURS = /^tpi-/

function wantedOf({ volumes = [], containers = [], initContainers = [] }: Naming): readonly Wanted[] {
  const theirs = volumes.filter(({ name }) => !OURS.test(name))
  const mounted = theirs.flatMap(({ projected, ...own }) => [own, ...(projected?.sources ?? [])].flatMap(ofSource))
  const read = [...containers, ...initContainers].flatMap(({ env = [], envFrom = [] }) => [
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [...refer('secrets', secretRef), ...refer('configmaps', configMapRef)]),
    ...env.flatMap(({ valueFrom }) => [...refer('secrets', valueFrom?.secretKeyRef), ...refer('configmaps', valueFrom?.configMapKeyRef)]),
  ])
  return [...mounted, ...read]
}

function ofSource({ secret, configMap, persistentVolumeClaim }: Source): Wanted[] {
  return [
    ...refer('secrets', secret && { ...secret, ...(secret.secretName !== undefined && { name: secret.secretName }) }),
    ...refer('configmaps', configMap),
    ...refer('persistentvolumeclaims', persistentVolumeClaim && { name: persistentVolumeClaim.claimName }),
  ]
}

function refer(kind: Wanted['kind'], reference: ObjectReference | undefined): Wanted[] {
  if (reference?.name === undefined || reference.optional === true) return []
  const { name, key } = reference
  return [{ kind, name, ...(key !== undefined && { key }) }]
}
