/**
 * The suite that every store must pass: it covers each sentence of the contract in `src/wire/store.ts`. A backend's own test file calls it
 * and adds its quirks.
 */
import { afterAll, beforeAll, describe } from '@jest/globals'
import type { StoreAccess } from '../../src/wire/store.ts'
import { describeLists, describeRemoval } from './store-folders.ts'
import { Lab, type StoreQuirks } from './store-lab.ts'
import { describeKeys, describeObjects, describeSignals } from './store-objects.ts'
import { describeConditions } from './store-records.ts'

/** `open` gives access to a store that nobody has used yet; called once per suite. */
export function describeStore(name: string, open: () => Promise<StoreAccess>, quirks: StoreQuirks): void {
  describe(`store: ${name}`, () => {
    const lab = new Lab(open)
    beforeAll(() => lab.start())
    afterAll(() => lab.stop())
    describeObjects(lab)
    describeKeys(lab)
    describeConditions(lab, quirks)
    describeLists(lab, quirks)
    describeRemoval(lab, quirks)
    describeSignals(lab)
  })
}
