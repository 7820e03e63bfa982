/** `comment: true`: a run reports on its pull request. */
import { expect, test } from '@jest/globals'
import { GithubDouble } from '../lab/github/double.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

test('the result and the program’s summary, updated by the next run; without the right to comment the outcome stays the same', async () => {
  const double = await new GithubDouble().start()
  try {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'octo/hello', GITHUB_REF: 'refs/pull/7/merge' }
    const task = (script: string, token: string) =>
      w.tpi(['task', '--name', 'fit', '--workdir', 'none', '--comment', '--script', script], {
        env: { ...env, GITHUB_TOKEN: token, GITHUB_RUN_ID: '1', GITHUB_JOB: 'a' },
      })
    expect((await task('echo "## accuracy 81 %" >> "$TPI_SUMMARY"', 'good')).code).toBe(0)
    expect(double.comments.all.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^<!-- tpi: fit -->\n### ✅ fit: success\n\nexit code 0 · .* on local · cost: none: .*\n\n## accuracy 81 %$/),
    ])
    expect((await task('echo boom; exit 3', 'good')).code).toBe(3)
    expect(double.comments.all.map(({ body }) => body)).toEqual([expect.stringMatching(/fit: script-failed\n\nexit code 3 [^]*boom/)])
    expect((await w.tpi('destroy fit', { env: { ...env, GITHUB_RUN_ID: '1', GITHUB_JOB: 'a' } })).code).toBe(0)
    const refused = await task('true', 'reader')
    expect(refused.code).toBe(0)
    expect(refused.host.lines.join('\n')).toMatch(/warn: comment: not made: GitHub: could not comment on pull request 7/)
    expect([double.comments.all.length, double.breaches]).toEqual([1, []])
  } finally {
    await double.stop()
  }
})

test('pictures are only those that the run delivered: no link to a private file, and nothing else in the folder', async () => {
  const double = await new GitlabDouble().start()
  try {
    await w.write('p/.env', 'KEY=private')
    await w.write('p/mine.png', 'mine')
    const script = [
      'mkdir r; printf drawn > r/loss.png; ln -s ../.env r/env.png',
      'echo "![a](r/loss.png) ![b](r/env.png) ![c](mine.png)" >> "$TPI_SUMMARY"',
    ].join('\n')
    const env = {
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${double.url}/api/v4`,
      CI_SERVER_URL: double.url,
      CI_PROJECT_PATH: 'octo/hello',
      CI_PROJECT_ID: '7',
      CI_MERGE_REQUEST_IID: '3',
      REPO_TOKEN: 'api',
    }
    const ran = await w.tpi(['task', '--name', 'fit', '--workdir', 'p', '--output', 'r', '--comment', '--script', script], { env })
    expect(ran.code).toBe(0)
    expect(double.notes.uploads).toEqual([{ name: 'loss.png', bytes: 5 }])
    expect(double.notes.all[0]?.body).toMatch(/!\[a\]\(\/uploads\/\S+\) \*\(picture: b\)\* \*\(picture: c\)\*$/)
  } finally {
    await double.stop()
  }
})
