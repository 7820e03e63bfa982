/** How a machine gets its credentials for the store: from a pipe, from a file, or lent by its cloud. */
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Givers, storeAccess } from '../../src/agent/store-access.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import { VERSION } from '../../src/wire/parse.ts'
import { fakeClock } from '../lib/fake-clock.ts'

const HOUR = 3_600_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-store-access-'))
})
afterAll(async () => rm(folder, { recursive: true }))

const config = (more: Partial<MachineConfig>): MachineConfig => ({
  v: VERSION,
  cloud: 'some',
  id: 'id',
  incarnation: 'one',
  machine: 'm-1',
  home: folder,
  hardDeadline: '2030-01-02T00:00:00.000Z',
  store: { url: 's3://bucket/x' },
  credentials: 'none',
  ...more,
})

const givers = (more: Partial<Givers> = {}): Givers => ({
  side: {},
  clock: fakeClock(),
  stdin: Readable.from([]),
  out: () => undefined,
  ...more,
})

test('from a pipe, from a file that is removed then, or none at all', async () => {
  expect(await storeAccess(config({}), givers())).toEqual({ url: 's3://bucket/x' })
  const stdin = Readable.from(['{"token":"a"}\n'])
  expect((await storeAccess(config({ credentials: 'stdin' }), givers({ stdin }))).credentials).toEqual({ token: 'a' })
  await expect(storeAccess(config({ credentials: 'stdin' }), givers())).rejects.toThrow('empty')
  const credentialsFile = join(folder, 'credentials.json')
  await writeFile(credentialsFile, '{"token":"b"}')
  expect((await storeAccess(config({ credentials: 'file', credentialsFile }), givers())).credentials).toEqual({ token: 'b' })
  await expect(access(credentialsFile)).rejects.toThrow('ENOENT')
})

test('lent by its cloud for an hour at a time: asked again in time, and failures do no harm while the old ones are valid', async () => {
  const clock = fakeClock()
  const said: string[] = []
  let asked = 0
  let away = false
  const storeCredentials = async ({ machine }: MachineConfig) => {
    asked += 1
    if (away) throw new Error('the metadata service answers 503')
    return { credentials: { token: `${machine} ${asked}` }, until: new Date(clock.date().getTime() + HOUR).toISOString() }
  }
  const { source } = await storeAccess(
    config({ credentials: 'machine' }),
    givers({ clock, side: { storeCredentials }, out: (line) => said.push(line) }),
  )
  expect(asked).toBe(0)
  expect(await source!.get()).toEqual({ token: 'm-1 1' })
  away = true
  await clock.advance(55 * 60_000)
  expect(await source!.get()).toEqual({ token: 'm-1 1' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(said).toEqual([expect.stringContaining('the identity of this machine: the metadata service answers 503; trying again')])
  await clock.advance(5 * 60_000)
  await expect(source!.get()).rejects.toMatchObject({ kind: 'unavailable' })
  away = false
  expect(await source!.get()).toEqual({ token: `m-1 ${asked}` })
})

test('the error names a cloud that lends none', async () => {
  await expect(storeAccess(config({ credentials: 'machine' }), givers())).rejects.toThrow('machines of "some" are lent none')
})
