import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { newNonce } from '../../src/core/identity.ts'
import { openSighting, pick, pickHistory, type Sighting, sightings } from '../../src/engine/find.ts'
import { remember } from '../../src/engine/history.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { recordBytes, VERSION } from '../../src/wire/parse.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { endedRun } from '../setup/ended-run.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const seen = (id: string, name: string, cloud = 'local'): Sighting =>
  ({ id: cloud, cloud: {} as Cloud, found: { phase: 'up', tags: { id, name } } }) as unknown as Sighting

const AT = '2030-01-01T00:00:00.000Z'

test('a name is an exact id, or the only deployment of that name', () => {
  const [fit, other, odd] = [seen('tpi-fit-1', 'fit'), seen('tpi-other-2', 'other'), seen('tpi-odd-3', 'tpi-fit-1')] as const
  const all = [fit, other, odd]
  expect(pick('fit', all)).toBe(fit)
  // An id wins over a name that looks like it.
  expect(pick('tpi-fit-1', all)).toBe(fit)
  expect(pick('fi', all)).toBeUndefined()
  expect(() => pick('fit', [...all, seen('tpi-fit-9', 'fit')])).toThrow('"fit" is the name of 2 deployments')
  expect(() => pick('fit', [...all, seen('tpi-fit-1', 'fit', 'elsewhere')])).toThrow('is the name of 2')
})

test('of several incarnations that show, the one on record is meant, and where there is no record the youngest', async () => {
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
    return (await openSighting(pick('fit', all)!, async () => store)).incarnation
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
  // What is being made may not show yet, beside what it starts from.
  expect(await shown(['up', 'z', 1])).toBe('a')
  // A store that its former users have not let go yet bears their tags.
  expect(await shown(['absent', 'b', 2])).toBe('a')
})

test('what is gone is found in the history the same way', async () => {
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
    // Runs of one deployment are no two of that name: the youngest is meant, and an older one has a name of its own.
    await remember(home, endedRun('tpi-x-3', '2030-02-02T00:00:00.000Z', { name: 'x' }))
    expect(await pickHistory(home, 'x')).toMatchObject({ createdAt: '2030-02-02T00:00:00.000Z' })
    expect(await pickHistory(home, 'tpi-x-3.20300101000000')).toMatchObject({ createdAt: AT })
  } finally {
    await rm(home, { recursive: true })
  }
})
