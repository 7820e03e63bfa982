import { describe, expect, test } from '@jest/globals'
import { type Merge, type MergeParams, Merger, type Results, type SlotTree } from '../../src/engine/deliver/merge.ts'
import type { Entry, Manifest } from '../../src/snapshot/types.ts'

const file = (path: string, content: string): Entry => ({
  type: 'file',
  path,
  mode: 0o644,
  mtime: '0',
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
})
