/** Whether the namespace has room for a deployment: its quotas (ResourceQuota), and its rules for sizes (LimitRange). */
import type { Check } from '../../../core/check.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import type { Api } from '../api.ts'
import type { Thing } from '../objects.ts'
import { type Amounts, amountOf, podSizes, type ResourceRequirements, type Sized, sizesOf, sum } from '../quantity.ts'
import { glimpse } from './look.ts'

/** What one deployment of one machine needs. */
export interface Bill {
  /** The pod of a store of its own (if any), and that of the machine. */
  readonly pods: readonly Sized[]
  /** Size of the new claim; absent if the store is outside the cluster, or uses an existing claim. */
  readonly claimBytes?: number
}

interface Quota extends Thing {
  readonly spec?: { readonly scopes?: unknown; readonly scopeSelector?: unknown }
  readonly status?: { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> }
}

/** One rule of a LimitRange. */
interface Rule {
  readonly type: string
  readonly max?: Readonly<Record<string, string>>
  readonly min?: Readonly<Record<string, string>>
  readonly default?: Readonly<Record<string, string>>
  readonly defaultRequest?: Readonly<Record<string, string>>
}

interface Range extends Thing {
  readonly spec?: { readonly limits?: readonly Rule[] }
}

/** A rule, and the name of its LimitRange. */
type NamedRule = Rule & { readonly name: string }

export async function room(api: Api, asked: Bill): Promise<Check> {
  const what = 'quota'
  return glimpse(what, 'whether there is room will show when the pods are created', async () => {
    const at = (kind: string): string => `/api/v1/namespaces/${api.namespace}/${kind}`
    const [quotas, ranges] = await Promise.all([
      api.ask<{ items?: readonly Quota[] }>('GET', at('resourcequotas')),
      api.ask<{ items?: readonly Range[] }>('GET', at('limitranges')),
    ])
    const rules = (ranges?.items ?? []).flatMap(({ metadata, spec }) =>
      (spec?.limits ?? []).map((rule): NamedRule => ({ ...rule, name: metadata.name })),
    )
    const bill = { ...asked, pods: asked.pods.map((pod) => defaulted(pod, rules)) }
    // Quotas with a scope may count only other pods, which cannot be judged from here.
    const counted = (quotas?.items ?? []).filter(({ spec }) => !spec?.scopes && !spec?.scopeSelector)
    const faults = [...counted.flatMap((quota) => quotaFaults(quota, bill)), ...rules.flatMap((rule) => ruleFaults(rule, bill))]
    if (faults.length > 0) return { what, state: 'fault', says: faults.join('; '), hint: 'ask for less, or for more in this namespace' }
    const says = counted.length + rules.length === 0 ? 'the namespace has no limits' : 'the namespace has room for one machine'
    return { what, state: 'ok', says }
  })
}

function quotaFaults({ metadata, status }: Quota, bill: Bill): string[] {
  const needs = needsOf(bill)
  return Object.entries(status?.hard ?? {}).flatMap(([name, hard]) => {
    const unsaid = SIZED.test(name) ? containersWithout(name, bill) : []
    if (unsaid.length > 0)
      return [`quota "${metadata.name}" requires every container to specify ${name}, and ${unsaid.join(', ')} would not`]
    const need = needs[normal(name)]
    const free = amountOf(hard) - amountOf(status?.used?.[name] ?? '0')
    if (need === undefined || need <= free) return []
    return [`quota "${metadata.name}" has ${said(name, free)} of ${name} left, and ${said(name, need)} are needed`]
  })
}

const SIZED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/
const COUNTED = new Set(['pods', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'jobs'])

/** `cpu` is short for `requests.cpu`, and `count/pods` means the same as `pods`. */
function normal(name: string): string {
  const plain = name.replace(/^count\//, '').replace(/\.batch$/, '')
  return plain.includes('.') || COUNTED.has(plain) ? plain : `requests.${plain}`
}

function needsOf({ pods, claimBytes }: Bill): Amounts {
  const each = pods.length
  // Only a store has a Service.
  const objects = { pods: each, jobs: each, configmaps: each, secrets: 1, services: each - 1 }
  const claim = claimBytes === undefined ? {} : { persistentvolumeclaims: 1, 'requests.storage': claimBytes }
  return sum([objects, claim, ...pods.map(podSizes)])
}

/** A pod with the sizes that the cluster adds where its containers leave them out: for a request, the limit, or else the LimitRange's default. */
function defaulted({ containers = [], initContainers = [] }: Sized, rules: readonly Rule[]): Sized {
  const own = rules.filter(({ type }) => type === 'Container')
  const fill = <C extends { readonly resources?: ResourceRequirements }>(container: C): C => {
    const { requests, limits } = container.resources ?? {}
    const resources = {
      limits: Object.assign({}, ...own.map((rule) => rule.default ?? {}), limits),
      requests: Object.assign({}, ...own.map((rule) => rule.defaultRequest ?? {}), limits, requests),
    } as ResourceRequirements
    return { ...container, resources }
  }
  return { containers: containers.map(fill), initContainers: initContainers.map(fill) }
}

const allOf = ({ containers = [], initContainers = [] }: Sized) => [...initContainers, ...containers]

function containersWithout(name: string, { pods }: Bill): string[] {
  const without = pods.flatMap(allOf).filter(({ resources = {} }) => sizesOf(resources)[normal(name)] === undefined)
  return without.map((container) => `"${container.name}"`)
}

function ruleFaults(rule: NamedRule, bill: Bill): string[] {
  return sizesUnder(rule, bill).flatMap(([who, sizes]) => [
    ...Object.entries(rule.max ?? {}).flatMap(([name, most]) => {
      const size = sizes[`limits.${name}`] ?? sizes[`requests.${name}`]
      return size !== undefined && size > amountOf(most)
        ? [`${who} asks for ${said(name, size)} of ${name}, and LimitRange "${rule.name}" allows at most ${most}`]
        : []
    }),
    ...Object.entries(rule.min ?? {}).flatMap(([name, least]) => {
      const size = sizes[`requests.${name}`]
      return size !== undefined && size < amountOf(least)
        ? [`${who} asks for ${said(name, size)} of ${name}, and LimitRange "${rule.name}" requires at least ${least}`]
        : []
    }),
  ])
}

/** What a rule measures, for people, and its sizes. */
function sizesUnder({ type }: Rule, { pods, claimBytes }: Bill): [who: string, Amounts][] {
  if (type === 'PersistentVolumeClaim')
    return claimBytes === undefined ? [] : [['the claim of the store', { 'requests.storage': claimBytes }]]
  if (type === 'Pod') return pods.map((pod) => ['a pod', podSizes(pod)])
  if (type !== 'Container') return []
  return pods.flatMap(allOf).map((one) => [`container "${one.name}"`, sizesOf(one.resources ?? {})])
}

function said(name: string, amount: number): string {
  return /memory|storage/.test(name) ? formatBytes(amount) : String(Math.round(amount * 1000) / 1000)
}
