/** The image that machines start from, and its properties. */
import { InputError } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { ofOtherArch } from '../vm/image-name.ts'
import type { Api } from './api.ts'
import { imageQuery, type MarketQuery, type OwnQuery } from './image-name.ts'
import type { MarketImage } from './sdk.ts'

export interface BootImage {
  /** In the form that a scale set takes. */
  readonly reference:
    | { readonly id: string }
    | { readonly publisher: string; readonly offer: string; readonly sku: string; readonly version: string }
  /** For people. */
  readonly name: string
  /** Minimum size of a disk; absent if unknown. */
  readonly gigabytes?: number
  /** It supports trusted launch. */
  readonly trusted: boolean
  /** Present if its publisher sells it. */
  readonly plan?: { readonly name: string; readonly product: string; readonly publisher: string }
}

export async function imageOf(api: Api, text: string, arch: Arch): Promise<BootImage> {
  const query = imageQuery(text, arch)
  if (!query) throw new InputError(`image: "${text}" is not an image of Azure`)
  return 'id' in query ? ownImage(api, text, arch, query) : marketImage(api, text, arch, query)
}

async function marketImage(api: Api, text: string, arch: Arch, { publisher, offer, sku, version }: MarketQuery): Promise<BootImage> {
  const tried = `look for the image ${text}`
  const path = { publisher, offer, sku, location: api.region }
  // All machines of a group use the same version, including those that start later.
  const newest = version === 'latest' ? (await api.maybe('market.list', tried, { path, query: NEWEST }))?.[0] : undefined
  const chosen = version === 'latest' ? newest?.name : version
  if (chosen === undefined) throw missing(text, api.region)
  const image = isWhole(newest) ? newest : await api.maybe('market.get', tried, { path: { ...path, version: chosen } })
  if (!image) throw missing(text, api.region)
  const { architecture, hyperVGeneration, osDiskImage, plan, features = [] } = image.properties ?? {}
  const { sizeInGb: size } = (osDiskImage ?? {}) as { readonly sizeInGb?: number }
  fits(text, architecture, arch)
  return {
    reference: { publisher, offer, sku, version: chosen },
    name: `${publisher}:${offer}:${sku}:${chosen}`,
    ...(size !== undefined && { gigabytes: size }),
    trusted: hyperVGeneration === 'V2' && isTrusted(features),
    ...(plan && { plan: { name: plan.name, product: plan.product, publisher: plan.publisher } }),
  }
}

/** https://learn.microsoft.com/powershell/module/az.compute/get-azvmimage#-expand */
const NEWEST = { $top: '1', $orderby: 'name desc', $expand: 'properties' }

/** Whether a list has included all that is needed of an image: the vendor does not promise it. */
function isWhole(image: MarketImage | undefined): image is MarketImage {
  const { architecture, hyperVGeneration, features } = image?.properties ?? {}
  return architecture !== undefined && hyperVGeneration !== undefined && features !== undefined
}

async function ownImage(api: Api, text: string, arch: Arch, { id, path, gallery }: OwnQuery): Promise<BootImage> {
  const image = await api.maybe(gallery ? 'gallery.get' : 'images.get', `look for the image ${text}`, { path })
  if (!image) throw missing(text, api.region)
  const { architecture, hyperVGeneration, features = [], storageProfile } = image.properties ?? {}
  fits(text, architecture, arch)
  return {
    reference: { id },
    name: id,
    ...(storageProfile?.osDisk?.diskSizeGB !== undefined && { gigabytes: storageProfile.osDisk.diskSizeGB }),
    // An image that was made from a machine does not say it.
    trusted: gallery && hyperVGeneration === 'V2' && isTrusted(features),
  }
}

/** https://learn.microsoft.com/azure/virtual-machines/trusted-launch-faq */
const isTrusted = (features: readonly { readonly name?: string; readonly value?: string }[]): boolean =>
  features.some(({ name, value = '' }) => name === 'SecurityType' && value.startsWith('TrustedLaunch'))

function fits(text: string, architecture: string | undefined, arch: Arch): void {
  const own = architecture === undefined ? arch : /arm/i.test(architecture) ? 'arm64' : 'x86_64'
  if (own !== arch) throw ofOtherArch(`"${text}"`, own, arch)
}

const missing = (text: string, region: string): InputError =>
  new InputError([{ option: 'image', message: `"${text}" does not exist in ${region}, or you may not use it`, hint: 'name another one' }])
