/** A rehearsed reclaim: the Eviction API, as `kubectl drain` uses it. */
import type { Reference } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { groupSelector } from './names.ts'
import type { Pod } from './objects.ts'
import { isLiving } from './pods.ts'

/** Tries while a disruption budget forbids the eviction, and milliseconds between them. */
const TRIES = 10
const PAUSE = 3_000

export async function interrupt(
  api: Api,
  of: Reference,
  machine: string | undefined,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const pods = await api.list<Pod>('pods', { labelSelector: groupSelector(of) })
  const living = pods.filter((pod) => isLiving(pod) && (machine === undefined || pod.metadata.name === machine))
  if (living.length === 0)
    throw new InputError(machine === undefined ? `${of.id} has no machine` : `${of.id} has no machine ${machine} any more`)
  for (const { metadata } of living) await evict(api, metadata.name, sleep)
}

async function evict(api: Api, pod: string, sleep: (milliseconds: number) => Promise<void>): Promise<void> {
  for (let round = 1; ; round += 1) {
    const said = await api.evict(pod)
    if (said === 'evicted' || said === 'gone') return
    const why = [said.message ?? 'a PodDisruptionBudget forbids it for now', ...(said.causes ?? [])].join(' ')
    if (round >= TRIES)
      throw new RemoteError(`k8s: pod ${pod} could not be evicted: ${why}`, { hint: 'see: kubectl get poddisruptionbudgets' })
    await sleep(PAUSE)
  }
}
