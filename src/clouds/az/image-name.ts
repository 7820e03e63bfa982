/** Name of an image → query that finds it. Makes no calls. */
import type { Fault } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { type ImageWords, imageNameFaults, noDriver } from '../vm/image-name.ts'
import { CATALOGUE, NO_DRIVER } from './machine-types.ts'

/** An image of the market place: what `az vm image list` calls a URN. */
export interface MarketQuery {
  readonly publisher: string
  readonly offer: string
  readonly sku: string
  readonly version: string
}

/** An image in a gallery, or one that was made from a machine. */
export interface OwnQuery {
  readonly id: string
  readonly path: Readonly<Record<string, string>>
  readonly gallery: boolean
}

type Named = (arch: Arch) => MarketQuery

const market =
  (publisher: string, offer: string, x86: string, arm: string): Named =>
  (arch) => ({ publisher, offer, sku: arch === 'arm64' ? arm : x86, version: 'latest' })

/**
 * https://documentation.ubuntu.com/azure/azure-how-to/instances/find-ubuntu-images/ · https://wiki.debian.org/Cloud/MicrosoftAzure ·
 * https://learn.microsoft.com/azure/virtual-machines/azure-hpc-vm-images (with the driver, CUDA and docker)
 */
const NAMED: Readonly<Record<string, Named>> = {
  ubuntu: market('Canonical', 'ubuntu-24_04-lts', 'server', 'server-arm64'),
  'ubuntu-24.04': market('Canonical', 'ubuntu-24_04-lts', 'server', 'server-arm64'),
  'ubuntu-22.04': market('Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts-gen2', '22_04-lts-arm64'),
  debian: market('Debian', 'debian-13', '13-gen2', '13-arm64'),
  nvidia: market('microsoft-dsvm', 'ubuntu-hpc', '2204', '2204'),
}

export function driverFaults(image: string | undefined, types: readonly string[]): Fault[] {
  const [kind, instead] = Object.entries(NO_DRIVER).find(([one]) => types.some((type) => hasKind(type, one))) ?? []
  if (kind === undefined || (image ?? 'nvidia') !== 'nvidia') return []
  return [noDriver(types[0] ?? '', kind.toUpperCase(), `name ${instead}, or take another GPU, such as t4 or a100`)]
}

/** Names of newer sizes have their GPU in them. */
const hasKind = (type: string, kind: string): boolean =>
  type.toLowerCase().split('_').includes(kind) || CATALOGUE.some(({ name, gpu }) => name === type && gpu?.kind === kind)

/** TPI had `user@` before it and `#plan` behind it. Nobody logs in any more, and the plan is looked up: both are ignored. */
const URN = /^(?:[^@/\s]+@)?([^:/\s]+):([^:/\s]+):([^:/\s]+):([^:/\s#]+)(?:#plan)?$/
const OWN =
  /^\/subscriptions\/([^/\s]+)\/resourceGroups\/([^/\s]+)\/providers\/Microsoft\.Compute\/(?:galleries\/([^/\s]+)\/)?images\/([^/\s]+)(?:\/versions\/[^/\s]+)?$/i

/** `undefined`: this is not a name of an image; `imageFaults` says so. */
export function imageQuery(text: string, arch: Arch): MarketQuery | OwnQuery | undefined {
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined
  if (named) return named(arch)
  const [, publisher, offer, sku, version] = URN.exec(text) ?? []
  if (publisher !== undefined && offer !== undefined && sku !== undefined && version !== undefined)
    return { publisher, offer, sku, version }
  const [, subscription, group, gallery, image] = OWN.exec(text) ?? []
  if (subscription === undefined || group === undefined || image === undefined) return undefined
  return { id: text, path: { subscription, group, image, ...(gallery !== undefined && { gallery }) }, gallery: gallery !== undefined }
}

const WORDS: ImageWords = {
  vendor: 'Azure',
  named: Object.keys(NAMED),
  others: 'PUBLISHER:OFFER:SKU:VERSION, or the id of an image or of one in a gallery (/subscriptions/…)',
}

export function imageFaults(text: string | undefined, arch: Arch): Fault[] {
  return text === undefined ? [] : imageNameFaults(WORDS, text, imageQuery(text, arch) !== undefined, arch)
}
