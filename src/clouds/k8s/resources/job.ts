/** Jobs: their parallelism is the wanted size, and a Job counts as removed when none of its pods is left. */
import type { Reference } from '../../../core/cloud.ts'
import type { Ensured, Removed, Resource } from '../../../core/resource.ts'
import type { Api, Deleted } from '../api.ts'
import { activeDeadline, type Deadline } from '../deadline.ts'
import { stillThere } from '../errors.ts'
import { ANNOTATION, labelsOf, type Role } from '../names.ts'
import { type Condition, conditionOf, type Job, type Pod } from '../objects.ts'
import { isPresent } from '../unreachable.ts'
import { type OwnerReference, ownedBy, REMOVED, uidOf } from './object.ts'

/** Failures of an index. The limit is never reached: the record of a slot counts the attempts. */
const RETRIES = 1000
/** Seconds that a finished root stays before the cluster removes it with everything that it owns. */
const TTL = 10

export interface JobParams {
  readonly of: Reference
  readonly role: Role
  readonly name: string
  /** Several incarnations use it, one after the other: an annotation names the latest. */
  readonly shared?: true
  /** Labels of the Job; those of its pods are in the template. tpi's own labels are added. */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly completions: number
  /** Number of pods at the same time. */
  readonly parallelism: number
  /** When the cluster itself ends the Job. */
  readonly deadline: Deadline
  /** Absent: this is the root. */
  readonly owner?: () => Promise<OwnerReference>
  /** Seconds for which a root stays that may finish long before its deadline: only its tags tell where the results are. */
  readonly kept?: number
  readonly template: () => Promise<object>
  /** A part of the template is the user's: a misspelled field must be an error. */
  readonly strict?: boolean
  /** Whether the Job may be made yet. */
  readonly ready?: () => boolean
  readonly signal: AbortSignal
}

/** `pods`: selects its pods. */
export function jobResource(api: Api, noun: string, name: string, pods: string, params?: JobParams): Resource {
  const clear = podsRemoval(api, pods)
  return {
    kind: noun,
    name,
    ensure: async () => (params ? ensureJob(api, noun, params) : 'found'),
    // With `params`, it is removed only if no other incarnation uses it.
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
  const job = { metadata, spec: await jobSpec(params) } as { metadata: { name: string } }
  if (await api.create('jobs', job, { strict: params.strict === true })) return 'created'
  const there = await api.get<Job>('jobs', name)
  if (!there || there.metadata.deletionTimestamp) {
    throw stillThere(`${noun} ${name}`)
  }
  // A root that has ended by itself, or is past its deadline: no pod of it can start any more, and the cluster removes what it owns.
  if (!params.owner && isOver(there)) {
    await api.remove('jobs', name, uidOf(there))
    throw stillThere(`${noun} ${name}`)
  }
  return params.owner ? 'found' : usedOn(api, noun, { ...params, annotations }, there)
}

/**
 * Takes over a root that another incarnation made: extends its deadline to what this incarnation needs, and notes on it who uses it now, so that no
 * other controller removes it.
 */
async function usedOn(api: Api, noun: string, { name, annotations, shared, of, deadline }: JobParams, there: Job): Promise<Ensured> {
  // A Job's deadline counts from its creation. A minute less is not worth a change.
  const needed = deadline() + ageOf(there)
  const lasts = (there.spec.activeDeadlineSeconds ?? 0) >= needed - 60
  const { uid } = there.metadata
  if (lasts && (!shared || userOf(there) === of.incarnation)) return 'found'
  const user = { [ANNOTATION.user]: of.incarnation }
  const change = lasts
    ? { metadata: { uid, annotations: user } }
    : { metadata: { uid, annotations }, spec: { activeDeadlineSeconds: needed } }
  const changed = await api.patch('jobs', name, change)
  if (!changed || changed.metadata.deletionTimestamp) throw stillThere(`${noun} ${name}`)
  return 'updated'
}

/** `SuccessCriteriaMet`: it will be complete once its pods are gone (Kubernetes 1.31 and later). */
const isOver = (job: Job): boolean =>
  isComplete(job) || conditionOf(job, 'SuccessCriteriaMet') !== undefined || failureOf(job) !== undefined

/** Present if the Job has failed. `FailureTarget`: it will have once its pods are gone (Kubernetes 1.31 and later). */
export function failureOf(job: Job): Condition | undefined {
  return conditionOf(job, 'FailureTarget') ?? conditionOf(job, 'Failed')
}

/** All of its work is done. */
export const isComplete = (job: Job): boolean => conditionOf(job, 'Complete') !== undefined

/** Seconds. */
function ageOf(job: Job): number {
  return Math.max(0, Math.round((Date.now() - Date.parse(job.metadata.creationTimestamp ?? '')) / 1000)) || 0
}

async function jobSpec(params: JobParams): Promise<object> {
  return {
    completionMode: 'Indexed',
    completions: params.completions,
    parallelism: params.parallelism,
    // Without `podFailurePolicy`: with it, the cluster would wait for pods on dead nodes.
    backoffLimitPerIndex: RETRIES,
    maxFailedIndexes: params.completions,
    podReplacementPolicy: 'TerminatingOrFailed',
    ...activeDeadline(params.deadline),
    // On a Job other than the root, a TTL would remove results that were not collected yet.
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

/** A Job that a caller has just read: it is removed only if it is still the same. */
export function seenJob(api: Api, noun: string, seen: Job): Resource {
  return { kind: noun, name: seen.metadata.name, ensure: async () => 'found', remove: async () => removeAsSeen(api, seen) }
}

/**
 * Removes the Job if no incarnation has started to use it since it was seen. The cluster then removes what it owns, in its own time. A Job that
 * has changed is read again, because its status changes, too.
 */
async function removeAsSeen(api: Api, seen: Job): Promise<Removed> {
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

/** Removes only the Job: the cluster then removes what it owns, in its own time. */
async function removeJobAlone(api: Api, name: string): Promise<Removed> {
  const end = await api.remove('jobs', name)
  return end === 'other' ? 'pending' : REMOVED[end]
}

/** Seconds of grace for pods whose work is no longer wanted: it is already saved, or given up. */
export const LAST = 30

/**
 * Removes the pods of a Job; the cluster would, too, but may be busy with other things for minutes. Pods that have ended are not waited for. Others
 * may already have been told to end with a longer grace, which they would use up if their node or store is lost: it is shortened.
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

/** Sets the wanted number of pods. `undefined`: the Job does not exist any more. */
export async function scaleJob(api: Api, job: Job, count: number): Promise<Job | undefined> {
  if (count === job.spec.parallelism) return job
  // Only this Job, not another one that has replaced it meanwhile.
  return api.patch<Job>('jobs', job.metadata.name, { metadata: { uid: job.metadata.uid }, spec: { parallelism: count } })
}
