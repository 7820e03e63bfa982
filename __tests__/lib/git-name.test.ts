import { describe, expect, test } from '@jest/globals'
import { gitFolderOf, isBelowGit } from '../../src/lib/git-name.ts'

describe("a repository's own folder", () => {
  test.each([
    '.git',
    '.git/config',
    'a/.git/hooks/pre-commit',
    'sub/.git',
    '.GIT/config',
    'a/.GiT',
    'git~1/hooks/x',
    'GIT~1',
    '.git./config',
    '.git /config',
    '.git. . /x',
    '.git::$INDEX_ALLOCATION/config',
    '.git:x',
    '.git\\config',
    'a\\.git\\hooks\\x',
    '.g\u200cit/config',
    '.gi\ufefft',
    '\u00ad.git/x',
    '.\uff47\uff49\uff54/x',
  ])('%j', (path) => expect(isBelowGit(path)).toBe(true))

  test.each([
    'git',
    '.gitignore',
    '.github/workflows/x.yml',
    '.gitattributes',
    'x.git/config',
    '.git~',
    'git~',
    'git~2',
    'legit/.gi/t',
    'é/x',
    'n\udcff',
  ])('is not %j', (path) => expect(isBelowGit(path)).toBe(false))
})

describe('the Git folder of a path', () => {
  test.each([
    ['.git', '.git'],
    ['.git/config', '.git'],
    ['a/b/.git/refs/heads/main', 'a/b/.git'],
    ['.git/modules/sub/.git/x', '.git'],
    // A bare repository beside it has no such name.
    ['x.git/.git/hooks/.git/y', 'x.git/.git'],
    // Or its configuration would be uploaded as it is, with its credentials.
    ['two\nlines/.git/config', 'two\nlines/.git'],
  ])('%j: %j', (path, git) => expect(gitFolderOf(path)).toBe(git))

  test.each(['', 'git', 'x.git/config', '.gitignore', 'a/.git\n', '.GIT/config'])('%j: none', (path) =>
    expect(gitFolderOf(path)).toBeUndefined(),
  )
})
