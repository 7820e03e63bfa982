/** A rule by which the machines of a deployment that has several reach each other: Google's networks let nothing in by themselves. */
import { randomUUID } from 'node:crypto'
import { AuthError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { GONE, THERE } from './errors.ts'
import { operated } from './operation.ts'
import type { Firewall, Operation } from './sdk.ts'

const KIND = 'firewall rule'

export interface FirewallWish {
  /** Also the network tag that machines bear. */
  readonly name: string
  /** URL of the vendor's. */
  readonly network: string
  readonly signal: AbortSignal
  readonly warn: (text: string) => void
}

/** Who may not make one gets machines all the same: most have nothing to say to each other, or a rule of their network lets them. */
export function firewall(api: Api, { name, network, signal, warn }: FirewallWish): Resource {
  const requestId = randomUUID()
  // https://cloud.google.com/compute/docs/reference/rest/v1/firewalls
  const body = {
    name,
    network,
    description: 'tpi-action: machines of one deployment',
    direction: 'INGRESS',
    sourceTags: [name],
    targetTags: [name],
    allowed: [{ IPProtocol: 'all' }],
  }
  const rule = operated(api, {
    kind: KIND,
    name,
    signal,
    insert: async () => api.unless(THERE, 'compute:firewalls.insert', `create ${KIND} ${name}`, { query: { requestId }, body }),
    find: async () => findFirewall(api, name),
    erase: eraseFirewall(api, name),
  })
  return {
    ...rule,
    async ensure() {
      return rule.ensure().catch((error: unknown) => {
        if (!(error instanceof AuthError)) throw error
        warn(`${error.message}; machines of this run reach each other only if a rule of your network lets them`)
        return 'found'
      })
    },
  }
}

export async function findFirewall(api: Api, name: string): Promise<Firewall | undefined> {
  return api.unless(GONE, 'compute:firewalls.get', `look for ${KIND} ${name}`, { path: { firewall: name } }).catch((error: unknown) => {
    // Who may not look has not made it either.
    if (error instanceof AuthError) return undefined
    throw error
  })
}

export const eraseFirewall = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:firewalls.delete', `remove ${KIND} ${name}`, { path: { firewall: name }, query: { requestId: randomUUID() } })
