/** How much is left to do, for machines that leave a group whose size somebody has to set. */
import type { OpenWork } from '../../wire/machine-side.ts'
import { CONTROL } from '../../wire/records.ts'
import { isTerminal, SLOT } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import type { Site } from '../machine-context.ts'

/** Milliseconds: whoever leaves has little time. */
const PATIENCE = 5000

/** `undefined`: the store does not tell in time. */
export async function openSlots({ spec, keys, store }: Pick<Site, 'spec' | 'keys' | 'store'>): Promise<OpenWork | undefined> {
  const limit = AbortSignal.timeout(PATIENCE)
  const looks = Array.from({ length: spec.count }, async (_, index) => {
    const read = await readRecord(SLOT, store, keys.slot(index).record, limit)
    return read !== undefined && !isTerminal(read.value.state)
  })
  const stopped = readRecord(CONTROL, store, keys.control, limit).then((read) => read?.value.stop !== undefined)
  return await Promise.all([stopped, ...looks]).then(
    ([over, ...found]) => ({ open: found.filter(Boolean).length, stopped: over }),
    () => undefined,
  )
}
