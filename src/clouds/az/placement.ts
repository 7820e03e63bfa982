/** Where machines of a request could start, from which image and with which identity: asked of the subscription, once for each request. */
import type { MachineRequest } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { allFaults } from '../vm/cloud.ts'
import { usualImage } from '../vm/image-name.ts'
import type { Api } from './api.ts'
import { type Sold, soldIn } from './availability.ts'
import { type AssignedIdentity, chosenIdentity } from './identity.ts'
import { type BootImage, imageOf } from './image.ts'
import { refuseLocked } from './locks.ts'
import type { Settings } from './settings.ts'
import { hasGpu, typesOf } from './sizes.ts'

export interface Placement extends Sold {
  readonly subscription: string
  readonly region: string
  readonly image: BootImage
  /** The user's own subnet; absent: tpi makes a network. */
  readonly subnet?: { readonly id: string; readonly nat: boolean }
  readonly identity: AssignedIdentity
}

/** Throws with everything that is wrong at once. */
export async function placementOf(api: Api, settings: Settings, request: MachineRequest): Promise<Placement> {
  const spot = request.spot.want !== 'never'
  const asked = typesOf(request.size, spot)
  if (!asked) throw new InputError('machine: not a size of Azure')
  const subscription = await api.subscription()
  const [sold, image, subnet, identity] = await allFaults([
    soldIn(api, settings, asked, { spot, scratch: request.size.scratch === true }),
    imageOf(api, request.image ?? usualImage(hasGpu(asked)), asked.arch),
    subnetOf(api, settings),
    chosenIdentity(api, subscription, request.permissionSet),
    refuseLocked(api, settings),
  ])
  return { subscription, region: settings.region, ...sold, image, identity, ...(subnet && { subnet }) }
}

const SUBNET =
  /^(?:\/subscriptions\/([^/]+)\/resourceGroups\/)?([^/]+)\/(?:providers\/Microsoft\.Network\/virtualNetworks\/)?([^/]+)\/(?:subnets\/)?([^/]+)$/i

async function subnetOf(api: Api, { subnet: text }: Settings): Promise<Placement['subnet']> {
  if (text === undefined) return undefined
  const [, subscription, group = '', network = '', subnet = ''] = SUBNET.exec(text) ?? []
  const path = { group, network, subnet, ...(subscription !== undefined && { subscription }) }
  const found = await api.maybe('subnets.get', `look for subnet ${text}`, { path })
  if (!found?.id)
    throw new InputError([{ option: 'azure-subnet', message: `there is no subnet "${text}"`, hint: 'write GROUP/NETWORK/SUBNET' }])
  // A route table of the user's own is assumed to lead out, by an appliance.
  return { id: found.id, nat: found.properties?.natGateway?.id !== undefined || found.properties?.routeTable?.id !== undefined }
}
