import { hash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readNote, writeNote } from '../../src/engine/deliver/ledger.ts'
import { entryIdentity, type Installed, type PlaceOptions, place } from '../../src/engine/deliver/place.ts'
import type { Entry, LinkEntry } from '../../src/snapshot/types.ts'

let root: string
let here: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'place-'))
  here = join(root, 'here')
  await mkdir(here)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const entry = (path: string, content: string): Entry => ({
  type: 'file',
  path,
  mode: 0o644,
  mtime: '0',
  size: content.length,
  hash: hash('sha256', content),
  pieces: [],
})

async function bring(path: string, content: string, options: Partial<PlaceOptions> = {}): Promise<Installed> {
  const from = join(root, 'incoming')
  await writeFile(from, content)
  return place([{ from, path, entry: entry(path, content) }], { folder: here, before: () => undefined, delivered: {}, ...options })
}
/** Path → target. */
async function bringLinks(
  links: Record<string, string>,
  had: PlaceOptions['had'] = () => [],
  before: PlaceOptions['before'] = () => undefined,
): Promise<Installed> {
  const items = Object.entries(links).map(([named, target]) => {
    const path = named.replace('./', '')
    return { from: '', path, entry: linkTo(path, target) }
  })
  return place(items, { folder: here, before, delivered: {}, had })
}
const linkTo = (path: string, target: string): LinkEntry => ({ type: 'link', path, mode: 0o777, mtime: '0', target })
const besideOf = ({ beside }: Installed): Record<string, string> =>
  Object.fromEntries([...beside].map(([path, { path: other }]) => [path, other]))
const text = (path: string): Promise<string> => readFile(join(here, path), 'utf8')

describe('placing results', () => {
  test('an interrupt ends it before the first file is put in its place, and not after that', async () => {
    const over = new AbortController()
    const items = function* (cut: number) {
      for (const [number, path] of ['a', 'b', 'c'].entries()) {
        if (number === cut) over.abort(new Error('interrupted'))
        yield { from: join(root, path), path, entry: entry(path, path) }
      }
    }
    for (const path of ['a', 'b', 'c']) await writeFile(join(root, path), path)
    await writeFile(join(here, 'a'), 'a')
    const options = { folder: here, before: () => undefined, delivered: {}, signal: over.signal }
    await expect(place(items(1), options)).rejects.toThrow('interrupted')
    expect(await readdir(here)).toEqual(['a'])
    const late = new AbortController()
    const all = function* () {
      for (const item of items(-1)) {
        yield item
        if (item.path === 'b') late.abort(new Error('interrupted'))
      }
    }
    expect((await place(all(), { ...options, signal: late.signal })).written).toEqual(['b', 'c'])
    expect(await text('c')).toBe('c')
  })

  test('a link keeps its time', async () => {
    const entry = { type: 'link' as const, path: 'l', mode: 0o777, mtime: '1700000000123456789', target: 'f' }
    await place([{ from: '', path: 'l', entry }], { folder: here, before: () => undefined, delivered: {} })
    expect(Math.floor((await lstat(join(here, 'l'))).mtimeMs)).toBe(1_700_000_000_123)
  })

  test('a new file is put in its place, folders are made', async () => {
    expect((await bring('a/b/c.txt', 'new')).written).toEqual(['a/b/c.txt'])
    expect(await text('a/b/c.txt')).toBe('new')
  })

  test('a file unchanged since the upload is replaced', async () => {
    await writeFile(join(here, 'f'), 'uploaded')
    expect((await bring('f', 'result', { before: () => entry('f', 'uploaded') })).written).toEqual(['f'])
    expect(await text('f')).toBe('result')
  })

  test('a file that changed since the upload is never overwritten: the result is put beside it', async () => {
    await writeFile(join(here, 'f'), 'edited meanwhile')
    const placed = await bring('f', 'result', { before: () => entry('f', 'uploaded') })
    expect(besideOf(placed)).toEqual({ f: 'f~' })
    expect(await text('f')).toBe('edited meanwhile')
    expect(await text('f~')).toBe('result')
  })

  test('files of an earlier delivery are replaced, unless somebody changed them', async () => {
    await bring('f', 'half')
    const delivered = { f: entryIdentity(entry('f', 'half')) }
    expect((await bring('f', 'whole', { delivered })).written).toEqual(['f'])
    await writeFile(join(here, 'f'), 'mine now')
    expect((await bring('f', 'again', { delivered })).beside.has('f')).toBe(true)
    expect(await text('f')).toBe('mine now')
  })

  test('a file beside another is replaced only by the delivery that put it there', async () => {
    await writeFile(join(here, 'f'), 'mine')
    const first = await bring('f', 'first')
    expect(besideOf(first)).toEqual({ f: 'f~' })
    expect(besideOf(await bring('f', 'second'))).toEqual({ f: 'f~2' })
    expect(besideOf(await bring('f', 'third'))).toEqual({ f: 'f~3' })
    // The same content is found again, and a delivery does not take another's file for its own.
    expect((await bring('f', 'second')).beside.get('f')).toEqual({ path: 'f~2', written: false, along: false })
    const note = join(root, 'note.json')
    await writeNote(note, {}, [{ path: 'f', entry: entry('f', 'first') }], first.beside)
    expect(besideOf(await bring('f', 'first, later', { delivered: (await readNote(note)) ?? {} }))).toEqual({ f: 'f~' })
    expect(await Promise.all(['f', 'f~', 'f~2', 'f~3'].map(text))).toEqual(['mine', 'first, later', 'second', 'third'])
  })

  test.each([[['f', 'f~']], [['f~', 'f']]])(
    'results %j of one run stay apart if f has to be put beside another, also the next time',
    async (order) => {
      await writeFile(join(here, 'f'), 'mine')
      let delivered = {}
      const note = join(root, 'note.json')
      for (const round of ['1', '2']) {
        const items = order.map((path, n) => ({ from: join(root, String(n)), path, entry: entry(path, `${path} ${round}`) }))
        for (const { from, path } of items) await writeFile(from, `${path} ${round}`)
        const placed = await place(items, { folder: here, before: () => undefined, delivered })
        for (const { path } of items) expect(await text(placed.beside.get(path)?.path ?? path)).toBe(`${path} ${round}`)
        await writeNote(note, delivered, items, placed.beside)
        delivered = (await readNote(note)) ?? {}
      }
      expect(await text('f')).toBe('mine')
    },
  )

  test('equal content is left alone', async () => {
    await writeFile(join(here, 'f'), 'same')
    expect(await bring('f', 'same')).toMatchObject({ same: ['f'], written: [], beside: new Map() })
  })

  test('a link is replaced by a link and never followed', async () => {
    await writeFile(join(root, 'outside'), 'precious')
    await symlink(join(root, 'outside'), join(here, 'f'))
    await bring('f', 'result')
    expect(await readFile(join(root, 'outside'), 'utf8')).toBe('precious')
    expect(await readlink(join(here, 'f'))).toBe(join(root, 'outside'))
    expect(await text('f~')).toBe('result')
  })

  test('a folder where a file should go stays', async () => {
    await mkdir(join(here, 'f'))
    expect(besideOf(await bring('f', 'result'))).toEqual({ f: 'f~' })
  })

  test('nothing is written through a link with the name of a result folder: the folder is put beside it', async () => {
    const outside = join(root, 'outside')
    await mkdir(outside)
    await symlink('../outside', join(here, 'data'))
    const folder: Entry = { type: 'folder', path: 'data/deep', mode: 0o755, mtime: '0' }
    const items = ['data/new.txt', 'data/deep/er.txt'].map((path) => ({ from: join(root, path.replaceAll('/', '-')), path }))
    let delivered = {}
    const note = join(root, 'note.json')
    for (const round of ['first', 'second']) {
      for (const { from, path } of items) await writeFile(from, `${path} ${round}`)
      const results = [
        { from: '', path: folder.path, entry: folder },
        ...items.map(({ from, path }) => ({ from, path, entry: entry(path, `${path} ${round}`) })),
      ]
      const placed = await place(results, { folder: here, before: () => undefined, delivered })
      expect(besideOf(placed)).toEqual({ 'data/new.txt': 'data~/new.txt', 'data/deep/er.txt': 'data~/deep/er.txt' })
      expect([...placed.folders]).toEqual([['data', 'data~']])
      expect(await text('data~/new.txt')).toBe(`data/new.txt ${round}`)
      await writeNote(note, delivered, results, placed.beside)
      delivered = (await readNote(note)) ?? {}
    }
    expect(await readdir(outside)).toEqual([])
    expect(await readlink(join(here, 'data'))).toBe('../outside')
    expect((await readdir(here)).sort()).toEqual(['data', 'data~'])
  })

  test('links among the results are never followed: neither from another slot nor from an earlier delivery', async () => {
    const outside = join(root, 'outside')
    await mkdir(outside)
    const link: Entry = { type: 'link', path: 'x', mode: 0o777, mtime: '0', target: '../outside' }
    const evil = (name: string): { from: string; path: string; entry: Entry } => ({
      from: join(root, name),
      path: 'x/authorized_keys',
      entry: entry('x/authorized_keys', 'evil'),
    })
    await writeFile(join(root, 'one'), 'evil')
    const both = [{ from: '', path: 'x', entry: link }, evil('one')]
    const first = await place(both, { folder: here, before: () => undefined, delivered: {} })
    expect([first.written, [...first.refused]]).toEqual([['x/authorized_keys'], ['x']])
    const note = join(root, 'note.json')
    await writeNote(note, {}, both, first.beside)
    await rm(join(here, 'x'), { recursive: true })
    await symlink('../outside', join(here, 'x'))
    await writeFile(join(root, 'two'), 'evil')
    await place([evil('two')], { folder: here, before: () => undefined, delivered: (await readNote(note)) ?? {} })
    expect(await readdir(outside)).toEqual([])
  })

  test('no link leads out of the folder: not alone, not through another, not through one that was there', async () => {
    const outside = join(root, 'outside')
    await mkdir(join(outside, 'deep'), { recursive: true })
    await mkdir(join(here, 'mine/.git/hooks'), { recursive: true })
    await symlink('../outside', join(here, 'way'))
    await symlink('mine/.git', join(here, 'repository'))
    const evil: Record<string, string> = {
      absolute: '/etc/passwd',
      '.up': '../outside',
      'a/b/up': '../../../outside',
      'a/b/winding': 'x/../../../../outside',
      'a/b/top': '../..',
      'a/b/by-new': 'top/../outside',
      'by-old': 'way/deep',
      'by-old-missing': 'way/nothing',
      'a/git': '../mine/.git/hooks',
      'by-old-git': 'repository/hooks',
      none: '',
    }
    const good = { 'a/b/to': '../../file', 'a/b/./dot': './to', 'a/nothing': 'none-such', 'to-folder': 'a/b', 'a/by-mine': '../mine' }
    const placed = await bringLinks({ ...evil, ...good })
    const well = Object.keys(good).map((path) => path.replace('./', ''))
    expect([...placed.refused].sort()).toEqual(Object.keys(evil).sort())
    expect([...placed.yours]).toEqual(['a/b/top'])
    expect([...placed.written].sort()).toEqual(well.sort())
    expect(placed.dangling.map(({ path }) => path)).toEqual(['a/b/to', 'a/b/dot', 'a/nothing'])
    expect((await readdir(here)).sort()).toEqual(['a', 'mine', 'repository', 'to-folder', 'way'])
  })

  test('a link to a file of the user is removed, unless the machine had the same file', async () => {
    await mkdir(join(here, 'private'))
    for (const name of ['.env', 'private/key', 'given']) await writeFile(join(here, name), name)
    const links = { 'metrics.json': '.env', all: '.', folder: 'private', input: 'given', other: './metrics.json' }
    const had = (path: string): Entry[] => (path === '.env' ? [entry(path, 'guessed')] : path === 'given' ? [entry(path, 'given')] : [])
    const placed = await bringLinks(links, had)
    expect([...placed.yours].sort()).toEqual(['all', 'folder', 'metrics.json'])
    expect(placed.written).toEqual(['input', 'other'])
    expect((await readdir(here)).sort()).toEqual(['.env', 'given', 'input', 'other', 'private'])
    // It leads to the link that was removed.
    expect(placed.dangling.map(({ path }) => path)).toEqual(['other'])
  })

  test('a link that leads through a file, or to a name that is too long, leads nowhere, and hinders no other result', async () => {
    await writeFile(join(here, 'file'), 'file')
    const placed = await bringLinks({ through: 'file/within', long: 'x'.repeat(300), well: 'nothing' }, () => [])
    expect(placed.written).toEqual(['through', 'long', 'well'])
    expect(placed.dangling.map(({ path }) => path)).toEqual(['through', 'long', 'well'])
  })

  test('a link is removed if another one of the same run changed its target after it was checked', async () => {
    await mkdir(join(root, 'outside'))
    await mkdir(join(here, 'mine'))
    await symlink('../../outside', join(here, 'mine/way'))
    const had = (path: string): Entry[] => (path === 'mine/way' ? [linkTo(path, '../../outside')] : [])
    const placed = await bringLinks({ one: 'two/way', two: 'mine' }, had)
    expect([[...placed.refused], placed.written, (await readdir(here)).sort()]).toEqual([['one'], ['two'], ['mine', 'two']])
  })

  test('a file that a link replaced is restored when that link is removed', async () => {
    await mkdir(join(here, 'mine'))
    await mkdir(join(root, 'outside'))
    await symlink('../../outside', join(here, 'mine/way'))
    for (const name of ['config.yml', 'config.local.yml', 'one', 'stays']) await writeFile(join(here, name), name)
    const links = { 'config.yml': 'config.local.yml', one: 'two/way', two: 'mine', stays: 'three', three: 'nothing' }
    const had = (path: string): Entry[] => (path === 'mine/way' ? [linkTo(path, '../../outside')] : [])
    const placed = await bringLinks(links, had, (path) => entry(path, path))
    expect([[...placed.yours], [...placed.refused].sort(), placed.written]).toEqual([
      ['config.yml'],
      ['config.yml', 'one'],
      ['two', 'stays', 'three'],
    ])
    for (const name of ['config.yml', 'one']) expect(await text(name)).toBe(name)
    expect(await readlink(join(here, 'stays'))).toBe('three')
    expect((await readdir(here)).sort()).toEqual(['config.local.yml', 'config.yml', 'mine', 'one', 'stays', 'three', 'two'])
  })

  test('files that links replaced are restored if another link cannot be made', async () => {
    for (const name of ['f', 'g']) await writeFile(join(here, name), name)
    const links = { f: 'elsewhere', g: 'x'.repeat(5000) }
    await expect(bringLinks(links, undefined, (path) => entry(path, path))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
    expect([await text('f'), await text('g'), await readdir(here)]).toEqual(['f', 'g', ['f', 'g']])
  })

  test('a link through another one that is removed is judged by what is there then', async () => {
    for (const name of ['private', 'shared']) {
      await mkdir(join(here, name))
      await writeFile(join(here, name, 'x'), name)
    }
    await writeFile(join(here, 'shared/own'), 'own')
    await symlink('private', join(here, 'way'))
    const had = (path: string): Entry[] => (path === 'shared/x' ? [entry(path, 'shared')] : [])
    const before = (path: string): Entry | undefined => (path === 'way' ? linkTo(path, 'private') : undefined)
    const placed = await bringLinks({ by: 'way/x', way: 'shared' }, had, before)
    expect([[...placed.yours].sort(), placed.written, await readlink(join(here, 'way'))]).toEqual([['by', 'way'], [], 'private'])
    expect((await readdir(here)).sort()).toEqual(['private', 'shared', 'way'])
  })

  test('names of maximum length are delivered, also if one has to be put beside another', async () => {
    const names = ['x'.repeat(255), `${'é'.repeat(127)}y`]
    for (const name of names) {
      expect((await bring(name, 'first')).written).toEqual([name])
      const { beside } = await bring(name, 'second')
      expect(await text(beside.get(name)?.path ?? '')).toBe('second')
      const link = await bringLinks({ [`in/${name}`]: 'there' })
      expect(link.written).toEqual([`in/${name}`])
    }
    expect((await readdir(here)).sort()).toEqual([...names, 'in', `${'x'.repeat(254)}~`, `${'é'.repeat(127)}~`].sort())
  })

  test('two commands that make the same folders at once do not hinder each other', async () => {
    const items = (who: string) =>
      Array.from({ length: 60 }, (_, n) => ({ from: join(root, `${who}-${n}`), path: `d${n}/e/f`, entry: entry(`d${n}/e/f`, 'same') }))
    const deliver = async (who: string): Promise<Installed> => {
      for (const { from } of items(who)) await writeFile(from, 'same')
      return place(items(who), { folder: here, before: () => undefined, delivered: {} })
    }
    for (const { beside, written, same } of await Promise.all(['a', 'b', 'c', 'd'].map(deliver))) {
      expect([...beside]).toEqual([])
      expect(written.length + same.length).toBe(60)
    }
  })

  test('a file of the user with the name of a result folder stays, and hinders nothing', async () => {
    await writeFile(join(here, 'data'), 'mine')
    expect(besideOf(await bring('data/a', 'ours'))).toEqual({ 'data/a': 'data~/a' })
    // A file that somebody else puts into that folder is safe as well.
    await writeFile(join(here, 'data~', 'b'), 'mine too')
    const again = await bring('data/b', 'ours')
    expect(again.beside.get('data/b')).toEqual({ path: 'data~/b~', written: true, along: false })
    expect([await text('data'), await text('data~/a'), await text('data~/b'), await text('data~/b~')]).toEqual([
      'mine',
      'ours',
      'mine too',
      'ours',
    ])
  })

  test('folders that are put beside others stay apart from results of that same name', async () => {
    await writeFile(join(here, 'data'), 'mine')
    const paths = ['data/a', 'data~/a']
    for (const path of paths) await writeFile(join(root, path.replace('/', '-')), path)
    const items = paths.map((path) => ({ from: join(root, path.replace('/', '-')), path, entry: entry(path, path) }))
    const { beside } = await place(items, { folder: here, before: () => undefined, delivered: {} })
    for (const path of paths) expect(await text(beside.get(path)?.path ?? path)).toBe(path)
  })

  test('the note of deliveries is kept', async () => {
    const path = join(root, 'deep', 'note.json')
    expect(await readNote(path)).toBeUndefined()
    const placed = ['f', 'g', 'h', 'mine'].map((name) => ({ path: name, entry: entry(name, 'new') }))
    const now = entryIdentity(entry('', 'new'))
    await writeNote(path, {}, [], new Map())
    expect(await readNote(path)).toEqual({})
    await writeNote(
      path,
      { f: 'file old', 'h "quoted"': 'link x' },
      placed,
      new Map([
        ['mine', { path: 'mine~', written: true, along: false }],
        ['h', { path: 'h~', written: false, along: false }],
      ]),
    )
    expect(await readNote(path)).toEqual({ f: now, g: now, 'mine~': now, 'h "quoted"': 'link x' })
  })

  test('commands that deliver the same run to different folders at once do not lose each other’s note', async () => {
    const path = join(root, 'note.json')
    const placed = Array.from({ length: 2000 }, (_, n) => ({ path: `f${n}`, entry: entry(`f${n}`, String(n)) }))
    await Promise.all(Array.from({ length: 8 }, () => writeNote(path, {}, placed, new Map())))
    expect(Object.keys((await readNote(path)) ?? {})).toHaveLength(placed.length)
    expect((await readdir(root)).filter((name) => name.includes('.part'))).toEqual([])
  })
})
