import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { restore } from '../../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../../src/snapshot/save/save.ts'
import { parseConfig, scrubConfig } from '../../../src/task/workdir/git-config.ts'
import { scrubUrls } from '../../../src/task/workdir/urls.ts'
import { asOrdinaryUser } from '../../setup/ordinary.ts'
import { memoryStore } from '../../snapshot/memory-store.ts'
import { env, TestFolder } from './folder.ts'

const SECRET = 'canary-8f2a'

let folder: TestFolder
beforeEach(() => {
  folder = new TestFolder()
})
afterEach(() => folder.remove())

describe('configuration of Git', () => {
  test('is read as Git reads it', () => {
    const text =
      '; note\n[core]\n\tbare = false # no\n[remote "a \\"b\\" \\\\"] url = "x;y" \\\n  z \n[branch.Main]\n\tflag\n\ttext = a\\tb\\n"  "  \n'
    folder.write({ config: text })
    const listed = execFileSync('git', ['config', '--file', `${folder.path}/config`, '--list', '-z'], { env, encoding: 'utf8' })
    const ours = parseConfig(text).map(
      ({ section, subsection, key, value }) =>
        `${section.toLowerCase()}.${subsection === undefined ? '' : `${subsection}.`}${key.toLowerCase()}${key === 'flag' ? '' : `\n${value}`}\0`,
    )
    expect(ours.join('')).toBe(listed)
  })

  test('keeps what works, without credentials, helpers, hooks and includes', () => {
    const scrubbed = scrubConfig(
      `[core]\n\trepositoryformatversion = 0\n\thooksPath = /x/${SECRET}\n\tsshCommand = ssh -i ${SECRET}\n\tfsmonitor = ${SECRET}\n` +
        `[remote "origin"]\n\turl = https://user:${SECRET}@github.com/o/r.git\n\tpushurl = ssh://git:${SECRET}@host/r\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n` +
        `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${SECRET}\n[http]\n\tproxy = http://me:${SECRET}@proxy:80\n\tcookieFile = ${SECRET}\n` +
        `[url "https://x-token:${SECRET}@github.com/"]\n\tinsteadOf = https://github.com/\n[credential]\n\thelper = store --file ${SECRET}\n` +
        `[includeIf "gitdir:/x/.git"]\n\tpath = /tmp/${SECRET}\n[include]\n\tpath = ${SECRET}\n[submodule "m"]\n\turl = https://${SECRET}@h/m\n[lfs]\n\turl = https://h/x?token=${SECRET}\n`,
    )
    expect(scrubbed).not.toContain(SECRET)
    expect(parseConfig(scrubbed).map(({ section, key, value }) => `${section} ${key} ${value}`)).toEqual([
      'core repositoryformatversion 0',
      'remote url https://github.com/o/r.git',
      'remote pushurl ssh://git@host/r',
      'remote fetch +refs/heads/*:refs/remotes/origin/*',
      'http proxy http://proxy:80',
      'url insteadOf https://github.com/',
      'submodule url https://h/m',
      'lfs url https://h/x?token=',
    ])
  })

  test('URLs lose credentials, other text does not change', () => {
    expect(scrubUrls('clone: from https://a:b@c@host/x and git@host:y, mail a@b.c')).toBe(
      'clone: from https://host/x and git@host:y, mail a@b.c',
    )
  })
})

describe('.git', () => {
  function repository(): void {
    const other = new TestFolder().write({ code: 'x' })
    other.git('init', '-q')
    other.git('add', '.')
    other.git('commit', '-qm', 'x')
    folder.write({ 'a.txt': 'hello' }).git('init', '-q')
    folder.git('submodule', 'add', other.path, 'module')
    other.remove()
    folder.git('add', '.')
    folder.git('commit', '-qm', 'first')
    folder.git('branch', 'config')
    folder.git('branch', 'hooks/credentials')
    folder.git('remote', 'add', 'origin', `https://u:${SECRET}@example.org/r.git`)
    folder.git('config', 'http.https://example.org/.extraheader', `AUTHORIZATION: ${SECRET}`)
    folder.git('-C', 'module', 'remote', 'set-url', 'origin', `https://${SECRET}@example.org/m.git`)
    folder.write({
      '.git/hooks/pre-commit': `#!/bin/sh\n# ${SECRET}`,
      '.git/FETCH_HEAD': `1\t\tbranch 'x' of https://${SECRET}@example.org/r\n`,
      '.git/.git-credentials': SECRET,
      '.git/modules/src/objects/config': `[remote "origin"]\n\turl = https://${SECRET}@example.org/o.git\n`,
      // Of git-annex and git-crypt.
      ...Object.fromEntries(
        ['.git', '.git/modules/module', '.git/modules/logs/refs/x', '.git/modules/src/objects'].flatMap((git) =>
          ['annex/creds/3f1c', 'annex/creds/p2pauth', 'annex/ssh/config', 'annex/url', 'annex/webapp.html', 'git-crypt/keys/default']
            .concat(['annex/key.pem', 'annex/privkey.pem', 'git-crypt/keys/files/team'])
            .map((path) => [`${git}/${path}`, SECRET]),
        ),
      ),
    })
    writeFileSync(
      `${folder.path}/.git/logs/HEAD`,
      `${readFileSync(`${folder.path}/.git/logs/HEAD`, 'utf8')}x clone: from https://u:${SECRET}@example.org\n`,
    )
  }

  test('arrives as a working repository without anything secret', async () => {
    repository()
    const { select, overlay, report } = await folder.select({ git: 'auto' })
    const store = memoryStore()
    const place = { store, root: 'i/n/', at: 'base/', warn: () => undefined }
    const saved = await (await openSaver({ ...place, folder: folder.path, select, overlay })).save({})
    const target = new TestFolder()
    try {
      await restore({ ...place, refs: [{ ...saved!.ref, epoch: 0 }], folder: `${target.path}/w` })
      expect(() => execFileSync('grep', ['-ra', SECRET, `${target.path}/w`])).toThrow()
      target.git('-C', 'w', 'fsck', '--strict')
      expect(target.git('-C', 'w', 'status', '--porcelain')).toBe('')
      expect(target.git('-C', 'w', 'branch', '--format=%(refname:short)').split('\n').slice(0, 2)).toEqual(['config', 'hooks/credentials'])
      expect(target.git('-C', 'w', 'remote', 'get-url', 'origin')).toBe('https://example.org/r.git\n')
      expect(target.git('-C', 'w/module', 'log', '--format=%s')).toBe('x\n')
      expect(report.notices).toEqual([])
    } finally {
      target.remove()
    }
  })

  test('keeps what git-annex has there besides credentials, and branches of any name', async () => {
    const kept = ['.git/annex/objects/Xk/creds/key.pem', '.git/annex/index', '.git/annex/journal/creds', '.git/refs/heads/git-crypt/keys']
    folder.write({ 'a.txt': 'hello' }).git('init', '-q')
    folder.write(Object.fromEntries(kept.map((path) => [path, 'x'])))
    expect(await folder.sent({ git: 'auto' })).toEqual(expect.arrayContaining(kept))
  })

  test('is uploaded without what cannot be read, such as what Git has written as root', async () => {
    folder.write({ 'a.txt': 'hello' }).git('init', '-q')
    folder.write({ '.git/FETCH_HEAD': 'x', 'sub/.git': 'gitdir: ../.git/modules/sub' })
    for (const path of ['.git/FETCH_HEAD', 'sub/.git']) chmodSync(`${folder.path}/${path}`, 0)
    const { select, report } = await asOrdinaryUser([folder.path], async () => folder.select({ git: 'auto' }))
    expect([select('.git/FETCH_HEAD', false), select('.git/HEAD', false)]).toEqual([false, true])
    expect(report.notices).toEqual(['not sent because it cannot be read: ".git/FETCH_HEAD", "sub/.git"'])
  })

  test('is not uploaded if it is not wanted, too large, or only a pointer', async () => {
    repository()
    expect((await folder.sent({ git: false })).filter((path) => path.includes('.git/'))).toEqual([])
    expect((await folder.sent({ git: 'auto', exclude: ['.git'] })).filter((path) => path.startsWith('.git/'))).toEqual([])
    execFileSync('truncate', ['-s', '201M', `${folder.path}/.git/objects/huge`])
    const large = await folder.select({ git: 'auto' })
    expect(large.select('.git', true)).toBe(false)
    expect(large.report.leftOut[0]).toMatchObject({
      path: '.git',
      rule: expect.stringContaining('200 MB'),
      remedy: expect.stringContaining('git to true'),
    })
    expect((await folder.select({ git: true })).select('.git/HEAD', false)).toBe(true)
    folder.git('worktree', 'add', '-q', 'tree')
    const tree = await folder.select({ folder: `${folder.path}/tree`, git: 'auto' })
    expect(tree.select('.git', false)).toBe(false)
    expect(tree.select('a.txt', false)).toBe(true)
    expect(tree.report.notices).toEqual([expect.stringContaining('only points to a Git folder elsewhere')])
  })
})
