/** Comments on pull and merge requests, at forges that behave as documented. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { doublePerTest } from '../forges/github-at.ts'
import type { GithubDouble } from '../lab/github/double.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { OWN } from '../lab/gitlab/notes.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')
const said = (ran: Awaited<ReturnType<typeof w.tpi>>): string => ran.host.lines.join('\n')

describe('GitHub', () => {
  let double: GithubDouble
  doublePerTest((own) => {
    double = own
  })
  const env = (more: Record<string, string> = {}) => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: double.url,
    GITHUB_REPOSITORY: 'octo/hello',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_TOKEN: 'good',
    ...more,
  })
  const bodies = (): readonly string[] => double.comments.all.map(({ body }) => body)

  test('one comment per name, changed in place, found behind a hundred others', async () => {
    for (let at = 0; at < 130; at++) double.comments.add(7, `word ${at}`, 'ann', 'User', 'NONE')
    await w.write('report.md', '# 81 %\n')
    const made = await w.tpi('comment report.md --json', { env: env() })
    expect(made.facts).toMatchObject({ how: 'made', title: 'pull request 7 of octo/hello', url: expect.stringContaining('#issuecomment-') })
    await w.write('report.md', '# 83 %\n')
    expect((await w.tpi('comment report.md --json', { env: env() })).facts).toMatchObject({ how: 'changed', url: made.facts.url })
    expect((await w.tpi('comment report.md --name other', { env: env() })).code).toBe(0)
    expect(bodies().slice(130)).toEqual(['<!-- tpi: report -->\n# 83 %\n', '<!-- tpi: other -->\n# 83 %\n'])
  })

  test('a stranger’s comment that looks like tpi’s is not changed', async () => {
    const forged = double.comments.add(7, '<!-- tpi: report -->\nforged', 'eve', 'User', 'NONE')
    await w.write('report.md', 'true')
    expect((await w.tpi('comment report.md', { env: env() })).code).toBe(0)
    expect(forged.body).toBe('<!-- tpi: report -->\nforged')
    expect(bodies()).toContain('<!-- tpi: report -->\ntrue')
  })

  test('pictures are only named, since no call accepts a file, and text that is too long is cut', async () => {
    await w.write('report.md', `![loss](loss.png) ![far](https://x.example/a.png)\n${'x'.repeat(70_000)}`)
    await w.write('loss.png', 'png')
    const ran = await w.tpi('comment report.md', { env: env() })
    expect(said(ran)).toContain('picture "loss.png" is not shown: the API of the forge takes no pictures')
    expect(bodies()[0]).toMatch(
      /^<!-- tpi: report -->\n\*\(picture: loss\)\* !\[far\]\(https:\/\/x\.example\/a\.png\)\nx+\n\n\*\(cut here: too long for a comment\)\*$/,
    )
    expect(bodies()[0]).toHaveLength(65_536)
  })

  test('a character of two halves is not cut in the middle', async () => {
    await w.write('report.md', '😀'.repeat(33_000))
    for (const odd of ['a', 'ab']) expect((await w.tpi(`comment report.md --name ${odd}`, { env: env() })).code).toBe(0)
    expect(bodies().map((body) => [body.isWellFormed(), body.length >= 65_535])).toEqual([
      [true, true],
      [true, true],
    ])
  })

  test.each([
    [{ GITHUB_REF: 'refs/heads/main' }, 64, /pull-request: this job does not belong to a pull or merge request/],
    [{ GITHUB_TOKEN: 'reader' }, 77, /could not comment on pull request 7: .* needs "Pull requests: write"/],
    [{ GITHUB_TOKEN: '' }, 77, /no token was given to comment with/],
  ])('%j is an error that says what to do', async (more, code, message) => {
    await w.write('report.md', 'x')
    const ran = await w.tpi('comment report.md', { env: env(more) })
    expect(ran.code).toBe(code)
    expect(ran.host.annotations.at(-1)?.message).toMatch(message)
    expect(bodies()).toEqual([])
  })

  test('a file that does not exist, and an explicit number', async () => {
    expect((await w.tpi('comment none.md', { env: env() })).host.annotations.at(-1)?.message).toMatch(/file: "none.md" does not exist/)
    await w.write('report.md', 'x')
    expect((await w.tpi('comment report.md --pull-request 9', { env: env({ GITHUB_REF: 'refs/heads/main' }) })).code).toBe(0)
    expect(double.comments.all).toMatchObject([{ number: 9 }])
  })
})

describe('GitLab', () => {
  let double: GitlabDouble
  beforeEach(async () => {
    double = await new GitlabDouble().start()
  })
  afterEach(() => double.stop())
  const env = (more: Record<string, string> = {}) => ({
    GITLAB_CI: 'true',
    CI_SERVER_URL: double.url,
    CI_PROJECT_PATH: 'octo/hello',
    CI_PIPELINE_ID: '1',
    CI_JOB_NAME: 'train',
    CI_MERGE_REQUEST_IID: '3',
    REPO_TOKEN: 'api',
    ...more,
  })

  test('one note per name, changed in place, and never that of another author', async () => {
    double.notes.add(3, '<!-- tpi: report -->\nforged', 13)
    await w.write('report.md', 'one')
    expect((await w.tpi('comment report.md --json', { env: env() })).facts).toMatchObject({
      how: 'made',
      url: expect.stringMatching(/\/octo\/hello\/-\/merge_requests\/3#note_\d+$/),
    })
    await w.write('report.md', 'two')
    expect((await w.tpi('comment report.md --json', { env: env() })).facts).toMatchObject({ how: 'changed' })
    expect(double.notes.all).toMatchObject([{ body: '<!-- tpi: report -->\nforged' }, { body: '<!-- tpi: report -->\ntwo', author: OWN }])
  })

  test('a line that GitLab would carry out is only text, whether the note is made or changed; a path stays as it is', async () => {
    const text = '/merge\n/approve \n/LABEL ~bug\n```\n/close\n```\n/unloc\u212a\n/usr/bin/python3 x\n1 /close'
    const body = '\\/merge\n\\/approve \n\\/LABEL ~bug\n```\n\\/close\n```\n\\/unloc\u212a\n/usr/bin/python3 x\n1 /close'
    for (const how of ['made', 'changed']) {
      await w.write('report.md', `${text}\n${how}`)
      expect((await w.tpi('comment report.md --json', { env: env() })).facts).toMatchObject({ how })
      expect(double.notes).toMatchObject({ actions: [], all: [{ body: `<!-- tpi: report -->\n${body}\n${how}` }] })
    }
  })

  test("a fork's pipeline comments on the merge request, which is in the project that it was made for", async () => {
    await w.write('report.md', 'one')
    const fork = env({ CI_PROJECT_PATH: 'ann/hello', CI_MERGE_REQUEST_PROJECT_PATH: 'octo/hello' })
    const url = expect.stringContaining('/octo/hello/-/merge_requests/3#note_')
    expect((await w.tpi('comment report.md --json', { env: fork })).facts).toMatchObject({ url })
    expect(double.seen.map(({ path }) => path).filter((path) => path.includes('notes'))).toEqual([
      expect.stringContaining('/projects/octo%2Fhello/'),
      expect.stringContaining('/projects/octo%2Fhello/'),
    ])
  })

  test('pictures are uploaded, once each, only from below the folder of the file', async () => {
    await writeFile(join(w.home, '../secret.png'), 'secret')
    await mkdir(join(w.work, 'out/deep'), { recursive: true })
    await w.write('out/deep/loss curve.png', 'picture')
    await symlink('../../secret.png', join(w.work, 'out/link.png'))
    await w.write('out/.env', 'secret')
    await symlink('.env', join(w.work, 'out/near.png'))
    await w.write('out/.git/kept.png', 'secret')
    await w.write(
      'out/report.md',
      '![a](deep/loss%20curve.png) ![b](deep/loss%20curve.png) ![c](../../secret.png) ![d](link.png) ![e](notes.txt) ![f](near.png) ![g](.git/kept.png)',
    )
    const ran = await w.tpi('comment out/report.md', { env: env() })
    expect(ran.code).toBe(0)
    expect(double.notes.uploads).toEqual([{ name: 'loss%20curve.png', bytes: 7 }])
    expect(double.notes.all[0]?.body).toMatch(
      /^<!-- tpi: report -->\n!\[a\]\((\/uploads\/\S+)\) !\[b\]\(\1\) \*\(picture: c\)\* \*\(picture: d\)\* !\[e\]\(notes\.txt\) \*\(picture: f\)\* \*\(picture: g\)\*$/,
    )
    expect(said(ran)).toMatch(/picture "link.png" is not shown: it is not a regular file among the results or next to the text/)
  })

  test('a token that may not write notes is told what it needs', async () => {
    await w.write('report.md', 'x')
    const ran = await w.tpi('comment report.md', { env: env({ REPO_TOKEN: 'reader' }) })
    expect([ran.code, ran.host.annotations.at(-1)?.message]).toEqual([77, expect.stringMatching(/needs the scope "api"/)])
  })
})
