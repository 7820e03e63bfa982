/** Where runners can belong at GitHub, and their names there. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'
import { onGithub } from './stages.ts'

const at = onGithub()
const runners = () => [...at.forge.runners.values()]
const tpi = async (words: string, env: Readonly<Record<string, string>> = { GITHUB_API_URL: at.forge.url }) =>
  at.w.tpi(`${words} --json`, { env: { REPO_TOKEN: 'good', ...env } })

test('a group of an organization, by its name; one that does not exist is reported before anything is made', async () => {
  at.forge.groups.set(7, 'gpu builders')
  const launched = await at.w.tpi(
    ['runner', '--name', 'r', '--organization', 'octo', '--runner-group', 'gpu builders', '--idle-timeout', '1m'],
    {
      env: { REPO_TOKEN: 'good', GITHUB_API_URL: at.forge.url },
    },
  )
  expect(launched.code).toBe(0)
  expect(runners()).toMatchObject([{ group: 7, online: true }])
  await tpi('destroy r --discard')
  at.forge.publicGroups.add(7)
  const strangers = ['--organization', 'octo', '--runner-group', 'gpu builders']
  const several = await at.w.tpi(['runner', '--name', 'r', ...strangers, '--jobs', '2', '--json'], {
    env: { REPO_TOKEN: 'good', GITHUB_API_URL: at.forge.url },
  })
  expect(several).toMatchObject({
    code: 64,
    facts: {
      error: expect.stringMatching(/^jobs: runner group "gpu builders" of organization octo .* serves public repositories, so each/),
    },
  })
  const looked = await at.w.tpi(['doctor', 'github', ...strangers, '--json'], { env: { REPO_TOKEN: 'good', GITHUB_API_URL: at.forge.url } })
  expect(looked.facts.checks).toContainEqual({
    what: 'audience',
    state: 'warning',
    says: expect.stringMatching(/serves public repositories: anyone who proposes a change there may get it run/),
  })
  const wrong = await tpi('runner --name r --organization octo --runner-group other')
  expect([wrong.code, wrong.facts.error]).toEqual([
    64,
    expect.stringContaining('there is no group "other" (there are: Default, gpu builders)'),
  ])
  const alone = await tpi('runner --name r --repository octo/hello --runner-group other')
  expect([alone.code, alone.facts.error]).toEqual([64, expect.stringContaining('only organizations and enterprises have groups')])
  expect([runners(), (await tpi('list')).facts]).toEqual([[], []])
})

test('an enterprise: its runners serve, by group, and are removed; an App is refused before anything is made', async () => {
  at.forge.groups.set(7, 'gpu builders')
  const request = (more: readonly string[]) => ['runner', '--name', 'r', '--enterprise', 'acme', '--idle-timeout', '1m', '--json', ...more]
  const env = { REPO_TOKEN: 'good', GITHUB_API_URL: at.forge.url }
  const { code, facts } = await at.w.tpi(request(['--labels', 'gpu', '--runner-group', 'gpu builders', '--jobs', '2']), { env })
  expect(code).toBe(0)
  expect(runners()).toMatchObject([{ group: 7 }, { group: 7 }])
  const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
  await until('the job is served', () => run.jobs[0]?.conclusion === 'success')
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(runners()).toEqual([])
  const asked = at.forge.calls().map(({ path }) => path)
  expect(asked.filter((path) => !/^\/enterprises\/acme\/actions\/runner|^\/repos\/actions\/runner\/releases\//.test(path))).toEqual([])

  const app = { GITHUB_API_URL: at.forge.url, TPI_APP_ID: '1', TPI_APP_KEY: 'key' }
  const refused = await at.w.tpi(request([]), { env: app })
  expect([refused.code, refused.facts.error]).toEqual([64, expect.stringContaining('an App cannot register runners of an enterprise')])
  const poor = await at.w.tpi(request([]), { env: { ...env, REPO_TOKEN: 'reader' } })
  expect([poor.code, poor.facts.error]).toEqual([77, expect.stringContaining('the scope "manage_runners:enterprise" (classic token)')])
  expect([runners(), (await tpi('list')).facts]).toEqual([[], []])
})

test('an Enterprise Server, recognized by its address alone', async () => {
  const server = `--forge github --forge-url ${at.forge.url}`
  const { code, facts } = await tpi(`runner --name r ${server} --repository octo/hello --labels gpu --idle-timeout 1m`, {})
  expect([code, runners().map(({ online }) => online)]).toEqual([0, [true]])
  const run = at.forge.push([{ labels: facts.runsOn, script: 'true' }])
  await at.w.tpi('logs r --follow')
  expect(run.jobs).toMatchObject([{ conclusion: 'success' }])
  expect((await tpi(`destroy r --discard --forge-url ${at.forge.url}`, {})).code).toBe(0)
  expect(at.forge.calls().length).toBeGreaterThan(3)
})

test('a self-hosted forge is found again from the home that started the runners, and nothing stays there', async () => {
  const server = `--forge github --forge-url ${at.forge.url}`
  expect((await tpi(`runner --name r ${server} --repository octo/hello --idle-timeout 10m`, {})).code).toBe(0)
  expect(runners()).toHaveLength(1)
  const gone = await tpi('destroy r --discard', {})
  expect([gone.code, runners()]).toEqual([0, []])
  expect(gone.host.lines.join('\n')).toContain('1 registration removed')
  expect(readdirSync(join(at.w.home, 'deployments'))).toEqual([])
})

test('a token is not sent to a host that only the record of the runners names', async () => {
  const elsewhere = await new GithubDouble().start()
  try {
    expect((await tpi('runner --name r --repository octo/hello --idle-timeout 1m')).code).toBe(0)
    const [mine] = runners()
    // A job on the machine can do this to the store.
    const store = await openStore({ url: `dir://${join(at.w.home, 'store')}` })
    for await (const { key } of store.list('tpi-')) {
      const text = Buffer.from((await store.read(key))?.bytes ?? []).toString()
      if (/\/(?:current|spec)\.json$/.test(key)) await store.write(key, Buffer.from(text.replaceAll(at.forge.url, elsewhere.url)))
    }
    const retried = await tpi('retry r')
    expect([retried.code, retried.facts.error]).toEqual([76, expect.stringContaining('its machines could have written that')])
    const stopped = await tpi('stop r')
    expect(stopped.host.lines.join('\n')).toContain('r: its registrations were not removed: the record of r says where its runners')
    expect(elsewhere.calls()).toEqual([])
    expect(runners()).toEqual([mine])
    // Nor if the command names that host for some other runners.
    expect((await tpi(`destroy r --discard --forge-url ${elsewhere.url}`)).code).toBe(0)
    expect(elsewhere.calls()).toEqual([])
  } finally {
    await elsewhere.stop()
  }
})

test('from another computer, a token is sent to the start’s host only if the command names it, too', async () => {
  const elsewhere = await new GithubDouble().start()
  try {
    expect((await tpi(`runner --name r --repository octo/hello --idle-timeout 1m --forge-url ${elsewhere.url}/api/v3`)).code).toBe(0)
    rmSync(join(at.w.home, 'deployments'), { recursive: true })
    const before = elsewhere.calls().length
    const [retried, stopped] = [await tpi('retry r'), await tpi('stop r')]
    expect([retried.code, JSON.stringify(retried.facts)]).toEqual([64, expect.stringContaining(`forge-url: ${elsewhere.url}`)])
    expect(stopped.host.lines.join('\n')).toContain('sends no token elsewhere (if that is your forge, give `forge-url: ')
    expect(elsewhere.calls()).toHaveLength(before)
    expect((await tpi(`destroy r --discard --forge-url ${elsewhere.url}/api/v3`)).code).toBe(0)
    expect(elsewhere.runners.size).toBe(0)
  } finally {
    await elsewhere.stop()
  }
})

test('a retry of runners that only their store knows affects no others', async () => {
  for (const name of ['r', 's']) expect((await tpi(`runner --name ${name} --repository octo/hello --idle-timeout 1m`)).code).toBe(0)
  const { facts } = await tpi('status s')
  // Its group is gone, but its record is not removed yet.
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    clouds: async () =>
      (await context.clouds()).map(({ id, cloud }) => {
        const list = async () => (await cloud.list()).filter(({ tags }) => tags.name !== 's')
        const get = (target: Cloud, key: keyof Cloud): unknown => {
          const own = target[key]
          if (key === 'list') return list
          return typeof own === 'function' ? own.bind(target) : own
        }
        return { id, cloud: new Proxy(cloud, { get: (target, key) => get(target, key as keyof Cloud) }) }
      }),
  })
  const env = { REPO_TOKEN: 'good', GITHUB_API_URL: at.forge.url }
  const ran = await at.w.tpi(`retry ${facts.id} --json`, { env, given })
  expect([ran.code, ran.facts.error]).toEqual([76, expect.stringMatching(/^the record of s says .* could have written that themselves/)])
  for (const name of ['r', 's']) await tpi(`destroy ${name} --discard`)
})

test('the labels that a manual setup would add, or only the requested ones', async () => {
  const request = '--repository octo/hello --labels gpu,big --idle-timeout 1m'
  expect((await tpi(`runner --name r ${request}`)).code).toBe(0)
  expect(runners()[0]?.labels.slice(1)).toEqual(['gpu', 'big', 'self-hosted', 'Linux', process.arch === 'x64' ? 'X64' : 'ARM64'])
  await tpi('destroy r --discard')
  expect((await tpi(`runner --name r ${request} --default-labels false`)).code).toBe(0)
  expect(runners()[0]?.labels).toEqual([expect.stringMatching(/^tpi-[0-9a-f]{16}$/), 'gpu', 'big'])
  await tpi('destroy r --discard')
})
