/** Jobs: scaled by their parallelism, gone when no pod of theirs is left. */
import type { Reference } from '../../../core/cloud.ts'
import { RemoteError } from '../../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../../core/resource.ts'
import type { Api, Deleted } from '../api.ts'
import { activeDeadline, type Deadline } from '../deadline.ts'
import { ANNOTATION, labelsOf, type Role } from '../names.ts'
import type { Job, Pod } from '../objects.ts'
import { isPresent } from '../unreachable.ts'
import { type OwnerReference, ownedBy, REMOVED, uidOf } from './object.ts'

/** A ceiling: attempts are counted in the record of a slot. */
const RETRIES = 1000
/** Seconds that a finished root stays before the cluster removes it with all that it owns: it is no longer needed. */
const TTL = 10

export interface JobParams {
  readonly of: Reference
  readonly role: Role
  readonly name: string
  /** Incarnations use it one after the other: it bears the name of the last that came. */
  readonly shared?: true
  /** Of the Job; the pods' own are in the template. Ours is what it is found by. */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly completions: number
  /** Pods at once. */
  readonly parallelism: number
  /** When the cluster itself ends it. */
  readonly deadline: Deadline
  /** Absent: this is the root. */
  readonly owner?: () => Promise<OwnerReference>
  /** Seconds that a root stays once it is over, where it may be over long before its deadline: nothing else tells where the results are. */
  readonly kept?: number
  readonly template: () => Promise<object>
  /** Whether its turn has come. */
  readonly ready?: () => boolean
  readonly signal: AbortSignal
}

/** `pods`: selects its own. */
export function jobResource(api: Api, noun: string, name: string, pods: string, params?: JobParams): Resource {
  const clear = podsRemoval(api, pods)
  return {
    kind: noun,
    name,
    ensure: async () => (params ? ensureJob(api, noun, params) : 'found'),
    // Made for a request, it is removed for that request only; without one it goes in any case.
    remove: async () => (params?.shared && (await isUsedByAnother(api, params)) ? 'absent' : removeJob(api, name, clear)),
  }
}

async function isUsedByAnother(api: Api, { name, of }: JobParams): Promise<boolean> {
  const there = await api.get<Job>('jobs', name)
  return there !== undefined && userOf(there) !== of.incarnation
}

const userOf = ({ metadata }: Job): string | undefined => metadata.annotations?.[ANNOTATION.user]

async function ensureJob(api: Api, noun: string, params: JobParams): Promise<Ensured> {
  params.signal.throwIfAborted()
  if (params.ready && !params.ready()) return 'pending'
  const { name } = params
  const annotations = { ...params.annotations, ...(params.shared && { [ANNOTATION.user]: params.of.incarnation }) }
  const owners = params.owner ? { ownerReferences: ownedBy(await params.owner()) } : {}
  const metadata = { name, labels: { ...params.labels, ...labelsOf(params.of, params.role) }, annotations, ...owners }
  if (await api.create('jobs', { metadata, spec: await jobSpec(params) } as { metadata: { name: string } })) return 'created'
  const there = await api.get<Job>('jobs', name)
  if (!there || there.metadata.deletionTimestamp) {
    throw new RemoteError(`k8s: ${noun} ${name} of a former run is still being removed`, { retryable: true })
  }
  // Its store has ended itself, or its time was over: nothing starts in it any more, and it owns what is going.
  if (!params.owner && isOver(there)) {
    await api.remove('jobs', name, uidOf(there))
    throw new RemoteError(`k8s: ${noun} ${name} of a former run is being removed`, { retryable: true })
  }
  return params.owner ? 'found' : usedOn(api, noun, { ...params, annotations }, there)
}

/** A root that another incarnation has made: it stays as long as this one needs it, and a controller that removes it meanwhile sees that. */
async function usedOn(api: Api, noun: string, { name, annotations, shared, of, deadline }: JobParams, there: Job): Promise<Ensured> {
  const needed = deadline() + ageOf(there)
  const lasts = (there.spec.activeDeadlineSeconds ?? 0) >= needed - 60
  const { uid } = there.metadata
  if (lasts && (!shared || userOf(there) === of.incarnation)) return 'found'
  const user = { [ANNOTATION.user]: of.incarnation }
  const change = lasts
    ? { metadata: { uid, annotations: user } }
    : { metadata: { uid, annotations }, spec: { activeDeadlineSeconds: needed } }
  const changed = await api.patch('jobs', name, change)
  if (!changed || changed.metadata.deletionTimestamp)
    throw new RemoteError(`k8s: ${noun} ${name} of a former run is being removed`, { retryable: true })
  return 'updated'
}

const isOver = (job: Job): boolean => isComplete(job) || has(job, 'Failed')

/** All that was to be done in it is done. */
export const isComplete = (job: Job): boolean => has(job, 'Complete')

function has({ status }: Job, wanted: string): boolean {
  return status?.conditions?.some(({ type, status: now }) => type === wanted && now === 'True') === true
}

/** Seconds. The clock of a Job starts with it. */
function ageOf(job: Job): number {
  return Math.max(0, Math.round((Date.now() - Date.parse(job.metadata.creationTimestamp ?? '')) / 1000)) || 0
}

async function jobSpec(params: JobParams): Promise<object> {
  return {
    completionMode: 'Indexed',
    completions: params.completions,
    parallelism: params.parallelism,
    // No `podFailurePolicy`: it would wait for pods on dead nodes.
    backoffLimitPerIndex: RETRIES,
    maxFailedIndexes: params.completions,
    podReplacementPolicy: 'TerminatingOrFailed',
    ...activeDeadline(params.deadline),
    // A TTL on anything but the root would remove results that were not collected yet.
    ...(params.owner ? {} : { ttlSecondsAfterFinished: Math.max(TTL, params.kept ?? 0) }),
    template: await params.template(),
  }
}

async function removeJob(api: Api, name: string, clear: () => Promise<Removed>): Promise<Removed> {
  const job = await removeJobAlone(api, name)
  const remains = await clear()
  if (job === 'pending' || remains === 'pending') return 'pending'
  return job === 'removed' || remains === 'removed' ? 'removed' : 'absent'
}

/**
 * As it was seen, and if no incarnation has come to use it since. From then on the cluster takes away what it owns, in its own time. One that
 * has changed in between is looked at again.
 */
export async function removeAsSeen(api: Api, seen: Job): Promise<Removed> {
  const { name } = seen.metadata
  const end = await endAsItIs(api, seen)
  if (end !== 'other') return REMOVED[end]
  const there = await api.get<Job>('jobs', name)
  if (!there || there.metadata.uid !== seen.metadata.uid || userOf(there) !== userOf(seen)) return 'absent'
  const again = await endAsItIs(api, there)
  return again === 'other' ? 'pending' : REMOVED[again]
}

async function endAsItIs(api: Api, job: Job): Promise<Deleted> {
  const { name, deletionTimestamp, resourceVersion } = job.metadata
  if (deletionTimestamp !== undefined) return (await api.get('jobs', name))?.metadata.uid === job.metadata.uid ? 'going' : 'absent'
  return api.remove('jobs', name, { ...uidOf(job), ...(resourceVersion !== undefined && { resourceVersion }) })
}

/** From then on the cluster takes away what it owns, in its own time. */
async function removeJobAlone(api: Api, name: string): Promise<Removed> {
  const end = await api.remove('jobs', name)
  return end === 'other' ? 'pending' : REMOVED[end]
}

/** Seconds for pods whose work is no longer wanted: it is saved already, or given up. */
const LAST = 30

/**
 * Not left to the cluster, which may be busy with other things for minutes. What of them is over needs no waiting for. They may have been
 * told to go with all their grace, in vain where their node or their store is lost: it is cut short.
 */
export function podsRemoval(api: Api, labelSelector: string): () => Promise<Removed> {
  const ask = async (): Promise<readonly Pod[]> => api.removeAll<Pod>('pods', { labelSelector }, LAST)
  let asked = false
  return async () => {
    const there = asked ? await api.list<Pod>('pods', { labelSelector }) : await ask()
    const soon = api.now + (LAST + 1) * 1000
    const fresh = there.some(({ metadata: { deletionTimestamp: at } }) => at === undefined || Date.parse(at) > soon)
    if (asked && fresh) await ask()
    asked = true
    if (there.some((pod) => isPresent(pod, api.now))) return 'pending'
    return fresh ? 'removed' : 'absent'
  }
}

/** Sets the wanted number of pods. An Indexed Job may grow as long as completions and parallelism grow together. `undefined`: it is gone. */
export async function scaleJob(api: Api, job: Job, count: number): Promise<Job | undefined> {
  const { completions = 1, parallelism = 0 } = job.spec
  if (count === parallelism) return job
  const spec = count > completions ? { parallelism: count, completions: count } : { parallelism: count }
  // This one, and not another that has taken its place meanwhile.
  return api.patch<Job>('jobs', job.metadata.name, { metadata: { uid: job.metadata.uid }, spec })
}
