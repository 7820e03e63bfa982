/** The record that makes an incarnation the current one. */
import type { Deployment } from '../../src/engine/deployment.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { recordBytes, VERSION } from '../../src/wire/parse.ts'
import { CURRENT, type CurrentRecord } from '../../src/wire/records.ts'

export async function named(
  { id, name, incarnation, store }: Pick<Deployment, 'id' | 'name' | 'incarnation' | 'store'>,
  state: CurrentRecord['state'] = 'open',
): Promise<void> {
  const record = { v: VERSION, nonce: 'n', id, name, incarnation, createdAt: '2030-01-01T00:00:00.000Z', origin: {} } as const
  await store.write(currentKey(id), recordBytes(CURRENT, { ...record, state }))
}
