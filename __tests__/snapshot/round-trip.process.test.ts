import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { Chosen, withFolders } from '../../src/snapshot/format/entry-set.ts'
import { download, restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Manifest, Saved, SaverOptions } from '../../src/snapshot/types.ts'
import { deadMount } from '../setup/dead-mount.ts'
import { asOrdinaryUser } from '../setup/ordinary.ts'
import { memoryStore } from './memory-store.ts'
import { newPlace, type Place } from './place.ts'
import { anyTree, differences, Home, makeTree, picture } from './trees.ts'

let home: Home
let folder: string
let place: Place
let warnings: string[]
beforeEach(() => {
  ;({ home, folder, place, warnings } = newPlace())
})
afterEach(() => home.remove())

async function saveOnce(options: Partial<SaverOptions> = {}): Promise<Saved> {
  const saver = await openSaver({ ...place, folder, ...options })
  const saved = await saver.save({ final: true })
  if (saved === undefined) throw new Error('nothing was saved')
  return saved
}

function back(saved: Saved, target = `${home.path}/again`) {
  return restore({ ...place, refs: [{ ...saved.ref, epoch: 1 }], folder: target })
}

function partOf({ manifest }: Saved, paths: readonly string[]): Manifest {
  const numbers = Array.from(manifest.entries, ({ path }, number) => (paths.includes(path) ? number : -1)).filter((number) => number >= 0)
  return { ...manifest, entries: new Chosen(manifest.entries, withFolders(manifest.entries, numbers)) }
}

describe('a tree comes back as it was', () => {
  test('whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, async (tree) => {
        const round = new Home()
        try {
          const options = { ...place, store: memoryStore(), folder: `${round.path}/work` }
          makeTree(options.folder, tree)
          const saved = await (await openSaver(options)).save({ final: true })
          await restore({ ...options, refs: [{ ...saved!.ref, epoch: 1 }], folder: `${round.path}/again` })
          expect(differences(picture(`${round.path}/again`), picture(options.folder))).toEqual([])
        } finally {
          await round.remove()
        }
      }),
      { numRuns: 25 },
    )
    expect(warnings).toEqual([])
  })

  test('the messy modules of this project', async () => {
    const modules = `${import.meta.dirname}/../../node_modules`
    const wanted = ['.bin', '@types', 'picomatch', 'yaml', 'jest-cli', '@jest', 'ignore']
    const select = (path: string): boolean => wanted.includes(path.split('/', 1)[0] ?? '')
    const saved = await saveOnce({ folder: modules, select })
    await back(saved)
    const there = [...picture(modules)].filter(([path]) => select(path.slice(1)))
    expect(there.length).toBeGreaterThan(500)
    expect(differences(new Map(there), picture(`${home.path}/again`))).toEqual([])
  })

  test('except absolute links into the folder, if it will be restored elsewhere', async () => {
    mkdirSync(`${folder}/a/b`, { recursive: true })
    symlinkSync('.', `${home.path}/way`)
    const links = {
      'a/b/up': `${folder}/file`,
      'a/b/near': `${folder}/a//b/./file`,
      top: `${home.path}/way/work`,
      beside: `${folder}-2/file`,
      winding: `${folder}/../x`,
      plain: 'a/../b',
      etc: '/etc/passwd',
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, `${folder}/${path}`)
    const saved = await saveOnce({ portable: true, folder: `${home.path}/way/work` })
    const found = [...saved.manifest.entries].flatMap((entry) => (entry.type === 'link' ? [[entry.path, entry.target]] : []))
    expect(Object.fromEntries(found)).toEqual({ ...links, 'a/b/up': '../../file', 'a/b/near': 'file', top: '.' })
    const plain = await saveOnce()
    expect([...plain.manifest.entries].find(({ path }) => path === 'top')).toMatchObject({ target: links.top })
  })

  test('hard links become separate files, sparse files stay sparse', async () => {
    writeFileSync(`${folder}/one`, 'shared')
    linkSync(`${folder}/one`, `${folder}/two`)
    writeFileSync(`${folder}/hole`, '')
    truncateSync(`${folder}/hole`, 300_000_000)
    writeFileSync(`${folder}/hole`, 'in the middle', { flag: 'r+' })
    const saved = await saveOnce()
    expect(saved.uploadedBytes).toBeLessThan(10_000)
    await back(saved)
    expect(readFileSync(`${home.path}/again/two`, 'utf8')).toBe('shared')
    expect(lstatSync(`${home.path}/again/two`).nlink).toBe(1)
    const hole = lstatSync(`${home.path}/again/hole`)
    expect([hole.size, hole.blocks * 512 < 1_000_000]).toEqual([300_000_000, true])
  })

  test('sockets, pipes and devices are left out and named once', async () => {
    execFileSync('mkfifo', [`${folder}/pipe`])
    writeFileSync(`${folder}/file`, 'x')
    const saver = await openSaver({ ...place, folder })
    await saver.save({})
    await saver.save({})
    expect(warnings).toEqual(['not saved, as sockets, pipes, devices and file systems of the kernel never are: "pipe"'])
  })

  test('content that replaces a file’s own is saved instead', async () => {
    writeFileSync(`${folder}/config`, 'secret')
    await back(await saveOnce({ overlay: new Map([['config', Buffer.from('clean')]]) }))
    expect(readFileSync(`${home.path}/again/config`, 'utf8')).toBe('clean')
  })

  test('as an ordinary user, with read-only files and folders, again and again', async () => {
    makeTree(folder, {
      kind: 'folder',
      mode: 0o755,
      mtime: 1e9,
      children: {
        locked: {
          kind: 'folder',
          mode: 0o555,
          mtime: 1e9,
          children: {
            file: { kind: 'file', mode: 0o444, mtime: 1e9, content: { size: 2_000_000, seed: 1, style: 'noise' } },
            '\udcff': {
              kind: 'folder',
              mode: 0o500,
              mtime: 1e9,
              children: { x: { kind: 'file', mode: 0o400, mtime: 1, content: { size: 5, seed: 1, style: 'text' } } },
            },
          },
        },
      },
    })
    const saved = await saveOnce()
    chmodSync(home.path, 0o777)
    await asOrdinaryUser([], async () => {
      await back(saved)
      await back(saved)
    })
    expect(differences(picture(`${home.path}/again`), picture(folder))).toEqual([])
  })
})

describe('restore', () => {
  test('replaces what was there, and leaves nothing beside it', async () => {
    writeFileSync(`${folder}/new`, 'x')
    const saved = await saveOnce()
    const target = `${home.path}/again`
    mkdirSync(`${target}/old`, { recursive: true })
    const restored = await back(saved, target)
    expect(readdirSync(target)).toEqual(['new'])
    expect(restored.ref?.digest).toBe(saved.ref.digest)
    place.store.objects.clear()
    await expect(back(saved, target)).rejects.toMatchObject({ name: 'SnapshotError', kind: 'lost' })
    expect(readdirSync(home.path)).toEqual(['work'])
  })

  test('of nothing makes an empty folder', async () => {
    const restored = await restore({ ...place, refs: [], folder: `${home.path}/again` })
    expect(restored).toMatchObject({ manifest: { entries: [] } })
    expect(readdirSync(`${home.path}/again`)).toEqual([])
  })

  test('download fetches a part of a manifest, into an empty folder only', async () => {
    for (const name of ['a/b/c', 'a/d', 'e/f']) {
      mkdirSync(`${folder}/${name}`, { recursive: true })
      writeFileSync(`${folder}/${name}/file`, name)
    }
    chmodSync(`${folder}/a`, 0o711)
    symlinkSync('x', `${folder}/e/link`)
    const saved = await saveOnce()
    const refs = [{ ...saved.ref, epoch: 1 }]
    const target = `${home.path}/some`
    mkdirSync(target)
    await download({ ...place, refs, folder: target, manifest: partOf(saved, ['a/b/c/file', 'e/link']) })
    expect([...picture(target).keys()]).toEqual(['/a', '/a/b', '/a/b/c', '/a/b/c/file', '/e', '/e/link'])
    expect(lstatSync(`${target}/a`).mode & 0o777).toBe(0o711)
    await expect(download({ ...place, refs, folder: target })).rejects.toThrow('not empty')
  })

  test('reads little for one small file of many', async () => {
    for (let number = 0; number < 2000; number++) writeFileSync(`${folder}/${number}`, `content ${number}`.repeat(300))
    const saved = await saveOnce()
    let read = 0
    const { store } = place
    const counting = {
      ...store,
      read: async (...args: Parameters<typeof store.read>) => {
        const object = await store.read(...args)
        if (!args[0].includes('/m-')) read += object?.bytes.length ?? 0
        return object
      },
    }
    await download({
      ...place,
      store: counting,
      refs: [{ ...saved.ref, epoch: 1 }],
      folder: `${home.path}/one`,
      manifest: partOf(saved, ['1000']),
    })
    expect(readFileSync(`${home.path}/one/1000`, 'utf8')).toBe('content 1000'.repeat(300))
    expect(read).toBeLessThan(600_000)
  })
})

describe('what is known is not uploaded again', () => {
  const old = new Date('2020-01-01')

  function write(name: string, text: string | Buffer): void {
    writeFileSync(`${folder}/${name}`, text)
    utimesSync(`${folder}/${name}`, old, old)
  }

  test('renamed, copied and touched files cost only a manifest', async () => {
    for (const name of ['a', 'b', 'c']) write(name, name.repeat(100_000))
    const saver = await openSaver({ ...place, folder })
    saver.published((await saver.save({}))!, [])
    execFileSync('sh', ['-c', 'mv a renamed; cp b copy; touch c'], { cwd: folder })
    const before = place.store.counts.writes
    const saved = await saver.save({})
    expect(saved?.ref.files).toBe(4)
    expect(place.store.counts.writes - before).toBe(1)
  })

  test('a long file that grew or changed in one place costs only the new part', async () => {
    const size = 40 << 20
    const noise = Buffer.from(Array.from({ length: size / 4096 }, (_, number) => String(number).padStart(8, '0').repeat(512)).join(''))
    write('log', noise)
    const saver = await openSaver({ ...place, folder })
    saver.published((await saver.save({}))!, [])
    writeFileSync(`${folder}/log`, Buffer.concat([noise, Buffer.from('one more line')]))
    const grown = await saver.save({})
    saver.published(grown!, [])
    const fresh = new Set(
      [...grown!.manifest.entries].flatMap((entry) => (entry.type === 'file' ? entry.pieces.slice(-1) : [])).map((piece) => piece.size),
    )
    expect([...fresh]).toEqual([13])
    expect(grown!.uploadedBytes).toBeLessThan(20_000)
  })

  test('a tree that was restored from elsewhere in this deployment refers to that; without changes nothing is saved', async () => {
    write('big', Buffer.alloc(3_000_000, 'x'))
    write('small', 'x')
    const base = await saveOnce({ at: 'base/' })
    const ref = { ...base.ref, epoch: 0 }
    const target = `${home.path}/again`
    const { manifest } = await restore({ ...place, refs: [ref], folder: target })
    for (const untouched of [true, false]) {
      const saver = await openSaver({ ...place, folder: target, restored: { ref, manifest, untouched } })
      expect(await saver.save({})).toBeUndefined()
      writeFileSync(`${target}/result`, String(untouched))
      const saved = await saver.save({})
      expect(
        new Set(
          [...saved!.manifest.entries].flatMap((entry) => (entry.type === 'file' ? entry.pieces.map(({ key }) => key.split('/')[0]) : [])),
        ),
      ).toEqual(new Set(['base', 'slots']))
      expect(saved!.uploadedBytes).toBeLessThan(2000)
      rmSync(`${target}/result`)
    }
  })

  test('pieces of another slot are not referred to', async () => {
    write('a', 'x'.repeat(1000))
    const other = await saveOnce({ at: 'slots/1/snap/' })
    const restored = { ref: { ...other.ref, epoch: 1 }, manifest: other.manifest }
    const saved = await saveOnce({ restored })
    expect(
      [...saved.manifest.entries].every((entry) => entry.type !== 'file' || entry.pieces.every(({ key }) => key.startsWith('slots/0/'))),
    ).toBe(true)
  })
})

test('a folder that is missing is an error, not an empty snapshot', async () => {
  const saver = await openSaver({ ...place, folder: `${home.path}/gone` })
  await expect(saver.save({ final: true })).rejects.toMatchObject({ name: 'SnapshotError', kind: 'no-folder' })
  writeFileSync(`${home.path}/gone`, 'a file')
  await expect(saver.save({ final: true })).rejects.toMatchObject({ kind: 'no-folder' })
  expect(place.store.objects.size).toBe(0)
})

test('what cannot be read is named, and its earlier saved state stays', async () => {
  chmodSync(home.path, 0o777)
  mkdirSync(`${folder}/private`)
  for (const name of ['open', 'closed', 'private/inside']) writeFileSync(`${folder}/${name}`, name)
  const saver = await openSaver({ ...place, folder })
  saver.published((await saver.save({}))!, [])
  chmodSync(`${folder}/closed`, 0o000)
  chmodSync(`${folder}/private`, 0o000)
  writeFileSync(`${folder}/new`, 'x')
  await asOrdinaryUser([], async () => {
    const saved = await saver.save({})
    expect(Array.from(saved!.manifest.entries, ({ path }) => path)).toEqual(['closed', 'new', 'open', 'private', 'private/inside'])
  })
  expect(warnings.length === 1 && warnings[0]?.startsWith('could not be read: ')).toBe(true)
})

test('a file system whose server is gone keeps nothing else from being saved', async () => {
  mkdirSync(`${folder}/bucket`)
  writeFileSync(`${folder}/result`, 'x')
  const unmount = deadMount(`${folder}/bucket`)
  if (unmount === undefined) return
  try {
    const saver = await openSaver({ ...place, folder })
    const saved = await saver.save({})
    expect(Array.from(saved!.manifest.entries, ({ path }) => path)).toEqual(['result'])
    expect([saver.unreadable, warnings]).toEqual([['bucket'], ['could not be read: "bucket"']])
  } finally {
    unmount()
  }
})
