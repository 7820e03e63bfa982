/** Secrets that whoever closed the last slot did not come to remove. */
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { layout } from '../../src/wire/layout.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

test('go when a command brings home what there is, though the run is kept', async () => {
  const words = ['task', '--name', 'left', '--secret', 'KEY', '--output', 'x', '--script', 'echo 1 > x; exit 3']
  const ran = await w.tpi([...words, '--json'], { env: { KEY: 'canary-5f1d' } })
  expect([ran.code, await w.filesWith('canary-5f1d')]).toEqual([3, []])
  const store = await openStore({ url: `dir://${join(w.home, 'store')}` })
  const current = await store.read(`${ran.facts.id}/current.json`)
  const { incarnation } = JSON.parse(Buffer.from(current?.bytes ?? '').toString()) as { incarnation: string }
  const { secrets } = layout(ran.facts.id, incarnation)
  await store.write(secrets, Buffer.from(JSON.stringify({ v: 2, env: { KEY: 'canary-5f1d' } })))
  expect(await w.filesWith('canary-5f1d')).toHaveLength(1)
  await w.tpi('collect left')
  expect(await w.filesWith('canary-5f1d')).toEqual([])
  await w.tpi('destroy left --discard')
})
