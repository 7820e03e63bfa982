/** Amounts as Kubernetes writes them: "500m", "16Gi", "1e9". */

const POWER: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** NaN if it is not an amount. */
export function amountOf(text: string | number): number {
  const [, digits, unit = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]{0,2})$/.exec(String(text).trim()) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (POWER[unit] ?? Number.NaN)
}

export type Amounts = Readonly<Record<string, number>>

interface Container {
  readonly name?: string
  readonly resources?: ResourceRequirements
  /** `Always`: an init container that keeps running beside the others (a sidecar). */
  readonly restartPolicy?: string
}

export interface ResourceRequirements {
  readonly requests?: Readonly<Record<string, string | number>>
  readonly limits?: Readonly<Record<string, string | number>>
}

export interface Sized {
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
}

/** The amounts of one container, as `requests.cpu`, `limits.memory` …; a limit without a request counts as both. */
export function sizesOf({ requests = {}, limits = {} }: ResourceRequirements): Amounts {
  const asked = { ...limits, ...requests }
  return {
    ...Object.fromEntries(Object.entries(asked).map(([name, text]) => [`requests.${name}`, amountOf(text)])),
    ...Object.fromEntries(Object.entries(limits).map(([name, text]) => [`limits.${name}`, amountOf(text)])),
  }
}

/**
 * The amounts of a whole pod: its containers and sidecars together, or, if that is more, an init container and the sidecars that start before it.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podSizes({ containers = [], initContainers = [] }: Sized): Amounts {
  let sidecars: Amounts = {}
  let most: Amounts = {}
  for (const { restartPolicy, resources = {} } of initContainers) {
    const running = sum([sidecars, sizesOf(resources)])
    if (restartPolicy === 'Always') sidecars = running
    most = larger(most, running)
  }
  return larger(most, sum([sidecars, ...containers.map(({ resources = {} }) => sizesOf(resources))]))
}

export function sum(all: readonly Amounts[]): Amounts {
  const total: Record<string, number> = {}
  for (const amounts of all) for (const [name, amount] of Object.entries(amounts)) total[name] = (total[name] ?? 0) + amount
  return total
}

function larger(a: Amounts, b: Amounts): Amounts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]))
}
