import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readManifest } from '../../src/snapshot/format/manifest.ts'
import { fetchTree } from '../../src/snapshot/restore/fetch.ts'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Entry, Saved } from '../../src/snapshot/types.ts'
import type { SnapshotRef } from '../../src/wire/slot.ts'
import { StoreError } from '../../src/wire/store.ts'
import { newPlace, type Place } from './place.ts'
import { bytesOf, differences, type Home, picture } from './trees.ts'

let home: Home
let folder: string
let place: Place
let warnings: string[]

beforeEach(() => {
  ;({ home, folder, place, warnings } = newPlace())
  mkdirSync(`${folder}/sub`)
})
afterEach(() => home.remove())

const named = (saved: Saved | undefined, epoch = 1): SnapshotRef => {
  if (saved === undefined) throw new Error('nothing was saved')
  return { ...saved.ref, epoch }
}

function back(...refs: readonly SnapshotRef[]) {
  return restore({ ...place, refs, folder: `${home.path}/again` })
}

test('a failed restore ends only when nothing writes into its folder any more', async () => {
  writeFileSync(`${folder}/a`, bytesOf({ size: 900_000, seed: 1, style: 'noise' }))
  const saved = await (await openSaver(place)).save({ final: true })
  const [a] = saved!.manifest.entries
  // So many entries that the first file is read while the last folders are still being made, and one that the disk refuses.
  const folders = Array.from({ length: 20_000 }, (_, n) => ({ type: 'folder', path: `f${n}`, mode: 0o755, mtime: 0n }) as unknown as Entry)
  const target = `${home.path}/target`
  mkdirSync(target)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let asked = 0
  place.store.fault = async (call) => {
    if (call === 'read' && ++asked > 0) await answered
  }
  let failed: unknown
  const fetching = fetchTree(place, { ...saved!.manifest, entries: [a!, ...folders, folders[7]!] }, target).catch(
    (error: unknown) => (failed = error),
  )
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect({ asked, failed }).toEqual({ asked: 1, failed: undefined })
  answer()
  await fetching
  expect(String(failed)).toContain('could not write "f7": this file system takes its name for that of another file')
  expect(readFileSync(`${target}/a`).equals(readFileSync(`${folder}/a`))).toBe(true)
})

describe('a save that dies at any call to the store', () => {
  test('leaves what was published whole, and the next one completes it', async () => {
    for (let number = 0; number < 30; number++)
      writeFileSync(`${folder}/sub/${number}`, bytesOf({ size: 900_000, seed: number, style: 'noise' }))
    const saver = await openSaver(place)
    const first = await saver.save({ final: true })
    saver.published(first!, [])
    const before = picture(folder)
    for (let number = 0; number < 30; number += 2)
      writeFileSync(`${folder}/sub/${number}`, bytesOf({ size: 900_000, seed: 100 + number, style: 'noise' }))
    const after = picture(folder)
    for (let fatal = 1; ; fatal++) {
      let calls = 0
      place.store.fault = (call) => {
        if (call === 'write' && ++calls === fatal) throw new StoreError('denied', 'injected')
      }
      const saving = openSaver({ ...place, restored: { ref: named(first), manifest: first!.manifest } }).then((next) =>
        next.save({ final: true }),
      )
      const second = await saving.catch((error: unknown) => error)
      place.store.fault = () => undefined
      await back(named(first))
      expect(differences(picture(`${home.path}/again`), before)).toEqual([])
      if (!(second instanceof Error)) {
        await back(named(second as Saved))
        expect(differences(picture(`${home.path}/again`), after)).toEqual([])
        expect(fatal).toBeGreaterThan(2)
        break
      }
      expect(second).toMatchObject({ kind: 'denied' })
    }
  })

  test('and is repeated keeps what it had stored already', async () => {
    for (let number = 0; number < 30; number++)
      writeFileSync(`${folder}/${number}`, bytesOf({ size: 900_000, seed: number, style: 'noise' }))
    const saver = await openSaver(place)
    place.store.fault = (call, key) => {
      if (call === 'write' && key.includes('/m-')) throw new StoreError('denied', 'injected')
    }
    await expect(saver.save({ final: true })).rejects.toMatchObject({ kind: 'denied' })
    place.store.fault = () => undefined
    const saved = await saver.save({ final: true })
    expect(saved!.uploadedBytes).toBeLessThan(10_000)
    await back(named(saved))
    expect(differences(picture(`${home.path}/again`), picture(folder))).toEqual([])
  })
})

describe('a store that cannot be reached', () => {
  test('for a while is waited for, by save and restore', async () => {
    writeFileSync(`${folder}/a`, 'x')
    const outage = (): (() => void) => {
      let left = 2
      return () => {
        if (left-- > 0) throw new StoreError('unavailable', 'injected')
      }
    }
    place.store.fault = outage()
    const saved = await (await openSaver(place)).save({})
    place.store.fault = outage()
    await back(named(saved))
    expect(readFileSync(`${home.path}/again/a`, 'utf8')).toBe('x')
  })

  test('is waited for until the signal, or as long as the caller has patience; other failures are thrown at once', async () => {
    writeFileSync(`${folder}/a`, 'x')
    const saver = await openSaver(place)
    place.store.fault = () => {
      throw new StoreError('unavailable', 'injected')
    }
    await expect(saver.save({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ name: 'TimeoutError' })
    const { signal } = new AbortController()
    const waited = (await openSaver({ ...place, patience: 300 })).save({ signal })
    await expect(waited).rejects.toMatchObject({ name: 'StoreError', kind: 'unavailable' })
    place.store.fault = () => {
      throw new StoreError('full', 'no space in the store')
    }
    await expect(saver.save({})).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
  })
})

describe('damage in the store', () => {
  async function generations(): Promise<readonly [SnapshotRef, SnapshotRef]> {
    for (let number = 0; number < 5; number++)
      writeFileSync(`${folder}/sub/${number}`, bytesOf({ size: 5000, seed: number, style: number % 2 ? 'text' : 'noise' }))
    writeFileSync(`${folder}/sub/large`, bytesOf({ size: 9_000_000, seed: 9, style: 'noise' }))
    const saver = await openSaver(place)
    const first = await saver.save({ final: true })
    saver.published(first!, [])
    writeFileSync(`${folder}/new`, bytesOf({ size: 3000, seed: 77, style: 'text' }))
    return [named(first, 1), named(await saver.save({ final: true }), 2)]
  }

  const newestPack = (): string => [...place.store.objects.keys()].filter((key) => key.includes('/p-')).at(-1) ?? ''

  test.each([
    ['a byte of a pack', () => place.store.corrupt(newestPack(), 3)],
    ['a pack cut off', () => place.store.objects.set(newestPack(), { bytes: new Uint8Array(10), version: 'x' })],
    [
      'a pack that the store itself finds damaged',
      () => {
        const torn = newestPack()
        place.store.fault = (_call, key) => {
          if (key === torn) throw new StoreError('corrupt', 'not written by this program')
        }
      },
    ],
    ['a pack lost', () => place.store.objects.delete(newestPack())],
    ['a byte of the manifest', (head: SnapshotRef) => place.store.corrupt(`id/one/${head.at}m-${head.digest}`, 50)],
    ['the manifest lost', (head: SnapshotRef) => place.store.objects.delete(`id/one/${head.at}m-${head.digest}`)],
  ])('%s: the generation before is used, with a warning', async (_, damage) => {
    const [first, head] = await generations()
    damage(head)
    const restored = await back(head, first)
    expect(restored.ref).toEqual(first)
    expect(readdirSync(`${home.path}/again`)).toEqual(['sub'])
    expect(warnings).toEqual([expect.stringMatching(/^snapshot [0-9a-f]{12} of .* is damaged: .*; taking the one before$/)])
    await expect(back(head)).rejects.toMatchObject({ kind: expect.stringMatching(/corrupt|lost/) })
  })

  test('every byte counts: a flipped byte anywhere in a pack is detected', async () => {
    writeFileSync(`${folder}/text`, bytesOf({ size: 2000, seed: 1, style: 'text' }))
    writeFileSync(`${folder}/noise`, bytesOf({ size: 300, seed: 1, style: 'noise' }))
    const head = named(await (await openSaver(place)).save({ final: true }))
    const size = place.store.objects.get(newestPack())!.bytes.length
    const whole = picture(folder)
    for (let at = 0; at < size; at += 7) {
      place.store.corrupt(newestPack(), at)
      const outcome = await back(head).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toMatchObject({ kind: 'corrupt' })
      else expect(differences(picture(`${home.path}/again`), whole)).toEqual([])
      place.store.corrupt(newestPack(), at)
    }
  })
})

describe('a manifest made by somebody else', () => {
  async function planted(...lines: readonly unknown[]): Promise<SnapshotRef> {
    const header = { v: 2, quiet: true, unquiet: [], keys: ['slots/0/snap/p-x'], entries: lines.length }
    const bytes = zstdCompressSync([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
    const digest = hash('sha256', bytes)
    await place.store.write(`id/one/slots/0/snap/m-${digest}`, bytes)
    await place.store.write('id/one/slots/0/snap/p-x', Buffer.from('evil'))
    return { digest, at: 'slots/0/snap/', epoch: 1, savedAt: '', quiet: true, files: 1, bytes: 4 }
  }
  const evil = (path: string): unknown => ['f', path, 0o644, '0', 4, hash('sha256', 'evil'), [0, '', 0, 4, 0, 4, 0]]

  test.each([
    ['goes up', [evil('../evil')]],
    ['goes up in the middle', [['d', 'a', 493, '0'], evil('a/../../evil')]],
    ['is absolute', [evil('/tmp/evil-of-a-test')]],
    ['is empty', [evil('')]],
    ['is the folder itself', [evil('.')]],
    ['ends in a slash', [evil('evil/')]],
    ['has a NUL', [evil('a\0b')]],
    ['lies in a link', [['l', 'a', 511, '0', '..'], evil('a/evil')]],
    ['lies in a file', [evil('a'), evil('a/evil')]],
    ['comes twice, as a link and as a file', [['l', 'a', 511, '0', '../evil'], evil('a')]],
    ['lies nowhere', [evil('a/evil')]],
    ['points out of the deployment', [['f', 'a', 0o644, '0', 4, hash('sha256', 'evil'), [1, '', 0, 4, 0, 4, 0]]]],
    ['does not add up', [['f', 'a', 0o644, '0', 5, hash('sha256', 'evil'), [0, '', 0, 4, 0, 4, 0]]]],
  ])('in which a path %s is refused as a whole', async (_, lines) => {
    await expect(back(await planted(...lines))).rejects.toMatchObject({ name: 'SnapshotError', kind: 'corrupt' })
    expect(readdirSync(home.path)).toEqual(['work'])
    expect(existsSync('/tmp/evil-of-a-test')).toBe(false)
  })

  test('with a link that leads out: the link is made, and nothing is written through it', async () => {
    await back(await planted(evil('a'), ['l', 'b', 511, '0', `${folder}/sub`]))
    expect(readdirSync(folder)).toEqual(['sub'])
    expect(readdirSync(`${folder}/sub`)).toEqual([])
  })

  test('that is from a later version says so', async () => {
    const bytes = zstdCompressSync('{"v":3}\n')
    const digest = hash('sha256', bytes)
    await place.store.write(`id/one/base/m-${digest}`, bytes)
    await expect(readManifest(place.store, place.root, { at: 'base/', digest })).rejects.toThrow('version 3')
  })
})

test('a full disk is named, and the partial restore is removed', async () => {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return // needs a small file system of its own
  const small = `${home.path}/small`
  mkdirSync(small)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small], { stdio: 'ignore' })
  } catch {
    return // not allowed here
  }
  try {
    for (let number = 0; number < 10; number++)
      writeFileSync(`${folder}/${number}`, bytesOf({ size: 600_000, seed: number, style: 'noise' }))
    writeFileSync(`${folder}/large`, bytesOf({ size: 8_000_000, seed: 11, style: 'noise' }))
    const head = named(await (await openSaver(place)).save({ final: true }))
    const target = `${small}/again`
    await expect(restore({ ...place, refs: [head], folder: target })).rejects.toMatchObject({
      name: 'SnapshotError',
      kind: 'disk-full',
    })
    expect(readdirSync(small)).toEqual([])
    rmSync(`${folder}/large`)
  } finally {
    execFileSync('umount', ['-l', small])
  }
})
