/** How much is left to do, for machines that leave a group whose size somebody has to set. */

import type { OpenWork } from '../../wire/machine-side.ts'
import { parseRecord } from '../../wire/parse.ts'
import { CONTROL } from '../../wire/records.ts'
import { isTerminal, SLOT } from '../../wire/slot.ts'
import type { Site } from '../site.ts'

/** Milliseconds: whoever leaves has little time. */
const PATIENCE = 5000

/** `undefined`: the store does not tell in time. */
export async function openSlots({ spec, keys, store }: Pick<Site, 'spec' | 'keys' | 'store'>): Promise<OpenWork | undefined> {
  const limit = AbortSignal.timeout(PATIENCE)
  const looks = Array.from({ length: spec.count }, async (_, index) => {
    const key = keys.slot(index).record
    const object = await store.read(key, undefined, limit)
    return object !== undefined && !isTerminal(parseRecord(SLOT, object.bytes, key).state)
  })
  const stopped = store
    .read(keys.control, undefined, limit)
    .then((object) => object !== undefined && parseRecord(CONTROL, object.bytes, keys.control).stop !== undefined)
  return await Promise.all([stopped, ...looks]).then(
    ([over, ...found]) => ({ open: found.filter(Boolean).length, stopped: over }),
    () => undefined,
  )
}
