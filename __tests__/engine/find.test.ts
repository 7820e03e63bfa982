import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud, Found } from '../../src/core/cloud.ts'
import { newNonce } from '../../src/core/identity.ts'
import { openSighting, pick, pickHistory, type Sighting, sightings } from '../../src/engine/find.ts'
import { remember } from '../../src/engine/history.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { recordBytes, VERSION } from '../../src/wire/parse.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { endedRun } from '../setup/ended-run.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const seen = (id: string, name: string, cloud = 'local'): Sighting =>
  ({ id: cloud, cloud: {} as Cloud, found: { phase: 'up', tags: { id, name, store: { url: 'dir:///home' } } } }) as unknown as Sighting

const unnamed = async (): Promise<undefined> => undefined

const AT = '2030-01-01T00:00:00.000Z'

test('a name is an exact id, or the only deployment of that name', async () => {
  const [fit, other, odd] = [seen('tpi-fit-1', 'fit'), seen('tpi-other-2', 'other'), seen('tpi-odd-3', 'tpi-fit-1')] as const
  const all = [fit, other, odd]
  expect(await pick('fit', all, unnamed)).toBe(fit)
  // An exact id wins over a name.
  expect(await pick('tpi-fit-1', all, unnamed)).toBe(fit)
  expect(await pick('fi', all, unnamed)).toBeUndefined()
  const twice = pick('fit', [...all, seen('tpi-fit-9', 'fit')], unnamed)
  await expect(twice).rejects.toMatchObject({ message: '"fit" is the name of 2 runs', hint: 'use an id: tpi-fit-1, tpi-fit-9' })
  // The same command on two clouds: both runs have the same id.
  const elsewhere = pick('fit', [...all, seen('tpi-fit-1', 'fit', 'elsewhere')], unnamed)
  await expect(elsewhere).rejects.toMatchObject({ hint: 'say on which cloud it is: `cloud: local` or `cloud: elsewhere`' })
})

test('of several visible incarnations, the one on record is meant, and without a record the newest', async () => {
  const store = memoryStore()
  const tags = (incarnation: string, day: number): unknown => ({
    id: 'tpi-fit-1',
    name: 'fit',
    incarnation,
    createdAt: `2030-01-0${day}`,
    store: {},
  })
  const shown = async (...found: readonly (readonly [string, string, number])[]): Promise<string> => {
    const cloud = { list: async () => found.map(([phase, name, day]) => ({ phase, tags: tags(name, day) })) } as unknown as Cloud
    const all = await sightings([{ id: 'local', cloud }])
    expect(all).toHaveLength(1)
    return (await openSighting((await pick('fit', all, unnamed))!, async () => store)).incarnation
  }
  expect(await shown(['up', 'a', 1], ['up', 'b', 2])).toBe('b')
  expect(await shown(['absent', 'b', 2])).toBe('b')
  const record = {
    v: VERSION,
    nonce: newNonce(),
    id: 'tpi-fit-1',
    name: 'fit',
    incarnation: 'a',
    createdAt: AT,
    origin: {},
    state: 'open',
  } as const
  await store.write(currentKey('tpi-fit-1'), recordBytes(CURRENT, record))
  expect(await shown(['up', 'a', 1], ['up', 'b', 2])).toBe('a')
  // A run that is being made may not be visible yet, while the one that it starts from is.
  expect(await shown(['up', 'z', 1])).toBe('a')
  // A store that its former users still hold has their tags.
  expect(await shown(['absent', 'b', 2])).toBe('a')
})

test('one id with records in two stores means two runs: the store decides which one is meant', async () => {
  const of = (url: string, incarnation: string, day: number): Found =>
    ({
      phase: 'up',
      tags: { id: 'tpi-fit-1', name: 'fit', incarnation, createdAt: `2030-01-0${day}`, store: { url } },
    }) as unknown as Found
  const list = [of('gs://west', 'a', 1), of('gs://east', 'b', 2), of('gs://east', 'c', 3)]
  const shown = async (home: string): Promise<Sighting[]> =>
    sightings([{ id: 'gcp', cloud: { list: async () => list, store: async () => ({ url: home }) } as unknown as Cloud }])
  const met = async (home: string, named?: string): Promise<string | undefined> =>
    (await pick('fit', await shown(home), async () => (named === undefined ? undefined : { url: named })))?.found.tags.incarnation
  expect((await shown('gs://west')).map(({ found, others = [] }) => [found.tags.incarnation, others.length])).toEqual([
    ['a', 0],
    ['c', 1],
  ])
  expect([await met('gs://west'), await met('gs://east'), await met('gs://east', 'gs://west')]).toEqual(['a', 'c', 'a'])
  await expect(met('gs://north')).rejects.toMatchObject({
    message: '"fit" is the name of 2 runs, each in a storage of its own',
    hint: 'say which one is meant: --storage gs://west, or --storage gs://east',
  })
})

test('a run that is gone is found in the history in the same way', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tpi-find-'))
  try {
    for (const [id, name] of [
      ['tpi-fit-1', 'fit'],
      ['tpi-fit-2', 'fit'],
      ['tpi-x-3', 'x'],
    ] as const)
      await remember(home, endedRun(id, AT, { name }))
    expect(await pickHistory(home, 'x')).toMatchObject({ id: 'tpi-x-3' })
    expect(await pickHistory(home, 'tpi-fit-2')).toMatchObject({ id: 'tpi-fit-2' })
    await expect(pickHistory(home, 'fit')).rejects.toMatchObject({
      exitCode: 64,
      hint: expect.stringMatching(/tpi-fit-1.*tpi-fit-2|tpi-fit-2.*tpi-fit-1/),
    })
    expect(await pickHistory(home, 'y')).toBeUndefined()
    // Runs of one deployment do not make a name ambiguous: the newest is meant, and an older one has its own name.
    await remember(home, endedRun('tpi-x-3', '2030-02-02T00:00:00.000Z', { name: 'x' }))
    expect(await pickHistory(home, 'x')).toMatchObject({ createdAt: '2030-02-02T00:00:00.000Z' })
    expect(await pickHistory(home, 'tpi-x-3.20300101000000')).toMatchObject({ createdAt: AT })
  } finally {
    await rm(home, { recursive: true })
  }
})
