/**
 * `tpi permissions`: the smallest set of rights, as text to apply or to hand on. With `--apply` it makes what machines need, if the cloud
 * can.
 */
import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { namedPlace } from './shared/cloud-or-forge.ts'
import type { VerbContext } from './shared/context.ts'

export async function permissions(context: VerbContext): Promise<number> {
  const place = namedPlace(context)
  const values: Readonly<Record<string, unknown>> = context.values
  if (values['apply'] === true && 'cloud' in place) {
    const open = (await context.clouds()).find(({ id }) => id === place.cloud.id)
    if (!open?.cloud.establish) throw new InputError(`apply: nothing can be made for ${place.cloud.id} from here`)
    context.host.print(await open.cloud.establish())
    return EXIT.ok
  }
  const text = 'forge' in place ? place.forge.permissions : await place.cloud.permissions(context.values, context.env)
  context.host.print(text.trimEnd())
  return EXIT.ok
}
