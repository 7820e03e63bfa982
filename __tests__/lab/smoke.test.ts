/**
 * All checks that only the real services can answer, run against their doubles: each must see what it assumes, and all of them, run twice, must leave
 * nothing.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { type Service, tryAll } from '../../scripts/smoke/check.ts'
import { githubService } from '../../scripts/smoke/github/service.ts'
import { gitlabService } from '../../scripts/smoke/gitlab/service.ts'
import { Api } from '../../scripts/smoke/http.ts'
import { sampled, sampledPart } from '../storm/random.ts'
import { GithubDouble } from './github/double.ts'
import { GitlabDouble } from './gitlab/double.ts'
import { judged, settings } from './smoke-kit.ts'

jest.setTimeout(900_000)

test.concurrent.each(sampled(Object.entries({ GitHub: github, GitLab: gitlab })))('%s', async (_name, checks) => checks())

/** Runs the checks twice at one forge that others use too: afterwards it is as before, even if a limit was met meanwhile. */
async function twice<Place>(service: Service<Place>, env: Readonly<Record<string, string>>, inventory: () => unknown): Promise<void> {
  const before = inventory()
  const checks = sampledPart(service.checks, 2).map(({ id }) => id)
  for (const turn of ['first', 'second']) {
    judged(await tryAll(service, settings(env), checks, () => undefined))
    expect({ turn, left: inventory() }).toEqual({ turn, left: before })
  }
}

async function github(): Promise<void> {
  const forge = await new GithubDouble().start()
  Object.assign(forge, { requeue: 1000, lock: 3000 })
  forge.groups.set(7, 'gpu builders')
  const permissions = { administration: 'write', actions: 'write' }
  forge.push([{ labels: ['elsewhere'], script: 'true' }])
  forge.pushes.branches.set('main', 'a'.repeat(40))
  const others = { name: "somebody-else's", runner_group_id: 1, labels: ['elsewhere-too'] }
  const there = new Api(forge.url, { authorization: 'Bearer good' })
  await there.call('POST', '/repos/octo/hello/actions/runners/generate-jitconfig', { body: others })
  try {
    const env = {
      SMOKE_GITHUB_API: forge.url,
      SMOKE_GITHUB_REPOSITORY: 'octo/hello',
      SMOKE_GITHUB_TOKEN: 'good',
      SMOKE_GITHUB_ORGANIZATION: 'octo',
      SMOKE_GITHUB_GROUP: 'gpu builders',
      SMOKE_GITHUB_APP_ID: '1',
      SMOKE_GITHUB_APP_KEY: forge.apps.create('1', ['/repos/octo/hello'], permissions),
      SMOKE_GITHUB_SERVER: forge.url,
      SMOKE_GITHUB_SERVER_REPOSITORY: 'octo/hello',
      SMOKE_GITHUB_SERVER_TOKEN: 'good',
      SMOKE_RUNNER_ENV: 'NODE_USE_ENV_PROXY=1',
    }
    await twice(githubService({ idle: 10, hold: 3, outage: 12, notice: 30, again: 4, patience: 240 }), env, () => ({
      runners: [...forge.runners.keys()],
      runs: [...forge.runs.keys()],
      branches: [...forge.pushes.branches.keys()],
      // The double knows no calls for secrets, so any such call would show here.
      secrets: forge.calls(undefined, /secrets|variables/),
    }))
    expect(forge.breaches).toEqual([])
  } finally {
    await forge.stop()
  }
}

async function gitlab(): Promise<void> {
  const forge = await new GitlabDouble().start()
  forge.runners.make({ description: "somebody else's", tags: ['elsewhere'], projects: ['octo/hello'] })
  forge.branches.names.add('main')
  try {
    const env = {
      SMOKE_GITLAB_SERVER: forge.url,
      SMOKE_GITLAB_PROJECT: 'octo/hello',
      SMOKE_GITLAB_TOKEN: 'api',
      SMOKE_GITLAB_LEAST_TOKEN: 'good',
      SMOKE_GITLAB_DOWNLOADS: `${forge.url}/downloads`,
    }
    await twice(gitlabService({ managers: 2, patience: 240 }), env, () => ({
      runners: [...forge.runners.keys()],
      pipelines: forge.branches.pipelines,
      branches: [...forge.branches.names],
      secrets: forge.seen.filter(({ path }) => /variables/.test(path)),
    }))
    expect(forge.breaches).toEqual([])
  } finally {
    await forge.stop()
  }
}

test('differences are reported, and mistakes before anything is made', async () => {
  const forge = await new GitlabDouble().start()
  const env = { SMOKE_GITLAB_SERVER: forge.url, SMOKE_GITLAB_PROJECT: 'octo/hello', SMOKE_GITLAB_DOWNLOADS: `${forge.url}/downloads` }
  const service = gitlabService({ managers: 2, patience: 60 })
  try {
    await expect(tryAll(service, settings(env), [], () => undefined)).rejects.toThrow('SMOKE_GITLAB_TOKEN is not set: token with')
    const good = settings({ ...env, SMOKE_GITLAB_TOKEN: 'api' })
    await expect(tryAll(service, good, ['one'], () => undefined)).rejects.toThrow('no check "one" of GitLab; there are: one-job, managers')
    expect(forge.seen).toEqual([])
    forge.version = '18.9'
    const [one] = await tryAll(service, good, ['interrupted'], () => undefined)
    expect(one).toMatchObject({ how: 'as assumed', sights: [{}, { value: 'unknown_failure' }] })
    forge.faults.push({ method: 'GET', path: /\/trace$/, status: 500, times: 1 })
    const [other] = await tryAll(service, good, ['one-job'], () => undefined)
    expect(other).toMatchObject({
      how: 'differs',
      sights: [{ holds: true }, { holds: false, value: expect.stringMatching(/trace: HTTP 500/) }],
    })
    expect([forge.runners.size, forge.branches.names.size]).toEqual([0, 0])
  } finally {
    await forge.stop()
  }
})

test('without a service it lists the services, and what each needs to know', () => {
  const program = join(import.meta.dirname, '../../scripts/smoke.ts')
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', env: {} })
  expect([status, stderr]).toEqual([
    64,
    expect.stringMatching(/github {2}\(GitHub\)\n {2}SMOKE_GITHUB_REPOSITORY: OWNER.*\n[\s\S]*checks: one-job, managers/),
  ])
})
