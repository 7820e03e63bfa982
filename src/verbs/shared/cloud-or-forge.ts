/** The cloud or forge that `doctor` and `permissions` speak of. */
import type { CloudManifest } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { ForgeManifest } from '../../core/forge.ts'
import { forgeById, forges } from '../../forges/registry.ts'
import { listed } from '../../lib/text.ts'
import type { VerbContext } from './context.ts'

export type NamedPlace = { readonly cloud: CloudManifest } | { readonly forge: ForgeManifest }

export function namedPlace({ values, manifests }: VerbContext): NamedPlace {
  const { place, cloud: chosen } = values
  const forge = place === undefined ? undefined : forgeById(place)
  if (forge) return { forge }
  // The parser made a place that is a cloud the cloud.
  const cloud = manifests.find(({ id, aliases }) => id === chosen && (place === undefined || place === id || aliases?.includes(place)))
  if (cloud) return { cloud }
  const known = [...manifests, ...forges].map(({ id }) => id)
  throw new InputError(`PLACE: "${place}" is neither a cloud nor a forge`, { hint: `use one of ${listed(known)}` })
}
