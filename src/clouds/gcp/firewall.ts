/** The firewall rule that lets the machines of a deployment with several reach each other: by default, Google's networks admit nothing. */
import { randomUUID } from 'node:crypto'
import { AuthError, InputError, ifDenied, QuotaError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { GONE, THERE } from './errors.ts'
import { leftover, operated } from './operation.ts'
import type { Firewall, Operation } from './sdk.ts'

const KIND = 'firewall rule'

/** The rights to make and remove a rule. */
const RIGHTS = ['compute.firewalls.create', 'compute.firewalls.delete', 'compute.networks.updatePolicy']

/**
 * Whether the caller has these rights; `false`, too, if the project does not answer: then the attempt to make a rule shows it.
 * https://cloud.google.com/resource-manager/reference/rest/v1/projects/testIamPermissions
 */
export async function mayMakeRules(api: Api): Promise<boolean> {
  const asked = { body: { permissions: RIGHTS } }
  return api.call('cloudresourcemanager:projects.testIamPermissions', 'look at your permissions', asked).then(
    ({ permissions }) => RIGHTS.every((right) => permissions?.includes(right)),
    () => false,
  )
}

export interface FirewallParams {
  /** Also the network tag of the machines. */
  readonly name: string
  /** The network's URL. */
  readonly network: string
  readonly signal: AbortSignal
  readonly warn: (text: string) => void
  /** Called once the rule exists. */
  readonly made: () => void
}

/**
 * Failures to make the rule that do not fail the deployment: the caller may not make one, has no quota left for one, or its organization forbids
 * it (a constraint: 412).
 */
const TOLERATED = [AuthError, QuotaError, InputError]

/** Without a rule, the machines start anyway: most need not reach each other, or a rule of the network allows it. */
export function firewall(api: Api, { name, network, signal, warn, made }: FirewallParams): Resource {
  // https://cloud.google.com/compute/docs/reference/rest/v1/firewalls
  const body = {
    name,
    network,
    description: 'tpi-action: machines of one run',
    direction: 'INGRESS',
    sourceTags: [name],
    targetTags: [name],
    allowed: [{ IPProtocol: 'all' }],
  }
  const rule = operated(api, {
    kind: KIND,
    name,
    signal,
    insert: async (requestId) => api.unless(THERE, 'compute:firewalls.insert', `create ${KIND} ${name}`, { query: { requestId }, body }),
    find: async () => findFirewall(api, name),
    erase: eraseFirewall(api, name),
  })
  let without = false
  return {
    ...rule,
    async ensure() {
      try {
        const ensured = await rule.ensure()
        made()
        return ensured
      } catch (error) {
        if (!(error instanceof Error) || !TOLERATED.some((kind) => error instanceof kind)) throw error
        without = true
        warn(`${error.message}; machines of this run reach each other only if a rule of your network lets them`)
        return 'found'
      }
    },
    remove: async () => (without ? 'absent' : rule.remove()),
  }
}

async function findFirewall(api: Api, name: string): Promise<Firewall | undefined> {
  return api.unless(GONE, 'compute:firewalls.get', `look for ${KIND} ${name}`, { path: { firewall: name } })
}

/** `noted`: whether the template says that a rule was made. A caller who may not look for rules knows it only from there. */
export async function leftoverFirewall(api: Api, name: string, noted: Promise<boolean>): Promise<Resource | undefined> {
  // A caller who may not look relies on the template. That is wrong only if a start was cut off between the rule and the template.
  const looked = async (): Promise<boolean> => (await findFirewall(api, name).catch(ifDenied(undefined))) !== undefined
  if (!(await Promise.all([noted, looked()])).includes(true)) return undefined
  return leftover(api, { kind: KIND, name, erase: eraseFirewall(api, name) })
}

const eraseFirewall = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:firewalls.delete', `remove ${KIND} ${name}`, { path: { firewall: name }, query: { requestId: randomUUID() } })
