/** `data` on a machine: the objects below a prefix are copied into a folder, whatever faults the store has meanwhile. */
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { bringData, Fetching } from '../../../src/agent/vm/data.ts'
import { type Store, StoreError } from '../../../src/wire/store.ts'

const LARGE = Buffer.alloc((20 << 20) + 7, 'abcdefg')
const OBJECTS: Readonly<Record<string, Buffer>> = {
  'a.txt': Buffer.from('a'),
  'deep/er/b é.bin': LARGE,
  'deep/empty': Buffer.alloc(0),
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`many/${String(at).padStart(2, '0')}`, Buffer.from(`${at}`)])),
}

let folder: string
let signal: AbortSignal
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-data-'))
  signal = new AbortController().signal
})
afterEach(async () => rm(folder, { recursive: true }))

/** A place with these objects. `trouble`: what a call throws; without an error, the call succeeds. */
function placeOf(objects: Readonly<Record<string, Buffer>>, trouble: (call: string) => Error | undefined = () => undefined) {
  const calls: string[] = []
  let held = 0
  let most = 0
  const tell = (call: string): void => {
    calls.push(call)
    const error = trouble(call)
    if (error) throw error
  }
  const store = {
    async *list(_prefix: string, after = '') {
      tell(`list ${after}`)
      for (const key of Object.keys(objects)
        .sort()
        .filter((one) => one > after)) {
        tell(`next ${key}`)
        yield { key, size: objects[key]?.length ?? 0 }
      }
    },
    async read(key: string, range?: { from: number; to?: number }) {
      tell(`read ${key} ${range?.from}`)
      const bytes = Uint8Array.from(objects[key]?.subarray(range?.from, range?.to) ?? [])
      most = Math.max(most, (held += bytes.length))
      await new Promise((resolve) => setImmediate(resolve))
      held -= bytes.length
      return { bytes, version: 'one' }
    },
  }
  return { store: store as unknown as Store, calls, most: () => most }
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const SET = Object.fromEntries(Object.entries(OBJECTS).map(([key, bytes]) => [key, digest(bytes)]))

async function found(at = folder): Promise<Record<string, string>> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(at.length + 1), digest(await readFile(file))] as const)),
  )
}

const once = (which: RegExp, error: () => Error) => {
  let left = 1
  return (call: string): Error | undefined => (which.test(call) && left-- > 0 ? error() : undefined)
}
const away = (): StoreError => new StoreError('unavailable', 'storage: away')

test('everything arrives unchanged, read in ranges, and never more at once than allowed', async () => {
  const { store, calls, most } = placeOf(OBJECTS)
  const fetching = new Fetching(store, join(folder, 'x'), signal)
  await fetching.all()
  expect(await found(join(folder, 'x'))).toEqual(SET)
  expect(await readdir(folder)).toEqual(['x'])
  expect(calls.filter((call) => call.startsWith('read deep/er'))).toHaveLength(6)
  expect(most()).toBeLessThanOrEqual(16 * (4 << 20))
  expect(fetching.soFar()).toBe('43 files, 21 MB')
})

test.each([
  ['the list does not begin', /^list $/],
  ['the list is cut off', /^next many\/20$/],
  ['a read fails', /^read deep\/er\/b é\.bin 8388608$/],
])('the storage is away for a moment as %s', async (_, which) => {
  const { store, calls } = placeOf(OBJECTS, once(which, away))
  await new Fetching(store, folder, signal).all()
  expect(await found()).toEqual(SET)
  expect(calls.filter((call) => call === 'read a.txt 0')).toHaveLength(1)
})

test('of a storage whose lists have their own order, and always begin at the start, nothing is missed or fetched twice', async () => {
  const { store, calls } = placeOf(OBJECTS)
  let left = 1
  const list = async function* (): AsyncGenerator<{ key: string; size: number }> {
    for (const key of Object.keys(OBJECTS).sort().reverse()) {
      if (key === 'many/20' && left-- > 0) throw away()
      yield { key, size: OBJECTS[key]?.length ?? 0 }
    }
  }
  const fetching = new Fetching({ ...store, list, listsFromStart: true }, join(folder, 'x'), signal)
  await fetching.all()
  expect(await found(join(folder, 'x'))).toEqual(SET)
  expect(fetching.files).toBe(43)
  expect(calls.filter((call) => call === 'read many/21 0')).toHaveLength(1)
})

test('a disk that takes less than it is given, without an error, gets the rest', async () => {
  const one = await open(join(folder, 'any'), 'w')
  const files = Object.getPrototypeOf(one) as FileHandle
  await one.close()
  await rm(join(folder, 'any'))
  type Write = (bytes: Uint8Array, at: number, length: number, to: number) => Promise<{ bytesWritten: number }>
  const write = files.write as unknown as Write
  const shortly: Write = async function (this: FileHandle, bytes, at, length, to) {
    return write.call(this, bytes, at, Math.ceil(length / 3), to)
  }
  Object.assign(files, { write: shortly })
  try {
    await new Fetching(placeOf(OBJECTS).store, folder, signal).all()
  } finally {
    Object.assign(files, { write })
  }
  expect(await found()).toEqual(SET)
})

test('an agent that is started again does not fetch complete files again', async () => {
  await new Fetching(placeOf(OBJECTS).store, folder, signal).all()
  await rm(join(folder, 'a.txt'))
  await writeFile(join(folder, 'many/07'), 'half')
  const { store, calls } = placeOf(OBJECTS)
  await new Fetching(store, folder, signal).all()
  expect(calls.filter((call) => call.startsWith('read'))).toEqual(['read a.txt 0', 'read many/07 0'])
  expect(await found()).toEqual(SET)
})

test.each([
  ['a name that leads elsewhere', { '../out': Buffer.from('x') }, '"../out" is not a name that a file can have here'],
  [
    'a name that is a file and a folder',
    { a: Buffer.from('x'), 'a/b': Buffer.from('y') },
    /^"a(?:\/b)?" would have to be both a file and a folder, or is in a folder that is a file$/,
  ],
])('%s is refused, and nothing is written outside the folder', async (_, objects, message) => {
  await expect(new Fetching(placeOf(objects).store, join(folder, 'x'), signal).all()).rejects.toThrow(message)
  expect(await readdir(folder)).toEqual(['x'])
})

test('an object that is replaced meanwhile is not mixed with the new one', async () => {
  const { store } = placeOf(OBJECTS)
  let reads = 0
  const read: Store['read'] = async (...args) => {
    const found = await store.read(...args)
    return found && { ...found, version: String((reads += 1)) }
  }
  await expect(new Fetching({ ...store, read }, folder, signal).all()).rejects.toThrow('deep/er/b é.bin changes while it is read')
})

test.each([
  [
    new StoreError('denied', 'storage: s3:ListBucket is not allowed'),
    'data: s3://sets/photos: the identity of this machine must be allowed to list and read it (storage: s3:ListBucket is not allowed); tpi permissions --data s3://sets/photos:/data prints what is needed',
  ],
  [
    Object.assign(new Error('no space left'), { code: 'ENOSPC' }),
    'data: s3://sets/photos: it does not fit on the disk: give a larger one (disk-size), or scratch',
  ],
  [undefined, 'data: s3://sets/photos: there are no files below it'],
])('%p is reported with what to do', async (error, why) => {
  const { store } = placeOf({}, () => error)
  await mkdir(join(folder, 'data'))
  const params = { home: folder, open: async () => store, say: () => undefined, signal }
  expect(await bringData([{ from: { url: 's3://sets/photos' }, path: '/data' }], params)).toBe(why)
})
