/** Boots machines of the emulated subscription: what the metadata service tells each, and what the subscription sees of its life. */
import { followMachines, type Host } from '../vm/host/follow.ts'
import type { Machine } from '../vm/simulation/types.ts'
import type { Front } from './front.ts'
import type { ScaleSet } from './sets.ts'
import type { Fields } from './tables.ts'
import { tokenFor } from './token.ts'

export function bootMachines(front: Front, host: Host): void {
  followMachines(front.world, host, {
    boot: async (machine, address) => boot(front, host, machine, address),
    // It stays, switched off and still charged: https://learn.microsoft.com/azure/virtual-machines/states-billing
    off: () => 'powered-off',
  })
}

async function boot(front: Front, host: Host, { id, region, place, market, type }: Machine, address: string): Promise<void> {
  const one = front.instances.byId(id)
  if (!one) throw new Error(`the subscription has no machine ${id}`)
  const { set } = one
  const get = (path: string): string | undefined => {
    front.looks.push({ machine: id, what: path.split(' ')[0] ?? '', at: performance.now() })
    if (path === 'compute') return JSON.stringify({ vmSize: type, vmId: one.vmId, vmScaleSetName: set.name })
    // All machines of a set get each other's events, so each must look for its own name.
    if (path === 'events') return JSON.stringify(front.instances.events(set))
    const [what, client, resource = ''] = path.split(' ')
    return what === 'token' && clientsOf(front, set).includes(client ?? '') ? tokenFor(resource, client) : undefined
  }
  const begin = (ids: readonly string[]): void => {
    front.agreed.push(id)
    for (const event of ids) front.instances.confirm(event)
  }
  const userData = Buffer.from(one.customData, 'base64')
  const request = { id, vendor: 'azure', region, zone: place.zone, address, userData, among: networkOf(front, set) ?? id } as const
  await host.boot({ ...request, metadata: { get, begin }, spot: market === 'spot' })
}

/**
 * Machines in a network admit each other, and nobody else, unless a security group says otherwise:
 * https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview#default-security-rules
 */
function networkOf({ resources }: Front, { interfaces }: ScaleSet): string | undefined {
  const { networkSecurityGroup, ipConfigurations = [] } = (interfaces[0]?.['properties'] ?? {}) as {
    readonly networkSecurityGroup?: { readonly id: string }
    readonly ipConfigurations?: readonly { readonly properties?: { readonly subnet?: { readonly id: string } } }[]
  }
  const rules = resources.find(networkSecurityGroup?.id ?? '')?.fields['properties'] as { readonly securityRules?: unknown } | undefined
  if (rules?.securityRules !== undefined) throw new Error('the lab knows only the rules that every security group has')
  return ipConfigurations[0]?.properties?.subnet?.id.toLowerCase().replace(/\/subnets\/.*$/, '')
}

/** Client ids of the identities that the set gives its machines. */
function clientsOf({ resources }: Front, { fields }: ScaleSet): readonly unknown[] {
  const { userAssignedIdentities = {} } = (fields['identity'] ?? {}) as { readonly userAssignedIdentities?: Fields }
  return Object.keys(userAssignedIdentities).map((id) => (resources.find(id)?.fields['properties'] as Fields | undefined)?.['clientId'])
}
