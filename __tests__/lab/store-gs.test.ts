/** The store in a bucket of Google: the conformance suite on two servers, and what happens when the network misbehaves. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { fixed } from '../../src/wire/credentials.ts'
import type { StoreAccess } from '../../src/wire/store.ts'
import { describeStore } from '../conformance/store.ts'
import { bytes, fault, textAt } from '../conformance/store-lab.ts'
import { expectRefused, survivesNetwork } from '../conformance/store-network.ts'
import { Gates } from './gated.ts'
import { gsServer, startFakeGcs, TOKEN } from './gs/fake-gcs.ts'
import { bucketsInMemory } from './gs/memory.ts'

const fake = await startFakeGcs()
const strict = await gsServer(bucketsInMemory())
const gates = new Gates()
afterAll(async () => {
  await gates.stop()
  await fake?.stop()
  await strict.stop()
})

const quirks = { folders: false, contentVersions: false }
if (fake) {
  describeStore('gs (fake-gcs-server)', () => fake.access('conformance', 'some/pre fix'), quirks)
} else {
  test.skip('fake-gcs-server could not be built', () => {})
}
describeStore('gs (strict, whole bucket)', () => strict.access('conformance'), quirks)
describeStore('gs, as pods of Kubernetes reach it', async () => gates.to(await (fake ?? strict).access('gated', 'some/pre fix')), quirks)

describe('gs through a bad network', () => {
  const root = 'id/inc/'
  const at = survivesNetwork(
    () => (fake ?? strict).gate.port,
    async (endpoint) => ({ ...(await (fake ?? strict).access('network')), settings: { endpoint } }),
  )

  test('a resumable upload continues where the server is, and recognizes its own completion, even with a condition', async () => {
    const { proxy, store } = at()
    const body = Buffer.alloc(40 * 1024 * 1024, 9)
    for (const lost of [1, 2, 3, 4]) {
      proxy.dropReplies(lost)
      const version = await store.write(`${root}large${lost}`, body, { absent: true })
      const object = await store.read(`${root}large${lost}`)
      expect(object!.version).toBe(version)
      expect(Buffer.compare(object!.bytes, body)).toBe(0)
    }
  })
})

describe('gs on a server', () => {
  const open = async (bucket: string, change: Partial<StoreAccess> = {}) => openStore({ ...(await strict.access(bucket)), ...change })

  test('a wrong token, a missing bucket: denied or gone, and the message does not contain the token', async () => {
    strict.gate.tokens.add(TOKEN)
    const token = 'ya29.of-somebody-else'
    const wrong = await open('faults', { credentials: { token } })
    const missing = await open('faults', { url: 'gs://no-such-bucket/prefix' })
    for (const [store, kind] of [
      [wrong, 'denied'],
      [missing, 'gone'],
    ] as const) {
      await expectRefused(store, kind, 'gs://', [token])
    }
    strict.gate.tokens.clear()
  })

  test('a token that the server no longer accepts is renewed at once', async () => {
    strict.gate.tokens.add('ya29.new')
    const tokens = ['ya29.old', 'ya29.new']
    const source = { get: async () => ({ token: tokens[0] ?? '' }), refused: () => tokens.shift() !== undefined }
    const store = await open('renewed', { source })
    await store.write('id/x', bytes('x'))
    expect(await textAt(store, 'id/x')).toBe('x')
    strict.gate.tokens.clear()
    await store.close?.()
  })

  test('an upload that fails leaves nothing, and is cancelled', async () => {
    const store = await open('pieces', { source: fixed({ token: TOKEN }) })
    await store.write('id/inc/large', bytes('there'), { absent: true })
    await expect(store.write('id/inc/large', Buffer.alloc(20_000_000), { absent: true })).rejects.toEqual(fault('conflict'))
    strict.gate.seen.length = 0
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 10)
    await expect(store.write('id/inc/other', Buffer.alloc(60_000_000), undefined, stop.signal)).rejects.toThrow('enough')
    expect(await textAt(store, 'id/inc/large')).toBe('there')
    expect(await strict.names('pieces')).toEqual(['id/inc/large'])
    await store.close?.()
  })
})
