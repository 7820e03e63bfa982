import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { describeTree } from '../../../src/snapshot/save/describe.ts'
import { contentFingerprint, contentIdentity } from '../../../src/task/workdir/content-identity.ts'
import { reportLines } from '../../../src/task/workdir/report.ts'
import { workdirConcern } from '../../../src/task/workdir/unlikely-folder.ts'
import { asOrdinaryUser } from '../../setup/ordinary.ts'
import { env, TestFolder } from './folder.ts'

let folder: TestFolder
beforeEach(() => {
  folder = new TestFolder()
})
afterEach(() => folder.remove())

/** Files for every kind of rule. */
const messy = {
  '.gitignore': '*.log\n/build/\n!keep.log\n',
  'sub/.gitignore': 'local\n',
  'a.py': 'print()',
  'run.log': 'x',
  'keep.log': 'x',
  'build/out.bin': 'x',
  'sub/local': 'x',
  'sub/other': 'x',
  'sub/deep/local/file': 'x',
}
const unignored = ['.gitignore', 'a.py', 'keep.log', 'sub', 'sub/.gitignore', 'sub/deep', 'sub/other']

describe('rules of Git', () => {
  test('in a repository are those of Git itself', async () => {
    folder.write(messy).git('init', '-q')
    expect(await folder.sent()).toEqual(unignored)
  })

  test('are the same without a repository, and without Git', async () => {
    folder.write(messy)
    expect(await folder.sent()).toEqual(unignored)
    folder.git('init', '-q')
    expect(await folder.sent({ env: { ...env, PATH: '/nonexistent' } })).toEqual(unignored)
  })

  test('tracked files are uploaded although a rule names them; info/exclude and core.excludesFile count', async () => {
    folder.write({ ...messy, 'mine.txt': 'x', 'theirs.txt': 'x', '.git-global': 'theirs.txt\n.git-global\n' }).git('init', '-q')
    folder.git('add', '-f', 'build/out.bin')
    folder.git('config', 'core.excludesFile', `${folder.path}/.git-global`)
    writeFileSync(`${folder.path}/.git/info/exclude`, 'mine.txt\n')
    expect(await folder.sent()).toEqual([...unignored.slice(0, 2), 'build', 'build/out.bin', ...unignored.slice(2)])
  })

  test('count for files that Git knows by another case, where the disk takes both for the same', async () => {
    folder.write({ ...messy, 'src/A.py': 'x', 'Lib/b': 'x' }).git('init', '-q')
    folder.git('config', 'core.ignorecase', 'true')
    folder.git('add', '.')
    for (const [from, to] of [
      ['src', 'Src'],
      ['a.py', 'A.py'],
    ] as const)
      renameSync(`${folder.path}/${from}`, `${folder.path}/${to}`)
    folder.write({ 'BUILD/out': 'x' })
    expect([...(await folder.sent())].sort()).toEqual(
      ['Lib', 'Lib/b', 'Src', 'Src/A.py', 'A.py', ...unignored.filter((path) => path !== 'a.py')].sort(),
    )
  })

  test('of a repository around a folder that it ignores do not count', async () => {
    folder.write({ '.gitignore': 'scratch/\n', 'scratch/a': 'x', 'scratch/.gitignore': '*.o\n', 'scratch/b.o': 'x' }).git('init', '-q')
    const inner = await folder.select({ folder: `${folder.path}/scratch` })
    expect(['a', 'b.o', '.gitignore'].map((path) => inner.select(path, false))).toEqual([true, false, true])
  })

  test('in nested repositories count by themselves, checked out or not', async () => {
    const other = new TestFolder().write({ '.gitignore': '*.tmp\n', code: 'x' })
    other.git('init', '-q')
    other.git('add', '.')
    other.git('commit', '-qm', 'x')
    folder.write({ '.gitignore': '*.log\n', 'clone/.gitignore': '*.o\n', 'clone/x.o': 'x', 'clone/x.c': 'x' }).git('init', '-q')
    folder.git('submodule', 'add', other.path, 'module')
    folder.git('submodule', 'add', other.path, 'empty')
    folder.git('submodule', 'deinit', '-f', 'empty')
    folder.git('-C', 'clone', 'init', '-q')
    folder.write({ 'module/x.tmp': 'x', 'module/new': 'x' })
    other.remove()
    expect(await folder.sent()).toEqual([
      '.gitignore',
      '.gitmodules',
      'clone',
      'clone/.gitignore',
      'clone/x.c',
      'empty',
      'module',
      'module/.gitignore',
      'module/code',
      'module/new',
    ])
  })

  test('odd names survive the calls to Git', async () => {
    folder.write({ '.gitignore': '*.x\n', 'ünï cødé': '', 'new\nline': '', 'a\tb.x': '', '"quoted"': '' }).git('init', '-q')
    const odd = Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.of(0xff, 0xfe)])
    writeFileSync(odd, '')
    expect([...(await folder.sent())].sort()).toEqual(['.gitignore', '"quoted"', 'new\nline', 'ünï cødé', '\udcff\udcfe'].sort())
  })

  test('empty folders are uploaded unless a rule names them', async () => {
    folder.write({ '.gitignore': 'cache/\n' }).git('init', '-q')
    mkdirSync(`${folder.path}/cache`)
    mkdirSync(`${folder.path}/logs/today`, { recursive: true })
    expect(await folder.sent()).toEqual(['.gitignore', 'logs', 'logs/today'])
  })
})

describe('what is uploaded whatever the rules say', () => {
  test('outputs of DVC, and what matches output; exclude removes anything', async () => {
    folder
      .write({
        '.gitignore': 'data\nmodel.pkl\nresults/\nraw.csv\nplots/\n',
        'data/a/1.png': 'x',
        'data.dvc': 'outs:\n- md5: 1\n  path: data\n',
        'model.pkl': 'x',
        'metrics/.gitignore': 'm.json\n',
        'metrics/m.json': 'x',
        'dvc.yaml':
          'stages:\n  train:\n    cmd: x\n    wdir: metrics\n    outs:\n    - ../model.pkl\n    - ../plots: {cache: false}\n    metrics:\n    - m.json\n    - ../../outside\n    - ${templated}\n',
        'plots/p.svg': 'x',
        'results/best.pt': 'x',
        'raw.csv': 'x',
        'broken.dvc': ': [',
      })
      .git('init', '-q')
    const sent = await folder.sent({ output: ['results/**'], exclude: ['*.svg', 'plots', 'dvc.yaml'] })
    expect(sent).toEqual([
      '.gitignore',
      'broken.dvc',
      'data',
      'data/a',
      'data/a/1.png',
      'data.dvc',
      'metrics',
      'metrics/.gitignore',
      'metrics/m.json',
      'model.pkl',
      'results',
      'results/best.pt',
    ])
  })
})

describe('.tpiignore', () => {
  test('decides alone, also in folders below', async () => {
    folder
      .write({
        ...messy,
        '.tpiignore': '*.py\n/sub/*\n!/sub/deep\n',
        'sub/deep/.tpiignore': '!x.py\n',
        'sub/deep/x.py': 'x',
        'tracked.py': 'x',
      })
      .git('init', '-q')
    folder.git('add', '-f', 'tracked.py')
    expect(await folder.sent()).toEqual([
      '.gitignore',
      '.tpiignore',
      'build',
      'build/out.bin',
      'keep.log',
      'run.log',
      'sub',
      'sub/deep',
      'sub/deep/.tpiignore',
      'sub/deep/local',
      'sub/deep/local/file',
      'sub/deep/x.py',
    ])
  })
})

describe('rules that cannot be read', () => {
  test('are an error that names the file, because what they leave out would be uploaded', async () => {
    folder.write({ '.tpiignore': 'keys\n', keys: 'x' })
    chmodSync(`${folder.path}/.tpiignore`, 0)
    await asOrdinaryUser([folder.path], async () => {
      await expect(folder.sent()).rejects.toThrow(`could not read "${folder.path}/.tpiignore": EACCES`)
    })
  })

  test('a folder with the name of the file is no rule', async () => {
    folder.write({ ...messy, '.tpiignore/x': '' }).git('init', '-q')
    expect(await folder.sent()).not.toContain('run.log')
  })
})

describe('report', () => {
  test('counts what is uploaded, and names the largest ignored path with its rule and the remedy', async () => {
    folder.write({ '.gitignore': 'node_modules\n', 'node_modules/a/b.js': '', 'node_modules/c.js': Buffer.alloc(1000) })
    folder
      .write({ 'big.bin': Buffer.alloc(3000), 'src/x': Buffer.alloc(500), 'src/y': Buffer.alloc(400), 'notes.txt': Buffer.alloc(900) })
      .git('init', '-q')
    truncateSync(`${folder.path}/node_modules/a/b.js`, 90_000_000)
    const { report } = await folder.select({ exclude: ['notes.txt'] })
    expect(report).toMatchObject({ files: 4, bytes: 3913, warnings: [] })
    expect(report.largest).toEqual([
      { path: 'big.bin', isFolder: false, files: 1, bytes: 3000 },
      { path: 'src', isFolder: true, files: 2, bytes: 900 },
      { path: '.gitignore', isFolder: false, files: 1, bytes: 13 },
    ])
    expect(report.leftOut).toEqual([
      {
        path: 'node_modules',
        isFolder: true,
        files: 2,
        bytes: 90_001_000,
        rule: '.gitignore: node_modules',
        remedy: expect.stringContaining('.tpiignore'),
      },
      expect.objectContaining({ path: '.git', isFolder: true, rule: 'option git: false' }),
      { path: 'notes.txt', isFolder: false, files: 1, bytes: 900, rule: 'option exclude', remedy: 'take it out of exclude to send it' },
    ])
    expect([report.moreSent, report.moreLeftOut]).toEqual([0, 0])
    expect(reportLines(report).join('\n')).toMatch(/4 files, 3\.9 kB\n {2}big\.bin 3 kB\n {2}src\/ 900 B in 2 files\n.*\n {2}not sent: /)
  })

  test('counts what is not among the five largest', async () => {
    for (const name of ['1', '2', '3', '4', '5', '6']) folder.write({ [name]: name, [`${name}~`]: name })
    const { report } = await folder.select({ exclude: ['*~'] })
    expect([report.largest.length, report.moreSent, report.leftOut.length, report.moreLeftOut]).toEqual([5, 1, 5, 1])
  })

  test('neither sends nor counts what this user cannot read, and names it', async () => {
    folder.write({ a: 'x', 'closed/b': 'x', 'listed/c': 'x', locked: 'xx', mine: 'x', '.gitignore': 'old\n', old: 'x' })
    for (const [name, mode] of [
      ['closed', 0o000],
      // Without the right to enter it, its names can be read, and nothing else.
      ['listed', 0o644],
      ['locked', 0o000],
      ['old', 0o000],
      ['mine', 0o600],
    ] as const) {
      chmodSync(`${folder.path}/${name}`, mode)
    }
    for (const name of ['mine', 'locked']) if (process.geteuid?.() === 0) chownSync(`${folder.path}/${name}`, 65_534, 65_534)
    await asOrdinaryUser([folder.path], async () => {
      const { report, paths } = await folder.select()
      expect(paths).toEqual(['.gitignore', 'a', 'listed', 'mine'])
      expect(report).toMatchObject({ files: 3, warnings: ['not sent because this user cannot read them: "closed", "listed/c", "locked"'] })
      expect(report.leftOut.map(({ path }) => path)).toEqual(['old'])
    })
  })

  test('says what is neither file nor folder nor link, and shows odd names on one line', async () => {
    folder.write({ 'two\nlines\u001b[2J': 'x' })
    execFileSync('mkfifo', [`${folder.path}/pipe`, `${folder.path}/other`])
    const { report } = await folder.select({ exclude: ['other'] })
    expect(report.notices).toEqual(['not sent because they are sockets, pipes, devices or views of the kernel: "pipe"'])
    expect(reportLines(report)).toEqual(['work directory: 1 file, 1 B', '  two\\u000alines\\u001b[2J 1 B'])
  })

  test('names links to what is not uploaded, but not those to what is, to the system, or to nothing', async () => {
    folder.write({ '.gitignore': 'cache\n', 'cache/md5': 'x', 'sub/file': 'x' })
    const links = { data: folder.path, 'sub/cached': '../cache/md5', out: '..', 'sub/up': '..', 'sub/by': 'again/file', again: 'sub' }
    const fine = { shell: '/bin/sh', gone: '/home/nobody/gone', lost: 'nothing', 'sub/again': '.' }
    for (const [name, target] of Object.entries({ ...links, ...fine })) symlinkSync(target, `${folder.path}/${name}`)
    const { report } = await folder.select()
    expect(report.notices).toEqual(['what these links lead to is not uploaded, and may not be on the machine: "data", "out", "sub/cached"'])
  })

  test('counts pointers of Git LFS', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`
    folder.write({
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a.bin': pointer,
      'sub/b.bin': pointer,
      'c.bin': 'real',
    })
    expect((await folder.select()).report.warnings).toEqual([expect.stringContaining('2 files are Git LFS pointers')])
    // The attribute may be set in the surrounding repository.
    expect((await folder.select({ folder: `${folder.path}/sub` })).report.warnings).toEqual([
      expect.stringContaining('1 file is a Git LFS pointer'),
    ])
  })
})

describe('folders that need confirmation', () => {
  test('the root and the home folder are not even scanned', async () => {
    expect(await folder.select({ folder: '/' })).toMatchObject({ needsYes: expect.stringContaining('"/"'), report: { files: 0 } })
    const home = { ...env, HOME: folder.path }
    expect(await folder.select({ env: home })).toMatchObject({ needsYes: expect.stringContaining('home folder') })
    expect((await folder.select({ env: home, yes: true })).needsYes).toBeUndefined()
    expect(workdirConcern(`${folder.path}/..`, home)).toContain('contains the home folder')
    expect(workdirConcern(folder.path, env)).toBeUndefined()
  })
})

test('the fingerprint follows content, names and modes, not times and not Git folders', async () => {
  folder.write({ a: '1', 'b/c': '2' }).git('init', '-q')
  const everything = { select: () => true, overlay: new Map<string, Uint8Array>() }
  const before = await contentFingerprint(folder.path, everything)
  expect(contentIdentity(await describeTree({ folder: folder.path }))).toBe(before)
  folder.write({ a: '1' }).git('add', '.')
  expect(await contentFingerprint(folder.path, everything)).toBe(before)
  expect(await contentFingerprint(folder.path, { ...everything, overlay: new Map([['a', Buffer.from('2')]]) })).not.toBe(before)
  truncateSync(`${folder.path}/b/c`, 0)
  expect(await contentFingerprint(folder.path, everything)).not.toBe(before)
})

test('the user’s own credentials and tpi’s records are never uploaded, whatever the rules say', async () => {
  folder.write({ 'a.py': 'x', 'gha-creds-1.json': 'x', '.tpi/store/x': 'x', 'sub/kube': 'x', '.tpiignore': '!*\n' })
  const stays = new Map([
    [`${folder.path}/gha-creds-1.json`, 'a credential, named by GOOGLE_APPLICATION_CREDENTIALS'],
    [`${folder.path}/.tpi`, 'TPI_HOME'],
    ['/elsewhere/kube', 'a credential'],
  ])
  const output = ['**/*.json']
  expect(await folder.sent({ stays, output })).toEqual(['.tpiignore', 'a.py', 'sub', 'sub/kube'])
  const { report } = await folder.select({ stays, output })
  expect(report.notices).toEqual([
    '".tpi" stays here: TPI_HOME',
    '"gha-creds-1.json" stays here: a credential, named by GOOGLE_APPLICATION_CREDENTIALS',
  ])
})

test('downloads of results that were cut off are never uploaded, wherever they are', async () => {
  const left = '.tpi-incoming-000000000000-1.000000000000-x'
  folder.write({ a: 'x', [`${left}/0/b`]: 'half', [`sub/${left}/0/c`]: 'half', 'sub/d': 'x', '.tpiignore': '!*\n' })
  const output = ['**']
  expect(await folder.sent({ output })).toEqual(['.tpiignore', 'a', 'sub', 'sub/d'])
  const { report } = await folder.select({ output })
  expect(report.notices).toEqual([
    `"${left}" stays here: results that did not arrive completely`,
    `"sub/${left}" stays here: results that did not arrive completely`,
  ])
})
