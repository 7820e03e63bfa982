/**
 * The action's main step with a fault point: TEST_SIGNAL is sent at call TEST_CALL (a number, or the beginning of its name) to store, cloud or forge,
 * before, during or after it (TEST_WHEN), and the file TEST_MARK then names the call. TEST_FIRST is an earlier call at which the step is cancelled;
 * another file names it. The file TEST_SEEN gets the names of all calls, one a line.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { appendFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { clouds } from '../../src/clouds/registry.ts'
import { runMain } from '../../src/entry.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Store } from '../../src/wire/store.ts'
import { type Death, dyingCloud, dyingStore, signalAt, type When } from './dying.ts'

export { runPost } from '../../src/entry.ts'

export async function runMortalMain(): Promise<void> {
  const { TEST_CALL, TEST_WHEN, TEST_SIGNAL, TEST_MARK, TEST_SEEN, TEST_FIRST } = process.env
  const mark = (call: string): void => writeFileSync(TEST_MARK ?? '', call)
  const call = TEST_CALL ?? ''
  const at = signalAt(/^\d+$/.test(call) ? Number(call) : call, TEST_WHEN as When, TEST_SIGNAL as NodeJS.Signals, mark)
  const first: typeof at = TEST_FIRST
    ? signalAt(TEST_FIRST, 'after', 'SIGINT', () => writeFileSync(`${TEST_MARK}-first`, ''))
    : async (_, act) => act()
  const through: typeof at = async (name, act, out) => {
    if (TEST_SEEN !== undefined) appendFileSync(TEST_SEEN, `${name}\n`)
    return first(name, async () => at(name, act, out), out)
  }
  for (const descriptor of clouds) infectCloud(descriptor, { through })
  await infectStores({ through })
  infectForge(through)
  await runMain()
}

/** Only forges are called with `fetch` here: their API, and the downloads of their runner program. */
function infectForge(through: ReturnType<typeof signalAt>): void {
  const healthy = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { method, url } = new Request(input, init)
    const { pathname } = new URL(url)
    return through(`forge ${method} ${pathname.replace(/\d+/g, 'N')}`, async () => healthy(input, init), written(method, pathname))
  }
}

const WRITTEN = 'undici:request:bodySent'

/** Resolves when the next such request was sent: from then on the forge acts on it, whatever happens to this process. */
async function written(method: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (message: unknown): void => {
      const { request } = message as { request: { method: string; path: string } }
      if (request.method !== method || request.path.split('?')[0] !== path) return
      unsubscribe(WRITTEN, look)
      resolve()
    }
    subscribe(WRITTEN, look)
  })
}

function infectCloud(descriptor: (typeof clouds)[number], death: Pick<Death, 'through'>): void {
  const load = descriptor.load
  Object.assign(descriptor, {
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
