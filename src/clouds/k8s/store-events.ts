/** Reasons why the store of a deployment does not answer, as the cluster reports them. */
import type { CloudEvent } from '../../core/cloud.ts'
import type { Api } from './api.ts'
import { wordsOf } from './messages.ts'
import { isOfStore, selectorOf, storeName } from './names.ts'
import type { Happening, Job, Pod, VolumeClaim } from './objects.ts'
import { happenings, timeOf } from './observe.ts'
import { type StuckPods, whyStuck } from './stuck-pods.ts'

/** `stuck`: the same object at each call. */
export async function storeEvents(api: Api, id: string, stuck: StuckPods): Promise<readonly CloudEvent[]> {
  const root = await api.get<Job>('jobs', storeName(id))
  if (!root) return [{ ...REMOVED, at: new Date(api.now).toISOString() }]
  const [events, pods] = await Promise.all([
    happenings(api, (one) => isOfStore(id, one), root),
    api.list<Pod>('pods', { labelSelector: selectorOf(id, 'store') }),
  ])
  const shown: CloudEvent[] = events.flatMap((event) => {
    const said = wordsOf(event, id)
    return said ? [{ at: timeOf(event), ...said }] : []
  })
  const late = unprovided(events)
  if (late) shown.push({ at: new Date(api.now).toISOString(), kind: 'failure', text: late })
  const hopeless = (await classless(api, id, events)) ?? (await neverStarts(api, pods, stuck))
  return hopeless ? [...shown, { at: new Date(api.now).toISOString(), kind: 'failure', hopeless: true, ...hopeless }] : shown
}

/** Its root was made before anybody waits for it. */
const REMOVED = { kind: 'failure', hopeless: true, text: 'another command has removed it; run this command again' } as const

async function neverStarts(api: Api, pods: readonly Pod[], stuckPods: StuckPods): Promise<Hopeless | undefined> {
  for (const pod of pods) {
    const stuck = stuckPods.hopeless(pod)
    if (stuck) return { text: await whyStuck(api, pod, stuck) }
  }
  return undefined
}

/** Milliseconds after which a claim without a volume is worth a message. */
const SLOW = 60_000

/** The cluster says from the start that it waits for a driver. If it goes on for long, the driver may be missing: on EKS, it is an add-on. */
function unprovided(events: readonly Happening[]): string | undefined {
  const waits = events.find(({ reason }) => reason === 'ExternalProvisioning')
  const { firstTimestamp = '', lastTimestamp = '', message = '' } = waits ?? {}
  if (!(Date.parse(lastTimestamp) - Date.parse(firstTimestamp) > SLOW)) return undefined
  return `no storage for the claim yet; is the driver of its storage class installed? ${message}`
}

type Hopeless = Pick<CloudEvent, 'text' | 'option'>

/**
 * A missing storage class, in the words of the cluster's volume controller: a caller with rights in one namespace cannot read storage classes, but
 * can read these events. A class that does not exist is no mistake if there is a volume for such claims: then the claim is bound.
 */
const CLASSLESS: Readonly<Record<string, { readonly words: RegExp; says(name: string): string }>> = {
  ProvisioningFailed: {
    words: /^storageclass\S* "(.+)" not found$/i,
    says: (name) => `the cluster has no storage class "${name}", nor a volume of that class that fits`,
  },
  FailedBinding: { words: /no storage class is set/i, says: () => 'none is given, and the cluster has no default, nor a volume that fits' },
}

/** What is wrong with the storage class, if the claim has no volume. */
async function classless(api: Api, id: string, events: readonly Happening[]): Promise<Hopeless | undefined> {
  const [text] = events.flatMap(({ reason = '', message = '' }) => {
    const rule = CLASSLESS[reason]
    const match = rule?.words.exec(message)
    return rule && match ? rule.says(match[1] ?? '') : []
  })
  if (text === undefined) return undefined
  const claim = await api.get<VolumeClaim>('persistentvolumeclaims', id)
  if (claim?.status?.phase !== 'Pending') return undefined
  return { text, option: 'storage-class' }
}
