/** `tpi permissions`: the least rights, as text to apply or to hand on. */
import { EXIT } from '../core/errors.ts'
import { namedPlace } from './shared/cloud-or-forge.ts'
import type { VerbContext } from './shared/context.ts'

export async function permissions(context: VerbContext): Promise<number> {
  const place = namedPlace(context)
  const text = 'forge' in place ? place.forge.permissions : await place.cloud.permissions(context.values, context.env)
  context.host.print(text.trimEnd())
  return EXIT.ok
}
