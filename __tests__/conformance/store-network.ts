/** What every store in a bucket guarantees when the network between it and its server misbehaves. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { Store, StoreAccess } from '../../src/wire/store.ts'
import { type DelayProxy, startDelayProxy } from '../lab/delay-proxy.ts'
import { bytes, fault, keysOf, textAt } from './store-lab.ts'

export interface Network {
  readonly proxy: DelayProxy
  readonly store: Store
}

const root = 'id/inc/'

/** Call it in a `describe`; its other tests can use what it returns. `port`: the server's; `access`: to the store, at the proxy's endpoint. */
export function survivesNetwork(port: () => number, access: (endpoint: string) => Promise<StoreAccess>): () => Network {
  let network: Network | undefined
  beforeAll(async () => {
    const proxy = await startDelayProxy(port(), 4)
    network = { proxy, store: await openStore(await access(proxy.endpoint)) }
  })
  afterAll(async () => {
    await network?.store.close?.()
    await network?.proxy.stop()
  })
  const at = (): Network => {
    if (!network) throw new Error('there is a network only while a test runs')
    return network
  }

  test('a lost reply to a write without condition, a read, a list or a removal is made good', async () => {
    const { proxy, store } = at()
    proxy.dropReplies(1)
    await store.write(`${root}a`, bytes('a'))
    proxy.dropReplies(1)
    expect(await textAt(store, `${root}a`)).toBe('a')
    proxy.dropReplies(1)
    expect(await keysOf(store, root)).toEqual([`${root}a`])
    const { version } = (await store.read(`${root}a`))!
    proxy.dropReplies(1)
    await store.remove([`${root}a`], { version })
    proxy.dropReplies(1)
    await store.remove([`${root}a`, `${root}b`])
    proxy.dropReplies(2)
    expect(await store.read(`${root}a`)).toBeUndefined()
  })

  test('a lost reply to a conditional write is the caller’s to find out: it reads back', async () => {
    const { proxy, store } = at()
    proxy.dropReplies(1)
    await expect(store.write(`${root}record`, bytes('nonce 1'), { absent: true })).rejects.toEqual(fault('unavailable'))
    const mine = await store.read(`${root}record`)
    expect(Buffer.from(mine!.bytes).toString()).toBe('nonce 1')
    proxy.dropReplies(1)
    await expect(store.write(`${root}record`, bytes('nonce 2'), { version: mine!.version })).rejects.toEqual(fault('unavailable'))
    expect(await textAt(store, `${root}record`)).toBe('nonce 2')
  })

  test('connections that break are made anew', async () => {
    const { proxy, store } = at()
    const work = Promise.all(Array.from({ length: 200 }, (_, index) => store.write(`${root}many/${index}`, bytes('x'))))
    const cuts = setInterval(() => proxy.cut(), 15)
    setTimeout(() => clearInterval(cuts), 100)
    await work
    expect(await keysOf(store, `${root}many/`)).toHaveLength(200)
  })

  return at
}

/** Every call reports that it is denied, or that nothing is there, without any of these secrets. */
export async function expectRefused(store: Store, kind: 'denied' | 'gone', scheme: string, secrets: readonly string[]): Promise<void> {
  for (const call of [
    () => store.read('id/x'),
    () => store.write('id/x', bytes('x')),
    () => keysOf(store, ''),
    () => store.remove(['id/x']),
    () => store.write('id/large', Buffer.alloc(9_000_000)),
  ]) {
    const error: unknown = await call().catch((one: unknown) => one)
    expect(error).toEqual(fault(kind))
    const text = error instanceof Error ? error.message : ''
    expect(text).toContain(scheme)
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
  await store.close?.()
}
