import { describe, expect, test } from '@jest/globals'
import { isWritten } from '../../src/engine/deliver/merge.ts'
import type { Entry } from '../../src/snapshot/types.ts'
import { type LaidOver, layOver, treeOf, withOwnTimes } from '../../src/task/merge-edits.ts'

/** `path=content`; `path/` is a folder, `path>target` a link. */
function tree(text: string): Entry[] {
  return text.split(' ').flatMap((word): Entry[] => {
    const [, path = '', kind, content = ''] = /^([^=>]+?)(\/$|=|>)(.*)$/.exec(word) ?? []
    if (path === '') return []
    const named = { path, mode: 0o644, mtime: '1' }
    if (kind === '/') return [{ ...named, type: 'folder' }]
    if (kind === '>') return [{ ...named, type: 'link', target: content }]
    return [{ ...named, type: 'file', size: content.length, hash: content, pieces: [] }]
  })
}

function shown(laid: LaidOver): string {
  return laid.entries
    .map((entry) =>
      entry.type === 'folder' ? `${entry.path}/` : `${entry.path}${entry.type === 'file' ? `=${entry.hash}` : `>${entry.target}`}`,
    )
    .join(' ')
}

const over = (snapshot: string, before: string, here: string): LaidOver => layOver(tree(snapshot), treeOf(tree(before)), treeOf(tree(here)))

describe('local edits since the upload, merged into a snapshot', () => {
  test('take precedence; everything else that the run has made or changed stays', () => {
    const laid = over('ckpt=9 conf=2 train.py=v1', 'conf=1 train.py=v1', 'conf=1 train.py=v2')
    expect(shown(laid)).toBe('ckpt=9 conf=2 train.py=v2')
    expect(laid).toMatchObject({ edited: ['train.py'], both: new Map() })
  })

  test('change nothing if there are none', () => {
    const laid = over('a/ a/b=run c>a', 'a/ a/b=1 d=1', 'a/ a/b=1 d=1')
    expect(shown(laid)).toBe('a/ a/b=run c>a')
    expect(laid.edited).toEqual([])
  })

  test('take precedence if the run has changed the same file, whose version is put beside it', () => {
    const laid = over('conf=run conf~=x', 'conf=1', 'conf=mine')
    expect(shown(laid)).toBe('conf=mine conf~=x conf~2=run')
    expect(laid).toMatchObject({ edited: ['conf'], both: new Map([['conf', 'conf~2']]) })
  })

  test('bring new files with their folders, also if the run had removed those', () => {
    expect(shown(over('x=1', 'lib/ lib/a=1 x=1', 'lib/ lib/a=2 new/ new/b=1 x=1'))).toBe('lib/ lib/a=2 new/ new/b=1 x=1')
  })

  test('never remove a file from the snapshot because it is missing here', () => {
    const laid = over('data=1 made=2 x=1', 'data=1 x=1', 'x=2')
    expect(shown(laid)).toBe('data=1 made=2 x=2')
    expect(laid.edited).toEqual(['x'])
  })

  test('leave nothing below a path that is a file now', () => {
    const laid = over('a/ a/b=1', 'a/ a/b=1', 'a=file')
    expect(shown(laid)).toBe('a=file')
    expect(laid.both).toEqual(new Map())
  })

  test.each([
    ['a file took the place of a folder that the run had changed', 'a/ a/b=1 a/c=2', 'a/ a/b=1', 'a=file', 'a=file a~/ a~/b=1 a~/c=2'],
    ['the run made a folder of a file that was edited', 'a/ a/b=run', 'a=1', 'a=2', 'a=2 a~/ a~/b=run'],
    ['the run made a file of a path that is a folder now', 'a=run x=1', 'a=1 x=1', 'a/ a/b=mine x=1', 'a/ a/b=mine a~=run x=1'],
    [
      'the run moved a folder away, and left a link',
      'data>scratch',
      'data/ data/conf=1',
      'data/ data/conf=2',
      'data/ data/conf=2 data~>scratch',
    ],
  ])('keep the version of the run if %s', (_, snapshot, before, here, outcome) => {
    const laid = over(snapshot, before, here)
    expect(shown(laid)).toBe(outcome)
    expect(laid.both).toEqual(new Map([here.startsWith('data') ? ['data', 'data~'] : ['a', 'a~']]))
    // What is said to be used is there.
    expect(laid.entries.map(({ path }) => path)).toEqual(expect.arrayContaining([...laid.edited]))
  })

  test('a folder that the run replaced stays as the run left it, if nothing in it was edited', () => {
    expect(shown(over('data>scratch x=1', 'data/ data/conf=1 x=1', 'data/ data/conf=1 x=2'))).toBe('data>scratch x=2')
  })

  test('include a changed mode', () => {
    const [script] = tree('run.sh=1')
    const laid = layOver([script!], treeOf([script!]), treeOf([{ ...script!, mode: 0o755 }]))
    expect(laid).toMatchObject({ entries: [{ mode: 0o755 }], edited: ['run.sh'], both: new Map() })
  })
})

describe('a folder of Git', () => {
  const before = '.git/ .git/HEAD=a .git/index=1 x=1'

  test('comes whole from here if something was committed here', () => {
    const laid = over('.git/ .git/HEAD=run .git/index=2 .git/new=run x=1', before, '.git/ .git/HEAD=b .git/index=3 x=1')
    expect(shown(laid)).toBe('.git/ .git/HEAD=b .git/index=3 x=1')
    expect(laid.edited).toEqual(['.git'])
  })

  test('comes whole from the snapshot if it was only read here', () => {
    const laid = over('.git/ .git/HEAD=run .git/index=2 x=1', before, '.git/ .git/HEAD=a .git/index=9 x=1')
    expect(shown(laid)).toBe('.git/ .git/HEAD=run .git/index=2 x=1')
    expect(laid.edited).toEqual([])
  })

  test('comes from here if something was committed here, also if the run has replaced the folder that it is in', () => {
    const laid = over('sub>away', 'sub/ sub/.git/ sub/.git/HEAD=a sub/x=1', 'sub/ sub/.git/ sub/.git/HEAD=b sub/x=1')
    expect(shown(laid)).toBe('sub/ sub/.git/ sub/.git/HEAD=b sub~>away')
  })

  test('of a submodule is separate', () => {
    const laid = over('.git/ .git/HEAD=run sub/ sub/.git=one', '.git/ .git/HEAD=a sub/ sub/.git=one', '.git/ .git/HEAD=a sub/ sub/.git=two')
    expect(shown(laid)).toBe('.git/ .git/HEAD=run sub/ sub/.git=two')
  })
})

describe('what a slot has written itself, and the next upload has too because it was delivered', () => {
  const LATER = '1793000000000000000'
  const later = (entries: Entry[]): Entry[] => entries.map((entry) => ({ ...entry, mtime: LATER }))
  /** Paths that the next run does not take for what the slot was given. */
  const own = (snapshot: Entry[], before: string, sent: Entry[]): string[] => {
    const given = treeOf(sent)
    return withOwnTimes(snapshot, treeOf(tree(before)), given).flatMap((entry) => {
      return isWritten(entry, given.get(entry.path)) ? [entry.path] : []
    })
  }

  test('stays its own, whatever time the upload has', () => {
    for (const sent of [tree('code=1 new=run old=run'), later(tree('code=1 new=run old=run'))])
      expect(own(tree('code=1 new=run old=run'), 'code=1 old=1', sent)).toEqual(['new', 'old'])
  })

  test('stays its own if the former upload had the same', () => {
    const snapshot = [...tree('code=1'), ...later(tree('old=1'))]
    expect(own(snapshot, 'code=1 old=1', later(tree('code=1 old=1')))).toEqual(['old'])
  })

  test('never includes what the slot has left alone, also if the upload has older times; with later ones, the snapshot keeps its own', () => {
    const [snapshot, sent] = [later(tree('in=1')), tree('in=1')]
    expect(own(snapshot, 'in=1', sent)).toEqual(['in'])
    expect(withOwnTimes(snapshot, treeOf(snapshot), treeOf(sent))).toEqual(sent)
    expect(withOwnTimes(sent, treeOf(sent), treeOf(snapshot))).toEqual(sent)
  })

  test('takes neither mode nor content of what is uploaded', () => {
    const snapshot = [...tree('tool=1').map((entry) => ({ ...entry, mode: 0o755 })), ...tree('w=orig')]
    for (const sent of [tree('tool=1 w=new'), later(tree('tool=1 w=new'))])
      expect(withOwnTimes(snapshot, treeOf(tree('tool=1 w=orig')), treeOf(sent))).toEqual(snapshot)
  })

  test('is copied with everything that it had; all else stays the same object', () => {
    const snapshot = tree('d/ code=1 link>run new=run')
    const kept = withOwnTimes(snapshot, treeOf(tree('code=1')), treeOf(tree('d/ code=1 link>run new=other')))
    expect(kept).toEqual(snapshot.map((entry) => (entry.type === 'link' ? { ...entry, mtime: '1000001' } : entry)))
    expect(kept[3]).toBe(snapshot[3])
  })
})
