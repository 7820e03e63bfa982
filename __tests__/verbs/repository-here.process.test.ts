/** The origin of a run that is started on a laptop. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { originHere, repositoryOf } from '../../src/verbs/shared/repository-here.ts'
import { worldPer } from '../setup/world-per.ts'

const folder = mkdtempSync(join(tmpdir(), 'tpi-origin-'))
const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
const git = (...words: string[]): string => spawnSync('git', words, { cwd: folder, env, encoding: 'utf8' }).stdout.trim()
const owner = { key: 'ann@box', origin: { user: 'ann@box' } }
const w = worldPer('file')

beforeAll(() => {
  mkdirSync(join(folder, 'sub'))
  git('init', '-q', '-b', 'main')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('without a commit it is only the user; with one, also commit, branch and address, without a password', async () => {
  expect(await originHere({ owner, env }, folder)).toEqual(owner.origin)
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x')
  git('remote', 'add', 'origin', 'https://ann:canary@git.example.com/group/name.git')
  const commit = git('rev-parse', 'HEAD')
  const here = { user: 'ann@box', commit, ref: 'refs/heads/main', repository: 'git.example.com/group/name' }
  expect(await originHere({ owner, env }, join(folder, 'sub'))).toEqual(here)
  expect(await originHere({ owner, env }, undefined)).toEqual(owner.origin)
  const ci = { key: 'x/y', origin: { run: '1', commit: 'of the job' } }
  expect(await originHere({ owner: ci, env }, folder)).toEqual(ci.origin)
})

test.each([
  ['git@github.com:octo/repo.git', 'github.com/octo/repo'],
  ['ssh://git@host:2222/octo/repo', 'host:2222/octo/repo'],
  ['https://token@host/octo/repo/', 'host/octo/repo'],
  ['/srv/git/repo.git', undefined],
  ['../other', undefined],
  ['file:///srv/repo', undefined],
])('%s', (remote, repository) => {
  expect(repositoryOf(remote)).toBe(repository)
})

test('the script finds it in its environment', async () => {
  spawnSync('git', ['init', '-q', w.work], { env })
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'], { cwd: w.work, env })
  spawnSync('git', ['remote', 'add', 'origin', 'https://github.com/octo/hello.git'], { cwd: w.work, env })
  const ran = await w.tpi([
    'task',
    '--name',
    'origin',
    '--script',
    'echo "of $TPI_COMMIT at $TPI_REF in $TPI_REPOSITORY"; git rev-parse HEAD',
  ])
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: w.work, env, encoding: 'utf8' }).stdout.trim()
  expect(ran.host.scriptText()).toMatch(new RegExp(`^of ${commit} at refs/heads/\\S+ in github\\.com/octo/hello$`, 'm'))
})
