/** Secrets that whoever closed the last slot did not come to remove. */
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { layout } from '../../src/wire/layout.ts'
import { worldPer } from '../setup/world-per.ts'
import { DEAD, deathAt, dyingStore } from '../storm/dying.ts'

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

test.each(['stop made', 'destroy made --discard'])(
  'of a creation that was killed go with the next command that acts: %s',
  async (words) => {
    const death = deathAt(1, true, (call) => /^write .*secrets\/env\.json$/.test(call))
    const given = (context: VerbContext): VerbContext => ({
      ...context,
      engine: { ...context.engine, process: DEAD },
      access: async (place) => dyingStore(await context.access(place), death),
    })
    const start = ['task', '--name', 'made', '--secret', 'KEY', '--workdir', 'none', '--script', 'sleep 60']
    void w.tpi(start, { env: { KEY: 'canary-5f1d' }, given }).catch(() => undefined)
    await death.died
    expect(await w.filesWith('canary-5f1d')).toHaveLength(1)
    const ended = await w.tpi(words)
    expect(await w.filesWith('canary-5f1d')).toEqual([])
    expect(await w.alive()).toEqual([])
    expect([ended.code, ended.host.printed.join()]).toEqual([0, expect.stringContaining('everything')])
    const past = await w.tpi('status made --json')
    expect(past.facts).toMatchObject({ name: 'made', outcome: 'stopped', exitCode: 130, destroyed: true })
  },
)
