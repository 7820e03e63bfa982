/** Opens a store in an Azure container with a token, in a process that trusts the lab's certificate: `node with-token.ts ACCESS`. */
import { AzClient } from '../../../src/stores/az/client.ts'
import { settingsOf } from '../../../src/stores/az/settings.ts'
import { openStore } from '../../../src/stores/registry.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'

const access = JSON.parse(process.argv[2] ?? '') as StoreAccess
const client = new AzClient(settingsOf(access))
await client
  .call({ operation: 'Create Container', method: 'PUT', query: { restype: 'container' }, repeatable: true })
  .catch((error: unknown) => {
    if (String(error).includes('ContainerAlreadyExists')) return
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  })
client.close()
const store = await openStore(access)
await store.write('id/inc/a', Buffer.from('by a token'), { absent: true })
const object = await store.read('id/inc/a')
const keys: string[] = []
for await (const { key } of store.list('id/')) keys.push(key)
await store.remove(keys)
process.stdout.write(
  JSON.stringify({ read: Buffer.from(object?.bytes ?? []).toString(), keys, left: (await store.read('id/inc/a')) ?? null }),
)
await store.close?.()
