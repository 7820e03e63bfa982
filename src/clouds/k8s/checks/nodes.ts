/** Whether some node could take the pod at all: what is free on it now is the scheduler's business. */
import type { Check } from '../../../core/check.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/text.ts'
import type { Api } from '../api.ts'
import type { Thing } from '../objects.ts'
import { type Amounts, amountOf, podSizes, type Sized, sizesOf, sum } from '../quantity.ts'
import { type Taint, type Toleration, tolerates } from '../toleration.ts'
import { accepts, type NodeAffinity } from './affinity.ts'
import { glimpse } from './look.ts'
import { type Naming, type RuntimeClass, runtimeClassOf } from './named.ts'

/** What of a pod decides where it may go. */
export interface Placed extends Sized {
  readonly nodeName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
  readonly affinity?: { readonly nodeAffinity?: NodeAffinity; readonly podAffinity?: Among; readonly podAntiAffinity?: Among }
  readonly topologySpreadConstraints?: readonly { readonly whenUnsatisfiable?: string }[]
  readonly resourceClaims?: readonly unknown[]
  readonly schedulerName?: string
}

/** Nearness to other pods. */
interface Among {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly unknown[]
}

interface Node extends Thing {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] }
  readonly status?: { readonly allocatable?: Readonly<Record<string, string>> }
}

export async function nodes(api: Api, planned: Placed & Naming): Promise<Check> {
  const what = 'nodes'
  return glimpse(what, 'whether one takes the pod will show when it is created', async () => {
    const [list, runtimeClass] = await Promise.all([
      api.ask<{ items?: readonly Node[] }>('GET', '/api/v1/nodes'),
      runtimeClassOf(api, planned),
    ])
    const all = list?.items ?? []
    const pod = under(runtimeClass, planned)
    const sizes = sum([podSizes(pod), sizesOf({ requests: runtimeClass?.overhead?.podFixed ?? {} })])
    const reasons = all.map((node) => reasonsOf(node, pod, sizes))
    const fitting = reasons.filter((why) => why.length === 0).length
    const open = unjudged(planned)
    const but = open.length === 0 ? '' : ` (not checked: ${open.join(', ')})`
    if (fitting > 0) return { what, state: 'ok', says: `${fitting} of ${plural(all.length, 'node')} can take a machine${but}` }
    const none = `none of ${plural(all.length, 'node')} can take a machine`
    return {
      what,
      state: 'fault',
      says: [none, ...counted(reasons.flat()), ...largest(all, sizes)].join('; '),
      hint: 'ask for less, give another --node-selector or a toleration with --pod-template; ignore this where nodes are added on demand',
    }
  })
}

function counted(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1)
  return counts.size === 0 ? [] : [[...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')]
}

/** As the cluster completes a pod of a runtime class. */
function under(runtimeClass: RuntimeClass | undefined, pod: Placed): Placed {
  const { nodeSelector, tolerations = [] } = runtimeClass?.scheduling ?? {}
  return { ...pod, nodeSelector: { ...pod.nodeSelector, ...nodeSelector }, tolerations: [...(pod.tolerations ?? []), ...tolerations] }
}

/** What else decides where a pod may go, and depends on other pods, on volumes or on other programs. */
function unjudged(pod: Placed & Naming): string[] {
  const { podAffinity, podAntiAffinity } = pod.affinity ?? {}
  const among = [podAffinity, podAntiAffinity].some((one) => (one?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0)
  const spread = pod.topologySpreadConstraints?.some(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway')
  const claims = pod.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)
  return [
    ...(among ? ['pod affinity and anti-affinity'] : []),
    ...(spread ? ['topology spread'] : []),
    ...(claims ? ['where the volumes of its claims can be mounted'] : []),
    ...((pod.resourceClaims ?? []).length > 0 ? ['resource claims'] : []),
    ...(pod.schedulerName === undefined || pod.schedulerName === 'default-scheduler' ? [] : [`the scheduler "${pod.schedulerName}"`]),
  ]
}

function reasonsOf({ metadata, spec, status }: Node, pod: Placed, sizes: Amounts): string[] {
  const { nodeName, nodeSelector = {}, tolerations = [], affinity } = pod
  const labels = Object.entries(nodeSelector).filter(([key, value]) => metadata.labels?.[key] !== value)
  const taints = (spec?.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)),
  )
  const little = Object.keys(sizes).filter((name) => {
    const resource = resourceOf(name)
    return resource !== undefined && (sizes[name] ?? 0) > amountOf(status?.allocatable?.[resource] ?? '0')
  })
  return [
    ...(spec?.unschedulable ? ['closed to new pods'] : []),
    ...(nodeName === undefined || nodeName === metadata.name ? [] : [`that is not "${nodeName}"`]),
    ...(accepts(affinity?.nodeAffinity, metadata) ? [] : ['outside the required node affinity']),
    ...labels.map(([key, value]) => `without the label ${key}=${value}`),
    ...(spec?.unschedulable ? [] : taints.map(({ key, value, effect }) => `with the taint ${key}${value ? `=${value}` : ''}:${effect}`)),
    ...little.map((name) => `with too little ${resourceOf(name)}`),
  ]
}

/** Requests decide; limits do not. */
function resourceOf(name: string): string | undefined {
  return name.startsWith('requests.') ? name.slice('requests.'.length) : undefined
}

/** Of each wanted resource, the most that one node has. */
function largest(all: readonly Node[], sizes: Amounts): string[] {
  const names = Object.keys(sizes).flatMap((name) => resourceOf(name) ?? [])
  const most = names.map((name) => [name, Math.max(0, ...all.map(({ status }) => amountOf(status?.allocatable?.[name] ?? '0')))] as const)
  const short = most.filter(([name, amount]) => (sizes[`requests.${name}`] ?? 0) > amount)
  if (short.length === 0) return []
  const say = (name: string, amount: number): string => (/memory|storage/.test(name) ? formatBytes(amount) : String(amount))
  return [`the largest node has ${short.map(([name, amount]) => `${name} ${say(name, amount)}`).join(', ')}`]
}
