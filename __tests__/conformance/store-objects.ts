/** Objects: bodies, ranges, keys, signals. */
import { expect, test } from '@jest/globals'
import { MAX_OBJECT_BYTES } from '../../src/wire/store.ts'
import { byBytes, bytes, fault, keysOf, type Lab, textAt } from './store-lab.ts'

export function describeObjects(lab: Lab): void {
  test('an object reads back whole, with the version that its write gave', async () => {
    const key = `${await lab.fresh()}one`
    const version = await lab.store.write(key, bytes('hello'))
    const object = await lab.store.read(key)
    expect(Buffer.from(object!.bytes).toString()).toBe('hello')
    expect(object!.version).toBe(version)
  })

  test('what does not exist reads as undefined, above and below an incarnation', async () => {
    const root = await lab.fresh()
    expect(await lab.store.read(`${root}none`)).toBeUndefined()
    expect(await lab.store.read(`${root}no/such/folder`)).toBeUndefined()
    expect(await lab.store.read('nobody/current.json')).toBeUndefined()
    expect(await lab.store.read('nobody/never/slots/0/slot.json')).toBeUndefined()
  })

  test('a folder is not an object', async () => {
    const root = await lab.fresh()
    await lab.store.write(`${root}folder/inside`, bytes('x'))
    expect(await lab.store.read(`${root}folder`)).toBeUndefined()
  })

  test('without a condition a write replaces', async () => {
    const key = `${await lab.fresh()}one`
    await lab.store.write(key, bytes('first, and longer'))
    const version = await lab.store.write(key, bytes('second'))
    expect(await textAt(lab.store, key)).toBe('second')
    expect((await lab.store.read(key))!.version).toBe(version)
  })

  test('where it can copy, a copy has all bytes and a life of its own, and what does not exist is not copied', async () => {
    const root = await lab.fresh()
    const { copy } = lab.store
    if (!copy) return expect(lab.access.url).not.toMatch(/^(s3|gs|az):/)
    const body = Uint8Array.from({ length: 9_000_000 }, (_, at) => at % 251)
    await lab.store.write(`${root}from/ä b+c`, body)
    expect(await copy.call(lab.store, `${root}from/ä b+c`, `${root}to/ü %d&e`)).toBe(true)
    await lab.store.remove([`${root}from/ä b+c`])
    expect(Buffer.compare((await lab.store.read(`${root}to/ü %d&e`))!.bytes, body)).toBe(0)
    expect(await copy.call(lab.store, `${root}from/ä b+c`, `${root}nothing`)).toBe(false)
    expect(await lab.store.read(`${root}nothing`)).toBeUndefined()
    await expect(copy.call(lab.store, `${root}../x`, `${root}y`)).rejects.toEqual(fault('invalid'))
  })

  test('an empty body is an object', async () => {
    const root = await lab.fresh()
    await lab.store.write(`${root}empty`, new Uint8Array(0), { absent: true })
    const object = await lab.store.read(`${root}empty`)
    expect(object!.bytes).toHaveLength(0)
    expect((await lab.store.read(`${root}empty`, { from: 0, to: 10 }))!.version).toBe(object!.version)
    for await (const entry of lab.store.list(root)) expect(entry).toEqual({ key: `${root}empty`, size: 0 })
  })

  test('who reads hears how much has come, up to all that was asked for', async () => {
    const key = `${await lab.fresh()}large`
    await lab.store.write(key, new Uint8Array(3_000_000).fill(7))
    for (const range of [undefined, { from: 1_000_000, to: 2_500_000 }]) {
      const counts: number[] = []
      const object = await lab.store.read(key, range, undefined, (count) => void counts.push(count))
      expect(counts.at(-1)).toBe(object!.bytes.length)
      expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b))
    }
  })

  test('every byte value survives', async () => {
    const key = `${await lab.fresh()}bytes`
    const all = Uint8Array.from({ length: 256 }, (_, index) => index)
    await lab.store.write(key, all)
    expect([...(await lab.store.read(key))!.bytes]).toEqual([...all])
  })

  test('ranges are half-open, and past the end there is less or nothing', async () => {
    const key = `${await lab.fresh()}digits`
    const version = await lab.store.write(key, bytes('0123456789'))
    const part = async (from: number, to?: number) => {
      const object = await lab.store.read(key, to === undefined ? { from } : { from, to })
      expect(object!.version).toBe(version)
      return Buffer.from(object!.bytes).toString()
    }
    expect(await part(0, 1)).toBe('0')
    expect(await part(3, 6)).toBe('345')
    expect(await part(7)).toBe('789')
    expect(await part(8, 100)).toBe('89')
    expect(await part(10)).toBe('')
    expect(await part(50, 60)).toBe('')
    expect(await part(4, 4)).toBe('')
    expect(await lab.store.read(`${key}-none`, { from: 3, to: 5 })).toBeUndefined()
    expect(await lab.store.read(`${key}-none`, { from: 3, to: 3 })).toBeUndefined()
  })

  test('the largest body, whole and in part; a larger one is refused', async () => {
    const key = `${await lab.fresh()}large`
    const body = patterned(MAX_OBJECT_BYTES)
    const version = await lab.store.write(key, body, { absent: true })
    const object = await lab.store.read(key)
    expect(object!.version).toBe(version)
    expect(Buffer.compare(object!.bytes, body)).toBe(0)
    const part = await lab.store.read(key, { from: 40_000_000, to: 60_000_001 })
    expect(Buffer.compare(part!.bytes, body.subarray(40_000_000, 60_000_001))).toBe(0)
    await expect(lab.store.write(key, body, { absent: true })).rejects.toEqual(fault('conflict'))
    await expect(lab.store.write(key, new Uint8Array(MAX_OBJECT_BYTES + 1))).rejects.toEqual(fault('invalid'))
  }, 60_000)

  test('a reader sees one whole state, whatever is written meanwhile', async () => {
    const key = `${await lab.fresh()}busy`
    const body = (value: number) => Buffer.alloc(100_000 + value * 10_000, value)
    await lab.store.write(key, body(0))
    const state = { writing: true }
    const writers = [1, 2, 3].map(async (value) => {
      for (let round = 0; round < 15; round++) await lab.store.write(key, body(value))
    })
    const done = Promise.all(writers).finally(() => (state.writing = false))
    while (state.writing) {
      const { bytes: seen } = (await lab.store.read(key))!
      expect(Buffer.compare(seen, body(seen[0]!))).toBe(0)
    }
    await done
  })
}

/** Cheap to make, and no two megabytes are the same. */
function patterned(length: number): Buffer {
  const words = new Uint32Array(length / 4)
  for (let at = 0; at < words.length; at++) words[at] = at * 2_654_435_761
  return Buffer.from(words.buffer)
}

const ODD_KEYS = [
  'plain',
  'UPPER',
  'Upper',
  'upper',
  'with space',
  ' leading',
  'trailing ',
  'per%cent',
  '%41',
  '%2F',
  '%v',
  'a+b',
  'a&b<c>"d\'',
  'q?x=1#y',
  'back\\slash',
  'colon:semi;comma,',
  '(round)[square]{curly}!*$@~^`|',
  '.dot',
  '..dots',
  'tail.',
  'ünïcödé',
  'u\u0308',
  '日本語',
  '😀',
  '\ufb00',
  '-dash',
  '_under',
  'l'.repeat(200),
]

export function describeKeys(lab: Lab): void {
  test('odd keys survive, are listed, and no two of them meet', async () => {
    const root = await lab.fresh()
    await Promise.all(ODD_KEYS.map((key) => lab.store.write(root + key, bytes(key), { absent: true })))
    for (const key of ODD_KEYS) expect(await textAt(lab.store, root + key)).toBe(key)
    expect(await keysOf(lab.store, root)).toEqual(ODD_KEYS.map((key) => root + key).sort(byBytes))
    await lab.store.remove(ODD_KEYS.map((key) => root + key))
    expect(await keysOf(lab.store, root)).toEqual([])
  })

  const bad = [
    '',
    '/',
    '/x',
    'x/',
    'a//b',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    'a/..',
    'a\u0000b',
    'a\nb',
    'a\u007f',
    '\ud800',
    'x'.repeat(2000),
  ]
  test('keys that some backend could not hold are refused by every one', async () => {
    for (const key of bad) {
      await expect(lab.store.read(key)).rejects.toEqual(fault('invalid'))
      await expect(lab.store.write(key, bytes('x'))).rejects.toEqual(fault('invalid'))
      await expect(lab.store.remove([key])).rejects.toEqual(fault('invalid'))
    }
  })

  test('prefixes are confined too', async () => {
    await expect(keysOf(lab.store, '../')).rejects.toEqual(fault('invalid'))
    await expect(keysOf(lab.store, '/etc/')).rejects.toEqual(fault('invalid'))
    for (const prefix of ['', '/', '../', 'a/../../', 'no-slash']) {
      await expect(lab.store.clear(prefix)).rejects.toEqual(fault('invalid'))
      await expect(lab.store.init(prefix)).rejects.toEqual(fault('invalid'))
    }
  })
}

export function describeSignals(lab: Lab): void {
  test('an aborted signal stops a call with its own reason', async () => {
    const root = await lab.fresh()
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(lab.store.read(`${root}a`, undefined, signal)).rejects.toBe(reason)
    await expect(lab.store.write(`${root}a`, bytes('x'), undefined, signal)).rejects.toBe(reason)
    await expect(lab.store.list(root, undefined, signal)[Symbol.asyncIterator]().next()).rejects.toBe(reason)
    expect(await keysOf(lab.store, root)).toEqual([])
  })

  test('a write that is stopped leaves nothing to be seen, or all of it if the server had it already; never a part', async () => {
    const root = await lab.fresh()
    const stop = new AbortController()
    const writing = lab.store.write(`${root}large`, Buffer.alloc(MAX_OBJECT_BYTES, 1), { absent: true }, stop.signal)
    setTimeout(() => stop.abort(new Error('enough')), 2)
    await expect(writing).rejects.toThrow('enough')
    const seen = await lab.store.read(`${root}large`)
    expect([undefined, MAX_OBJECT_BYTES]).toContain(seen?.bytes.length)
    await lab.store.write(`${root}large`, bytes('small'))
    expect(await textAt(lab.store, `${root}large`)).toBe('small')
  })
}
