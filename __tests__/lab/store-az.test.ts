/** The store in an Azure container: the conformance suite on Microsoft's own emulator, and what happens when the network misbehaves. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { StoreAccess } from '../../src/wire/store.ts'
import { describeStore } from '../conformance/store.ts'
import { fault, keysOf } from '../conformance/store-lab.ts'
import { expectRefused, survivesNetwork } from '../conformance/store-network.ts'
import { ACCOUNT, type Azurite, makeCertificate, startAzurite } from './az/azurite.ts'
import { tokenFor } from './az/token.ts'
import { Gates } from './gated.ts'
import { run } from './shell.ts'

const azurite = await startAzurite()
afterAll(async () => azurite?.stop())

const gates = new Gates()
afterAll(async () => gates.stop())

if (azurite) {
  const quirks = { folders: false, contentVersions: false }
  describeStore('az (Azurite)', () => azurite.access('conformance', 'some/pre fix'), quirks)
  describeStore('az, as pods of Kubernetes reach it', async () => gates.to(await azurite.access('gated', 'some/pre fix')), quirks)
} else {
  test.skip('Azurite could not be fetched', () => {})
}

const network = azurite ? describe : describe.skip
network('az through a bad network', () => {
  const root = 'id/inc/'
  const at = survivesNetwork(
    () => azurite!.port,
    async (endpoint) => ({ ...(await azurite!.access('network')), settings: { endpoint: `${endpoint}/${ACCOUNT}` } }),
  )

  test('what is sent in blocks is there whole or not at all, even with a condition', async () => {
    const { proxy, store } = at()
    const body = Buffer.alloc(20 * 1024 * 1024, 9)
    proxy.dropReplies(2)
    const version = await store.write(`${root}large`, body, { absent: true })
    const object = await store.read(`${root}large`)
    expect([object!.version, Buffer.compare(object!.bytes, body)]).toEqual([version, 0])
    await expect(store.write(`${root}large`, Buffer.alloc(20_000_000), { absent: true })).rejects.toEqual(fault('conflict'))
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 10)
    await expect(store.write(`${root}other`, Buffer.alloc(60_000_000), undefined, stop.signal)).rejects.toThrow('enough')
    expect(await keysOf(store, root)).not.toContain(`${root}other`)
  })
})

network('az on a server', () => {
  const open = async (container: string, change: Partial<StoreAccess> = {}) =>
    openStore({ ...(await azurite!.access(container)), ...change })

  test('a wrong key, a missing container: denied or gone, and the message does not contain the key', async () => {
    const key = Buffer.from('of somebody else').toString('base64')
    const wrong = await open('faults', { credentials: { key } })
    const missing = await open('faults', { url: `az://${ACCOUNT}/no-such-container/prefix` })
    for (const [store, kind] of [
      [wrong, 'denied'],
      [missing, 'gone'],
    ] as const) {
      await expect(store.read('id/x', { from: 0, to: 0 })).rejects.toEqual(fault(kind))
      await expectRefused(store, kind, 'az://', [key])
    }
  })
})

network('az with a token', () => {
  let folder: string
  let secure: Azurite
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tpi-az-'))
    secure = (await startAzurite(await makeCertificate(folder)))!
  })
  afterAll(async () => {
    await secure.stop()
    await rm(folder, { recursive: true })
  })

  async function inChild(token: string): Promise<string> {
    const program = join(import.meta.dirname, 'az/with-token.ts')
    const access = { url: `az://${ACCOUNT}/tokens/p`, settings: { endpoint: secure.endpoint }, credentials: { token } }
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') }
    return await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(access)], { env })
  }

  test('everything works with a token; one for another service is denied', async () => {
    expect(JSON.parse(await inChild(tokenFor('https://storage.azure.com')))).toEqual({ read: 'by a token', keys: ['id/inc/a'], left: null })
    await expect(inChild(tokenFor('https://management.azure.com'))).rejects.toThrow('not valid, or have expired')
  })
})
