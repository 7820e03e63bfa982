/**
 * The action's main step with a fault point: TEST_SIGNAL is sent at call TEST_CALL (a number, or how its name begins) to store or cloud,
 * TEST_WHEN (before or after) its effect, and TEST_MARK is a file that then says which call it was.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { clouds } from '../../src/clouds/registry.ts'
import { runMain } from '../../src/entry.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Store } from '../../src/wire/store.ts'
import { type Death, dyingCloud, dyingStore, signalAt } from './dying.ts'

export { runPost } from '../../src/entry.ts'

export async function runMortalMain(): Promise<void> {
  const { TEST_CALL, TEST_WHEN, TEST_SIGNAL, TEST_MARK } = process.env
  const mark = (call: string): void => writeFileSync(TEST_MARK ?? '', call)
  const call = TEST_CALL ?? ''
  const through = signalAt(/^\d+$/.test(call) ? Number(call) : call, TEST_WHEN === 'after', TEST_SIGNAL as NodeJS.Signals, mark)
  for (const manifest of clouds) infectCloud(manifest, { through })
  await infectStores({ through })
  await runMain()
}

function infectCloud(manifest: (typeof clouds)[number], death: Pick<Death, 'through'>): void {
  const load = manifest.load
  Object.assign(manifest, {
    load: async () => {
      const { open } = await load()
      return { open: async (context: Parameters<typeof open>[0]) => dyingCloud(await open(context), death) }
    },
  })
}

const CALLS = ['init', 'read', 'write', 'list', 'remove', 'clear'] as const
type Methods = Record<(typeof CALLS)[number], (...args: unknown[]) => unknown>

/** All folder stores of this process are of one class: the signal may come at any call of any of them. */
async function infectStores(death: Pick<Death, 'through'>): Promise<void> {
  const shared = Object.getPrototypeOf(await openStore({ url: `dir://${tmpdir()}` })) as Methods
  const healthy = Object.fromEntries(CALLS.map((name) => [name, shared[name]])) as Methods
  for (const name of CALLS) {
    shared[name] = function (this: object, ...args: unknown[]): unknown {
      const self = Object.fromEntries(CALLS.map((each) => [each, (...all: unknown[]) => healthy[each].apply(this, all)]))
      const mortal = dyingStore(self as unknown as Store, death) as unknown as Methods
      return mortal[name](...args)
    }
  }
}
