import { describe, expect, test } from '@jest/globals'
import { type Merge, type MergeParams, Merger, type Results, type SlotTree } from '../../src/engine/deliver/merge.ts'
import type { Entry, Manifest } from '../../src/snapshot/types.ts'

/** Nanoseconds: when everything was uploaded, and a second later, on a machine. */
const THEN = '1793000000123456789'
const LATER = '1793000001123456789'

const file = (path: string, content: string, mtime = THEN): Entry => ({
  type: 'file',
  path,
  mode: 0o644,
  mtime,
  size: content.length,
  hash: content,
  pieces: [],
})
const tree = (...entries: Entry[]): Manifest => ({ v: 2, entries, quiet: true, unquiet: [] })
const all = (): boolean => true
const slots = (...trees: readonly Manifest[]): SlotTree[] => trees.map((manifest, index) => ({ index, manifest }))
const paths = (results: Results): string[] => Array.from(results, ({ path }) => path)

function merge(slots: SlotTree[], base: Manifest | undefined, matches: MergeParams['matches'], layout: MergeParams['layout']): Merge {
  const merger = new Merger(slots, { matches, layout })
  for (const entry of base?.entries ?? []) merger.uploaded(entry)
  return merger.end()
}

describe('merging the results of slots', () => {
  test('only what matches and differs from the upload is a result', () => {
    const base = tree(file('a', '1'), file('b', '1'))
    const { results } = merge(slots(tree(file('a', '1'), file('b', '2'), file('c', '3'))), base, (path) => path !== 'c', 'merge')
    expect(paths(results)).toEqual(['b'])
  })

  test('trees need not have the same paths: new paths come before, between and after the uploaded ones', () => {
    const base = tree(file('b', '1'), file('c', '1'), file('e', '1'))
    const { results } = merge(
      slots(tree(file('a', '1'), file('c', '1'), file('d', '1'), file('e', '2'), file('f', '1'))),
      base,
      all,
      'merge',
    )
    expect(paths(results)).toEqual(['a', 'd', 'e', 'f'])
  })

  test('nothing in .git is a result: changes are counted, except of the index', () => {
    const slot = tree(file('.git', 'x'), file('a/.GIT/config', 'x'), file('b/.git/index', 'x'), file('b/x', 'x'), file('git~1/x', 'x'))
    for (const layout of ['merge', 'index'] as const) {
      const { results, git } = merge(slots(slot), undefined, all, layout)
      expect([paths(results), git]).toEqual([[layout === 'merge' ? 'b/x' : '0/b/x'], 3])
    }
  })

  test('equal content is no conflict', () => {
    const merged = merge(slots(tree(file('x', 'same')), tree(file('x', 'same'))), undefined, all, 'merge')
    expect(merged.conflicts).toEqual([])
    expect(paths(merged.results)).toEqual(['x'])
  })

  test('only different content goes into a folder of its slot’s index', () => {
    const merged = merge(slots(tree(file('x', '0'), file('y', '0')), tree(file('x', '1'))), undefined, all, 'merge')
    expect(merged.conflicts).toEqual(['x'])
    expect(paths(merged.results).sort()).toEqual(['0/x', '1/x', 'y'])
  })

  test('layout "index" always separates', () => {
    const merged = merge(slots(tree(file('x', 'same')), tree(file('x', 'same'))), undefined, all, 'index')
    expect(paths(merged.results)).toEqual(['0/x', '1/x'])
    expect(merged.conflicts).toEqual([])
  })

  test('a file that became a link is a result', () => {
    const link: Entry = { type: 'link', path: 'a', mode: 0o777, mtime: '0', target: 'b' }
    expect(paths(merge(slots(tree(link)), tree(file('a', '1')), all, 'merge').results)).toEqual(['a'])
  })

  describe('files that a slot has written again as they were uploaded', () => {
    const base = tree(file('out', '0'), file('shared', '0'))
    const again = (...more: Entry[]): Manifest => tree(file('out', '0', LATER), file('shared', '0'), ...more)

    test('are versions of their own if another slot has made another one', () => {
      const merged = merge(slots(again(), tree(file('out', '1', LATER), file('shared', '0'))), base, all, 'merge')
      expect([paths(merged.results).sort(), merged.conflicts, merged.unchanged]).toEqual([['0/out', '1/out'], ['out'], 1])
    })

    test('come with those of all others, before and after them', () => {
      const other = (content: string): Manifest => tree(file('out', content, LATER))
      const merged = merge(slots(other('1'), again(), other('1'), again(file('x', '3'))), base, all, 'merge')
      expect([paths(merged.results).sort(), merged.conflicts]).toEqual([['0/out', '1/out', '2/out', '3/out', 'x'], ['out']])
    })

    test('always come if the results of slots lie apart', () => {
      const merged = merge(slots(again(), tree(...base.entries)), base, all, 'index')
      expect([paths(merged.results), merged.unchanged]).toEqual([['0/out'], 1])
    })

    test('stay what was uploaded if no slot has another version', () => {
      for (const trees of [slots(again()), slots(again(), again())]) {
        const merged = merge(trees, base, all, 'merge')
        expect([paths(merged.results), merged.conflicts, merged.unchanged]).toEqual([[], [], 2])
      }
    })

    test('are told apart from those that were left alone: these make no conflict', () => {
      // A restore sets times through floating point numbers. A former upload, or a coarse file system, has earlier ones.
      const left = ['1793000000123456700', '1793000000123456901', '1793000000000000000', '1700000000000000000']
      for (const mtime of left) {
        const merged = merge(slots(tree(file('out', '1', LATER)), tree(file('out', '0', mtime))), base, all, 'merge')
        expect([mtime, paths(merged.results), merged.conflicts]).toEqual([mtime, ['out'], []])
      }
    })

    test('are also links', () => {
      const link = (target: string, mtime: string): Entry => ({ type: 'link', path: 'last', mode: 0o777, mtime, target })
      const merged = merge(slots(tree(link('0', LATER)), tree(link('1', LATER))), tree(link('0', THEN)), all, 'merge')
      expect(paths(merged.results)).toEqual(['0/last', '1/last'])
    })

    test('are not folders, whose time changes with each file in them, and not what no glob matches or is below .git', () => {
      const folder = (mtime: string): Entry => ({ type: 'folder', path: 'd', mode: 0o755, mtime })
      const uploaded = tree(file('.git/config', '0'), folder(THEN), file('x', '0'))
      const there = tree(file('.git/config', '0', LATER), folder(LATER), file('x', '0', LATER))
      const merged = merge(slots(there), uploaded, (path) => path !== 'x', 'index')
      expect([paths(merged.results), merged.unchanged]).toEqual([[], 0])
    })

    test('are still there if another slot has removed its own', () => {
      const merged = merge(slots(again(), tree(file('shared', '0')), tree(file('out', '2', LATER))), base, all, 'merge')
      expect([paths(merged.results).sort(), merged.conflicts]).toEqual([['0/out', '2/out'], ['out']])
    })
  })
})
