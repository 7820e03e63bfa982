/** Nodes without machines: what is scheduled on them counts as running at once, and goes when it is told to. As many pods as one likes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** On every such node: as label for those who want them, as taint against those who do not. */
export const PRETEND = 'lab.test/pretend'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const PODS_EACH = 110
const AT_ONCE = 16

export async function pretend({ api }: Cluster, count: number): Promise<{ stop(): Promise<void> }> {
  const names = Array.from({ length: count }, (_, index) => `pretend-${index}`)
  const over = new AbortController()
  for (const name of names) {
    const spec = { taints: [{ key: PRETEND, value: 'true', effect: 'NoSchedule' }] }
    await api.create('/api/v1/nodes', { metadata: { name, labels: { [PRETEND]: 'true' } }, spec })
    await api.create(LEASES, { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 12, renewTime: now() } })
  }
  const beat = async (name: string): Promise<void> => {
    const amounts = { cpu: '64', memory: '256Gi', pods: String(PODS_EACH), 'ephemeral-storage': '1Ti' }
    const ready = { type: 'Ready', status: 'True', reason: 'Pretended', lastHeartbeatTime: now(), lastTransitionTime: now() }
    await api.patch(`/api/v1/nodes/${name}/status`, { status: { capacity: amounts, allocatable: amounts, conditions: [ready] } })
    await api.patch(`${LEASES}/${name}`, { spec: { renewTime: now() } })
  }
  await Promise.all(names.map(beat))
  const going = [
    forever(over.signal, 4_000, async () => void (await Promise.all(names.map(beat)))),
    forever(over.signal, 500, async () => settle(names, api)),
  ]
  return {
    async stop() {
      over.abort()
      await Promise.all(going)
      for (const name of names) await api.remove(`/api/v1/nodes/${name}`)
    },
  }
}

async function forever(signal: AbortSignal, every: number, body: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    // A pod that went meanwhile is no reason to end.
    await body().catch(() => undefined)
    await sleep(every, undefined, { signal }).catch(() => undefined)
  }
}

interface Placed {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly deletionTimestamp?: string }
  readonly spec?: { readonly nodeName?: string }
  readonly status?: { readonly phase?: string }
}

async function settle(names: readonly string[], api: Cluster['api']): Promise<void> {
  const pods = (await api.list('/api/v1/pods')) as readonly Placed[]
  const mine = pods.filter(({ spec }) => names.includes(spec?.nodeName ?? ''))
  const changes = mine.flatMap(({ metadata: { name, namespace, deletionTimestamp }, status }) => {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`
    if (deletionTimestamp !== undefined) return [() => api.remove(`${path}?gracePeriodSeconds=0`)]
    return status?.phase === 'Running' ? [] : [() => api.patch(`${path}/status`, { status: running() })]
  })
  const work = async (): Promise<void> => {
    for (let next = changes.pop(); next; next = changes.pop()) await next().catch(() => undefined)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

function running(): object {
  const main = { name: 'main', image: '', imageID: '', restartCount: 0, ready: true, state: { running: { startedAt: now() } } }
  return { phase: 'Running', startTime: now(), podIP: '192.0.2.9', containerStatuses: [main] }
}

const now = (): string => new Date().toISOString().replace('Z', '000Z')
