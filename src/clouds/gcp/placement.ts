/** Where machines of a request could start, from which image and with which service account: looked up in the project, once for each request. */
import type { MachineRequest } from '../../core/cloud.ts'
import { InputError, ifDenied, RemoteError } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { listed } from '../../lib/text.ts'
import { allFaults } from '../vm/cloud.ts'
import { ofOtherArch, usualImage } from '../vm/image-name.ts'
import { last } from '../vm/names.ts'
import { pagesOf } from '../vm/pages.ts'
import type { Api, Ask } from './api.ts'
import { GONE } from './errors.ts'
import { chosenAccount, type ServiceAccount } from './identity.ts'
import { imageQuery } from './image-name.ts'
import { byScope } from './scopes.ts'
import type { Image, Router, Subnetwork } from './sdk.ts'
import type { Settings } from './settings.ts'
import { hasGpu, type TypeChoice, typesOf } from './sizes.ts'

export interface Placement {
  readonly project: string
  readonly region: string
  /** Zones that have at least one of the types. */
  readonly zones: readonly string[]
  readonly choice: TypeChoice
  readonly image: BootImage
  readonly network: Network
  readonly account: ServiceAccount
}

export interface BootImage {
  /** As a template names it. */
  readonly url: string
  readonly gigabytes: number
  /** It boots by UEFI, so its machines can be shielded ones. */
  readonly uefi: boolean
}

export interface Network {
  /** URLs, or parts of URLs. */
  readonly network?: string
  readonly subnetwork: string
  /** A router translates addresses there, so no machine needs a public one. */
  readonly nat: boolean
}

/** Throws with everything that is wrong at once. */
export async function placementOf(api: Api, settings: Settings, request: MachineRequest): Promise<Placement> {
  const choice = typesOf(request.size)
  if (!choice) throw new InputError('machine: not a machine type of Google Cloud')
  const project = await api.project()
  const [sold, image, network, account] = await allFaults([
    soldIn(api, settings, choice),
    imageOf(api, request.image ?? usualImage(hasGpu(choice)), choice.arch),
    networkOf(api, settings),
    chosenAccount(api, project, request.permissionSet),
  ])
  return { project, region: settings.region, ...sold, image, network, account }
}

async function soldIn(api: Api, { region, zone }: Settings, choice: TypeChoice): Promise<Pick<Placement, 'zones' | 'choice'>> {
  const filter = choice.types.map((type) => `(name = "${type}")`).join(' OR ')
  const found = new Map<string, Set<string>>()
  const { lists, away } = await byScope(async (pageToken) =>
    api.call('compute:machineTypes.aggregatedList', 'look for machine types', { query: { filter, maxResults: 500, pageToken } }),
  )
  for (const [scope, { machineTypes }] of lists)
    for (const { name } of machineTypes ?? []) found.set(name ?? '', (found.get(name ?? '') ?? new Set()).add(last(scope)))
  const isHere = (name: string): boolean => (zone === undefined ? name.startsWith(`${region}-`) : name === zone)
  const types = choice.types.filter((type) => [...(found.get(type) ?? [])].some(isHere))
  const zones = [...new Set(types.flatMap((type) => [...(found.get(type) ?? [])].filter(isHere)))].sort()
  if (types.length > 0) return { zones, choice: { ...choice, types } }
  // Perhaps they have it: that is no mistake of the user.
  const silent = away.map(last).filter(isHere).sort()
  if (silent.length > 0) throw new RemoteError(`gcp: ${listed(silent)} does not answer`, { retryable: true })
  const elsewhere = [...new Set([...found.values()].flatMap((names) => [...names].map((name) => name.replace(/-[a-z]$/, ''))))].sort()
  const message = `${listed(choice.types.slice(0, 4))} is not available in ${zone ?? region}`
  const hint = elsewhere.length > 0 ? `give other types, or a region that has them: ${listed(elsewhere.slice(0, 8))}` : 'check the spelling'
  throw new InputError([{ option: 'machine', message, hint }])
}

async function imageOf(api: Api, text: string, arch: Arch): Promise<BootImage> {
  const query = imageQuery(text, arch)
  if (!query) throw new InputError(`image: "${text}" is not an image of Google Cloud`)
  const { project, name, family } = query
  const tried = `look for the image ${text}`
  const byName = async (): Promise<Image | undefined> => api.unless(GONE, 'compute:images.get', tried, { path: { project, image: name } })
  const byFamily = async (): Promise<Image | undefined> =>
    api.unless(GONE, 'compute:images.getFromFamily', tried, { path: { project, family: name } })
  const image = (family === true ? undefined : await byName()) ?? (family === false ? undefined : await byFamily())
  if (!image)
    throw new InputError([{ option: 'image', message: `"${text}" does not exist, or you may not use it`, hint: 'name another one' }])
  const own = image.architecture
  if (own && own !== 'ARCHITECTURE_UNSPECIFIED' && own.toLowerCase() !== arch) throw ofOtherArch(`"${text}"`, own.toLowerCase(), arch)
  return {
    url: `projects/${project}/global/images/${image.name ?? name}`,
    gigabytes: Number(image.diskSizeGb ?? 10),
    uefi: (image.guestOsFeatures ?? []).some(({ type }) => type === 'UEFI_COMPATIBLE'),
  }
}

/**
 * Whether machines can be in a subnetwork: others are reserved for load balancers, NAT and the like.
 * https://cloud.google.com/compute/docs/reference/rest/v1/subnetworks (purpose)
 */
export function isForMachines({ purpose }: Subnetwork): boolean {
  return !purpose || purpose === 'PRIVATE' || purpose === 'PRIVATE_RFC_1918'
}

/** The interface that a template asks for has IPv4. https://cloud.google.com/compute/docs/reference/rest/v1/subnetworks (stackType) */
const isWithoutIpv4 = ({ stackType }: Subnetwork): boolean => stackType === 'IPV6_ONLY'

export async function networkOf(
  api: Pick<Api, 'call'>,
  { region, network = 'default', subnetwork }: Pick<Settings, 'region' | 'network' | 'subnetwork'>,
): Promise<Network> {
  // A network of another project (shared VPC) is looked up there.
  const host = /^projects\/([^/]+)\//.exec(subnetwork ?? network)?.[1]
  const page = (pageToken: string | undefined): Ask => ({
    path: host === undefined ? {} : { project: host },
    query: { maxResults: 500, pageToken },
  })
  const [subnets, routers] = await Promise.all([
    itemsOf(async (token) => api.call('compute:subnetworks.list', `look for subnetworks in ${region}`, page(token))),
    // A caller who may not read routers is treated as if there were none.
    itemsOf(async (token) => api.call('compute:routers.list', `look for routers in ${region}`, page(token))).catch(ifDenied([])),
  ])
  const fits = (subnet: Subnetwork): boolean =>
    subnetwork === undefined ? last(subnet.network) === last(network) : subnet.name === last(subnetwork)
  const fitting = subnets.filter(fits)
  const found = fitting.find((subnet) => isForMachines(subnet) && !isWithoutIpv4(subnet))
  if (!found?.selfLink && subnetwork !== undefined && fitting[0]) throw unusable(region, subnetwork, fitting[0])
  if (!found?.selfLink) throw noNetwork(region, network, subnetwork)
  const nat = routers.some((router) => last(router.network) === last(found.network) && translates(router, found.selfLink))
  return { subnetwork: found.selfLink, ...(found.network && { network: found.network }), nat }
}

async function itemsOf<T>(
  ask: (token: string | undefined) => Promise<{ readonly items?: readonly T[] | null; readonly nextPageToken?: string | null }>,
): Promise<readonly T[]> {
  const all: T[] = []
  for await (const { items } of pagesOf(ask, ({ nextPageToken }) => nextPageToken)) all.push(...(items ?? []))
  return all
}

/**
 * Whether a router translates the addresses of a subnetwork's machines to public ones.
 * https://cloud.google.com/compute/docs/reference/rest/v1/routers (nats[])
 */
export function translates({ nats }: Router, subnetwork: string | null | undefined): boolean {
  return (nats ?? []).some(({ type, sourceSubnetworkIpRangesToNat: which, subnetworks }) => {
    // It leads only to other private networks.
    if (type === 'PRIVATE') return false
    if (which !== 'LIST_OF_SUBNETWORKS') return String(which).startsWith('ALL_SUBNETWORKS_')
    const own = (subnetworks ?? []).find(({ name }) => last(name) === last(subnetwork))
    // Machines have addresses of the primary range.
    return (own?.sourceIpRangesToNat ?? []).some((range) => range === 'ALL_IP_RANGES' || range === 'PRIMARY_IP_RANGE')
  })
}

function unusable(region: string, subnetwork: string, found: Subnetwork): InputError {
  const why = isForMachines(found)
    ? 'has only IPv6, and machines need IPv4'
    : 'is reserved for load balancers or NAT, and takes no machines'
  return new InputError([{ option: 'subnetwork', message: `${subnetwork} in ${region} ${why}`, hint: 'name another one' }])
}

function noNetwork(region: string, network: string, subnetwork: string | undefined): InputError {
  if (subnetwork !== undefined)
    return new InputError([{ option: 'subnetwork', message: `there is no ${subnetwork} in ${region}`, hint: 'name another one' }])
  const hint =
    network === 'default'
      ? 'name one (--network), or make it: gcloud compute networks create default --subnet-mode=auto'
      : 'name another one, or give it a subnetwork there'
  return new InputError([{ option: 'network', message: `the network "${network}" has no subnetwork in ${region}`, hint }])
}
