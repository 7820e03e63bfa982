/** Lists, removal, clearing, and keys that must not come back. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { isStoreError } from '../../src/wire/store.ts'
import { byBytes, bytes, fault, keysOf, type Lab, type StoreQuirks, textAt } from './store-lab.ts'

export function describeLists(lab: Lab, quirks: StoreQuirks): void {
  const names = ['a', 'a-b', 'a.b', 'b/c', 'b/c-d', 'b/d/e', 'b-', 'b0', 'z\ufb00', 'z😀', 'Z']

  test('in the byte order of keys, across folders, with sizes', async () => {
    const root = await lab.fresh()
    await Promise.all(names.map((name, index) => lab.store.write(root + name, new Uint8Array(index))))
    const entries: unknown[] = []
    for await (const entry of lab.store.list(root)) entries.push(entry)
    const expected = names.map((name, size) => ({ key: root + name, size })).sort((one, other) => byBytes(one.key, other.key))
    expect(entries).toEqual(expected)
  })

  test('after: everything greater, whether or not such a key exists', async () => {
    const root = await lab.fresh()
    await Promise.all(names.map((name) => lab.store.write(root + name, bytes('x'))))
    const sorted = names.map((name) => root + name).sort(byBytes)
    for (const after of [...sorted, `${root}b`, `${root}b/`, `${root}b/c0`, `${root}zz`, `${root}0`, 'a', 'zzzz']) {
      expect(await keysOf(lab.store, root, after)).toEqual(sorted.filter((key) => byBytes(key, after) > 0))
    }
  })

  test('prefix: any beginning of a key, not only folders', async () => {
    const root = await lab.fresh()
    await Promise.all(names.map((name) => lab.store.write(root + name, bytes('x'))))
    for (const prefix of ['a', 'b', 'b/', 'b/c', 'b/d', 'z', 'none', 'none/', 'b/none/']) {
      const wanted = names.filter((name) => name.startsWith(prefix)).map((name) => root + name)
      expect(await keysOf(lab.store, root + prefix)).toEqual(wanted.sort(byBytes))
    }
    expect(await keysOf(lab.store, 'nobody/never/')).toEqual([])
  })

  test('more than one page, and all of it removed in one call', async () => {
    const root = await lab.fresh()
    const keys = Array.from({ length: 2_300 }, (_, index) => `${root}many/${String(index).padStart(6, '0')}`)
    for (let at = 0; at < keys.length; at += 100) {
      await Promise.all(keys.slice(at, at + 100).map((key) => lab.store.write(key, bytes('x'))))
    }
    expect(await keysOf(lab.store, `${root}many/`)).toEqual(keys)
    expect(await keysOf(lab.store, `${root}many/`, keys[1_234])).toEqual(keys.slice(1_235))
    await lab.store.remove(keys)
    expect(await keysOf(lab.store, root)).toEqual([])
  }, 60_000)

  test('watch, where there is one, pushes what is there and then what comes', async () => {
    for (let cuts = quirks.cuts ?? 0; ; cuts -= 1)
      try {
        return await watched(lab)
      } catch (error) {
        if (cuts === 0 || !isStoreError(error, 'unavailable')) throw error
      }
  })
}

async function watched(lab: Lab): Promise<void> {
  if (!lab.store.watch) return
  const root = await lab.fresh()
  const [record, folder] = [`${root}slots/0/slot.json`, `${root}slots/0/log/`]
  const stop = new AbortController()
  const seen: string[] = []
  for (const key of ['1', '2']) await lab.store.write(`${folder}${key}`, bytes(`line ${key}`))
  let version = await lab.store.write(record, bytes('first'), { absent: true })
  for await (const reported of lab.store.watch([{ record, folder, after: `${folder}1` }], stop.signal)) {
    if (reported === 'caught-up') {
      seen.push(reported)
      await lab.store.write(`${folder}3`, bytes('line 3\n'))
      version = await lab.store.write(record, bytes('second'), { version })
      continue
    }
    const { key, object } = reported
    seen.push(`${key.slice(root.length)}: ${object ? Buffer.from(object.bytes).toString() : 'gone'}`)
    if (object && key === record) expect(object.version).toBe(version)
    if (seen.at(-1)?.endsWith('second')) await lab.store.remove([record])
    if (!object) stop.abort()
  }
  expect(seen.filter((line) => !line.startsWith('slots/0/slot.json'))).toEqual([
    'slots/0/log/2: line 2',
    'caught-up',
    'slots/0/log/3: line 3\n',
  ])
  expect(seen.filter((line) => line.startsWith('slots/0/slot.json'))).toEqual([
    'slots/0/slot.json: first',
    'slots/0/slot.json: second',
    'slots/0/slot.json: gone',
  ])
  // The log that a record refers to comes before it.
  expect(seen.indexOf('slots/0/log/3: line 3\n')).toBeLessThan(seen.indexOf('slots/0/slot.json: second'))
}

export function describeRemoval(lab: Lab, quirks: StoreQuirks): void {
  test('removing is idempotent and takes only what it names', async () => {
    const root = await lab.fresh()
    await lab.store.write(`${root}a`, bytes('x'))
    await lab.store.write(`${root}b`, bytes('x'))
    await lab.store.remove([`${root}a`, `${root}none`, `${root}no/such/folder`])
    await lab.store.remove([`${root}a`])
    await lab.store.remove([])
    expect(await keysOf(lab.store, root)).toEqual([`${root}b`])
    await lab.store.write(`${root}a`, bytes('again'), { absent: true })
    expect(await textAt(lab.store, `${root}a`)).toBe('again')
  })

  test('clear takes everything below, nothing beside, and may be repeated', async () => {
    const root = await lab.fresh()
    const id = root.slice(0, root.indexOf('/') + 1)
    await lab.store.init(`${id}inc2/`)
    const record = await lab.store.write(`${id}current.json`, bytes('1'), { absent: true })
    await lab.store.write(`${id}current.json`, bytes('2'), { version: record })
    for (const key of ['a', 'b/c', 'b/d/e']) await lab.store.write(root + key, bytes('x'))
    await lab.store.write(`${id}inc2/stays`, bytes('x'))
    await lab.store.clear(root)
    await lab.store.clear(root)
    await lab.store.clear('nobody/never/')
    expect(await keysOf(lab.store, id)).toEqual([`${id}current.json`, `${id}inc2/stays`])
    await lab.store.clear(id)
    expect(await keysOf(lab.store, id)).toEqual([])
  })

  test('a part of an incarnation may be cleared and written again', async () => {
    const root = await lab.fresh()
    await lab.store.write(`${root}pins/a`, bytes('x'))
    await lab.store.clear(`${root}pins/`)
    expect(await keysOf(lab.store, root)).toEqual([])
    await lab.store.write(`${root}pins/b`, bytes('x'))
    expect(await keysOf(lab.store, root)).toEqual([`${root}pins/b`])
  })

  if (quirks.folders) describeGone(lab)
}

function describeGone(lab: Lab): void {
  test('gone: never initialised, or cleared; nothing comes back by writing', async () => {
    const root = `id-${randomUUID()}/inc/`
    const attempts = async () => {
      await expect(lab.store.write(`${root}spec.json`, bytes('x'))).rejects.toEqual(fault('gone'))
      await expect(lab.store.write(`${root}a/b/c`, bytes('x'), { absent: true })).rejects.toEqual(fault('gone'))
      await expect(lab.store.write(`${root}a/b/c`, bytes('x'), { version: 'x' })).rejects.toEqual(fault('gone'))
      expect(await keysOf(lab.store, root)).toEqual([])
    }
    await attempts()
    await lab.store.init(root)
    await lab.store.init(root)
    const version = await lab.store.write(`${root}a/b/c`, bytes('x'))
    await lab.store.clear(root)
    await attempts()
    await expect(lab.store.write(`${root}a/b/c`, bytes('x'), { version })).rejects.toEqual(fault('gone'))
  })

  test('gone: writers that are in the middle of it when the incarnation is cleared', async () => {
    for (let round = 0; round < 5; round++) {
      const root = await lab.fresh()
      const endless = async (writer: number): Promise<void> => {
        let version = await lab.store.write(`${root}slots/${writer}/slot.json`, bytes('0'))
        for (let step = 0; ; step++) {
          await lab.store.write(`${root}slots/${writer}/snap/${round}/${step}`, Buffer.alloc(20_000))
          version = await lab.store.write(`${root}slots/${writer}/slot.json`, bytes(`${step}`), { version })
        }
      }
      const ending = Promise.allSettled(Array.from({ length: 8 }, (_, writer) => endless(writer)))
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 7))
      await lab.store.clear(root)
      for (const end of await ending) expect(end).toEqual({ status: 'rejected', reason: fault('gone') })
      expect(await keysOf(lab.store, root.slice(0, root.indexOf('/') + 1))).toEqual([])
    }
  })
}
