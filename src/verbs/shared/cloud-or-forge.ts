/** The cloud or forge that `doctor` and `permissions` are about. */
import type { CloudDescriptor } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import type { ForgeDescriptor } from '../../core/forge.ts'
import { forgeById, forges } from '../../forges/registry.ts'
import { listed } from '../../lib/text.ts'
import type { VerbContext } from './context.ts'

export type NamedPlace = { readonly cloud: CloudDescriptor } | { readonly forge: ForgeDescriptor }

export function namedPlace({ values, descriptors }: VerbContext): NamedPlace {
  const { place, cloud: chosen } = values
  const forge = place === undefined ? undefined : forgeById(place)
  if (forge) return { forge }
  // If the place is a cloud, the parser has already set the cloud.
  const cloud = descriptors.find(({ id, aliases }) => id === chosen && (place === undefined || place === id || aliases?.includes(place)))
  if (cloud) return { cloud }
  const known = [...descriptors, ...forges].map(({ id }) => id)
  throw new InputError(`PLACE: "${place}" is neither a cloud nor a forge`, { hint: `use one of ${listed(known)}` })
}
