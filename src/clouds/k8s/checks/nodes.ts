/** Whether some node could take the pod at all: what is free on it now is the scheduler's business. */
import type { Check } from '../../../core/check.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../lib/text.ts'
import type { Api } from '../api.ts'
import type { Thing } from '../objects.ts'
import { type Amounts, amountOf, podSizes, type Sized } from '../quantity.ts'
import { glimpse } from './look.ts'

interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
}

/** What of a pod decides where it may go. */
export interface Placed extends Sized {
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
}

interface Node extends Thing {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] }
  readonly status?: { readonly allocatable?: Readonly<Record<string, string>> }
}

export async function nodes(api: Api, pod: Placed): Promise<Check> {
  const what = 'nodes'
  return glimpse(what, 'whether one takes the pod shows when it is made', async () => {
    const all = (await api.ask<{ items?: readonly Node[] }>('GET', '/api/v1/nodes'))?.items ?? []
    const sizes = podSizes(pod)
    const reasons = all.map((node) => reasonsOf(node, pod, sizes))
    const fitting = reasons.filter((why) => why.length === 0).length
    if (fitting > 0) return { what, state: 'ok', says: `${fitting} of ${plural(all.length, 'node')} can take a machine` }
    const counts = new Map<string, number>()
    for (const why of reasons.flat()) counts.set(why, (counts.get(why) ?? 0) + 1)
    const why = [...counts].map(([reason, count]) => `${count} ${reason}`)
    return {
      what,
      state: 'fault',
      says: [
        `none of ${plural(all.length, 'node')} can take a machine`,
        ...(why.length > 0 ? [why.join(', ')] : []),
        ...largest(all, sizes),
      ].join('; '),
      hint: 'ask for less, give another --node-selector or a toleration by --pod-template; it is no fault where nodes are added on demand',
    }
  })
}

function reasonsOf({ metadata, spec, status }: Node, { nodeSelector = {}, tolerations = [] }: Placed, sizes: Amounts): string[] {
  const labels = Object.entries(nodeSelector).filter(([key, value]) => metadata.labels?.[key] !== value)
  const taints = (spec?.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)),
  )
  const little = Object.keys(sizes).filter((name) => {
    const resource = resourceOf(name)
    return resource !== undefined && (sizes[name] ?? 0) > amountOf(status?.allocatable?.[resource] ?? '0')
  })
  return [
    ...(spec?.unschedulable ? ['closed for new pods'] : []),
    ...labels.map(([key, value]) => `without the label ${key}=${value}`),
    ...(spec?.unschedulable ? [] : taints.map(({ key, value, effect }) => `with the taint ${key}${value ? `=${value}` : ''}:${effect}`)),
    ...little.map((name) => `with too little ${resourceOf(name)}`),
  ]
}

/** Requests decide; limits do not. */
function resourceOf(name: string): string | undefined {
  return name.startsWith('requests.') ? name.slice('requests.'.length) : undefined
}

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (operator === 'Exists') return !key || key === taint.key
  return key === taint.key && value === (taint.value ?? '')
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
