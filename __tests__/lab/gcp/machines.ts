/** Boots instances of the emulated project as machines: what the metadata service tells each, and what the project sees of its life. */
import { followMachines, type Host, press } from '../vm/host/follow.ts'
import type { Machine } from '../vm/simulation/types.ts'
import { NUMBER } from './catalogue.ts'
import type { Fields } from './discovery.ts'
import type { Front } from './front.ts'
import { tokenFor } from './token.ts'

/**
 * Milliseconds between the power button and the loss of power at a preemption. A longer notice comes before the button:
 * https://docs.cloud.google.com/compute/docs/instances/spot#preemption-process
 */
const SHUTDOWN = 30_000

export function bootMachines(front: Front, host: Host): void {
  const { world } = front
  const pressed = new Set<string>()
  followMachines(world, host, {
    boot: async (machine, address) => boot(front, host, machine, address),
    off: ({ notice }) => (notice ? 'reclaimed' : 'powered-off'),
  })
  world.listen(({ id, notice, state }) => {
    if (!notice || state !== 'up' || pressed.has(id)) return
    pressed.add(id)
    const button = (): void => void press(host, id, 'soft').catch((error: unknown) => world.broken(error))
    world.clock.at(Math.max(world.clock.now(), notice.due - SHUTDOWN), button)
  })
}

/** https://docs.cloud.google.com/compute/docs/metadata/predefined-metadata-keys */
async function boot(front: Front, host: Host, machine: Machine, address: string): Promise<void> {
  const { id, region, place, market, type } = machine
  const one = front.instances.byId(id)
  if (!one) throw new Error(`the project has no instance ${id}`)
  const { metadata, serviceAccounts = [] } = one.template.properties as {
    readonly metadata?: { readonly items?: readonly { readonly key: string; readonly value: string }[] }
    readonly serviceAccounts?: readonly Fields[]
  }
  const attributes = new Map((metadata?.items ?? []).map(({ key, value }) => [key, value]))
  const account = 'instance/service-accounts/default/'
  const get = (path: string): string | undefined => {
    if (path === 'instance/name') return one.name
    if (path === 'instance/machine-type') return `projects/${NUMBER}/machineTypes/${type}`
    if (path === 'instance/attributes/created-by') return one.manager.creator
    if (path.startsWith('instance/attributes/')) return attributes.get(path.slice('instance/attributes/'.length))
    if (path === 'instance/preempted') return machine.notice || machine.cause === 'reclaimed' ? 'TRUE' : 'FALSE'
    if (path === `${account}email`) return serviceAccounts[0]?.['email'] as string | undefined
    const [own] = serviceAccounts
    if (path === `${account}token` && own)
      return JSON.stringify({ access_token: tokenFor(String(own['email'])), expires_in: 3599, token_type: 'Bearer' })
    return undefined
  }
  const userData = Buffer.from(attributes.get('user-data') ?? '')
  const among = admitting(front, one.template.properties) ?? id
  await host.boot({ id, vendor: 'gce', region, zone: place.zone, address, userData, metadata: { get }, spot: market === 'spot', among })
}

/** A network tag of the template whose machines a rule admits to each other: https://cloud.google.com/firewall/docs/firewalls#rule_assignment */
function admitting({ firewalls }: Front, properties: Fields): string | undefined {
  const { items = [] } = (properties['tags'] ?? {}) as { readonly items?: readonly string[] }
  const has = (rule: Fields, field: string, tag: string): boolean => ((rule[field] ?? []) as readonly string[]).includes(tag)
  return items.find((tag) => firewalls.all().some((rule) => has(rule, 'sourceTags', tag) && has(rule, 'targetTags', tag)))
}
