/** Attaching with secrets, or without. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { refreshSecrets } from '../../src/task/secrets.ts'
import { layout } from '../../src/wire/layout.ts'
import type { Store } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { dyingStore } from '../storm/dying.ts'

const keys = layout('tpi-x-0123456789', 'i')
let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-secrets-'))
  store = await openStore({ url: `dir://${folder}` })
  await store.init(keys.root)
  await store.write(keys.secrets, Buffer.from(JSON.stringify({ v: 2, env: { A: 'a', B: 'b' } })))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function refresh(values: Record<string, string>, through: Store = store): Promise<string> {
  const host = memoryHost()
  const engine = { host, clock: fakeClock('2030-01-01T00:00:00.000Z'), home: folder, actor: 'ann@box' }
  await refreshSecrets(engine, { name: 'x', store: through, keys }, { secretNames: ['A', 'B'] }, values)
  return host.lines.join('\n')
}
const stored = async (): Promise<unknown> => {
  const object = await store.read(keys.secrets)
  return object && JSON.parse(Buffer.from(object.bytes).toString()).env
}

test('an attach brings new values for the names that the deployment has', async () => {
  await refresh({ A: 'fresh a', B: 'fresh b', C: 'of another command' })
  expect(await stored()).toEqual({ A: 'fresh a', B: 'fresh b' })
})

test.each([[{}], [{ A: 'fresh a' }]])('an attach with only %j removes no secret, and says so', async (values: Record<string, string>) => {
  expect(await refresh(values)).toContain('its secrets stay as they are')
  expect(await stored()).toEqual({ A: 'a', B: 'b' })
})

test('secrets that the last open slot removes during an attach do not come back', async () => {
  const racing = dyingStore(store, {
    async through(name, act) {
      const result = await act()
      if (name.startsWith('read')) await store.remove([keys.secrets])
      return result
    },
  })
  await refresh({ A: 'fresh a', B: 'fresh b' }, racing)
  expect(await stored()).toBeUndefined()
  await refresh({ A: 'fresh a', B: 'fresh b' })
  expect(await stored()).toBeUndefined()
})
