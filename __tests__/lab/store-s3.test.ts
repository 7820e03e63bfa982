/** The S3 store on a real server: the conformance suite, and what happens when the network misbehaves. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { S3Client } from '../../src/stores/s3/client.ts'
import { settingsOf } from '../../src/stores/s3/settings.ts'
import { MAX_OBJECT_BYTES, type StoreAccess } from '../../src/wire/store.ts'
import { describeStore } from '../conformance/store.ts'
import { bytes, fault, keysOf, textAt } from '../conformance/store-lab.ts'
import { expectRefused, survivesNetwork } from '../conformance/store-network.ts'
import { startVersitygw } from './versitygw.ts'

const server = await startVersitygw()
afterAll(() => server?.stop())

if (server) {
  describeStore('s3 (versitygw)', () => server.access('conformance', 'some/pre fix'), { folders: false, contentVersions: true })
  describeStore('s3 (versitygw, whole bucket)', () => server.access('conformance-root'), { folders: false, contentVersions: true })
} else {
  test.skip('versitygw could not be built', () => {})
}

const withServer = server ? describe : describe.skip

withServer('s3 through a bad network', () => {
  const root = 'id/inc/'
  const at = survivesNetwork(
    () => server!.gate,
    async (endpoint) => {
      const access = await server!.access('network')
      return { ...access, settings: { ...access.settings, endpoint } }
    },
  )

  test('large bodies survive lost answers to their parts', async () => {
    const { proxy, store } = at()
    const body = Buffer.alloc(40 * 1024 * 1024, 9)
    proxy.dropReplies(3)
    await store.write(`${root}large`, body)
    expect(Buffer.compare((await store.read(`${root}large`))!.bytes, body)).toBe(0)
  })

  test('a server out of reach is unavailable, and never reads as absent', async () => {
    const access = await server!.access('network')
    const away = await openStore({ ...access, settings: { ...access.settings, endpoint: 'http://127.0.0.1:1' } })
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 200)
    await expect(away.read(`${root}a`, undefined, stop.signal)).rejects.toThrow('enough')
    await expect(away.write(`${root}a`, bytes('x'), { absent: true }, AbortSignal.timeout(100))).rejects.toThrow(/timeout/)
    await away.close?.()
  })

  test('a silent connection obeys the signal', async () => {
    const { proxy, store } = at()
    proxy.stall(true)
    const reason = new Error('waited enough')
    const stop = new AbortController()
    setTimeout(() => stop.abort(reason), 100)
    await expect(store.read(`${root}a`, undefined, stop.signal)).rejects.toBe(reason)
    proxy.stall(false)
    expect(await store.read(`${root}a`)).toBeUndefined()
  })
})

withServer('s3 on a real server', () => {
  const open = async (bucket: string, change: Partial<StoreAccess> = {}) => openStore({ ...(await server!.access(bucket)), ...change })

  test('wrong secret, unknown key, missing bucket: denied or gone, and the message contains no credential', async () => {
    const secret = 'wrong-secret-value'
    const wrong = await open('faults', { credentials: { accessKeyId: 'labroot', secretAccessKey: secret } })
    const unknown = await open('faults', { credentials: { accessKeyId: 'unknown-access-key', secretAccessKey: secret } })
    const missing = await open('faults', { url: 's3://no-such-bucket/prefix' })
    for (const [store, kind] of [
      [wrong, 'denied'],
      [unknown, 'denied'],
      [missing, 'gone'],
    ] as const) {
      await expectRefused(store, kind, 's3://', [secret, 'labroot', 'unknown-access-key', 'AWS4-HMAC'])
    }
  })

  test('clear aborts the unfinished uploads of killed writers, and only below its prefix', async () => {
    const access = await server!.access('uploads', 'deep/prefix')
    const client = new S3Client(settingsOf(access))
    const begin = (key: string) =>
      client.call({ operation: 'CreateMultipartUpload', method: 'POST', key, query: { uploads: '' }, repeatable: true })
    await begin('deep/prefix/id/inc/pack')
    await begin('deep/prefix/id/inc/slots/0/pack')
    await begin('deep/prefix/id/other/pack')
    const store = await openStore(access)
    await store.write('id/inc/kept?', bytes('x'))
    await store.clear('id/inc/')
    const query = { uploads: '' }
    const left = await client.call({ operation: 'ListMultipartUploads', method: 'GET', query, repeatable: true })
    expect([...left.body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1])).toEqual(['deep/prefix/id/other/pack'])
    expect(await keysOf(store, '')).toEqual([])
    client.close()
    await store.close?.()
  })

  test('an upload that fails leaves no parts behind', async () => {
    const store = await open('parts')
    await store.write('id/inc/large', bytes('there'), { absent: true })
    await expect(store.write('id/inc/large', Buffer.alloc(MAX_OBJECT_BYTES), { absent: true })).rejects.toEqual(fault('conflict'))
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 10)
    await expect(store.write('id/inc/other', Buffer.alloc(MAX_OBJECT_BYTES), undefined, stop.signal)).rejects.toThrow('enough')
    const names = await readdir(join(server!.folder, 'parts'), { recursive: true })
    expect(names.filter((name) => /multipart.*\/\d+$/.test(name))).toEqual([])
    expect(await textAt(store, 'id/inc/large')).toBe('there')
    await store.close?.()
  })
})
