/** Runners for a GitHub App: its installation is found, and its tokens are valid for an hour and have no more rights than needed. */
import { describe, expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import type { Forge } from '../../src/core/forge.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'
import { until } from '../setup/wait.ts'
import { type Ran } from '../setup/world.ts'
import { onGithub } from './stages.ts'

const ALL = { administration: 'write', actions: 'write', metadata: 'read' }
const at = onGithub()

async function tpi(words: string, key: string): Promise<Ran> {
  return at.w.tpi(`${words} --app-id Iv1.abc --json`, { env: { GITHUB_API_URL: at.forge.url, TPI_APP_KEY: key } })
}

const minting = (): number => at.forge.calls('POST', /access_tokens$/).length

describe('an App', () => {
  test('registers, serves and removes with tokens for only this repository, one per command, which are never stored', async () => {
    const key = at.forge.apps.create('Iv1.abc', ['/repos/octo/hello'], ALL)
    const { code, facts, host } = await tpi('runner --name r --repository octo/hello --jobs 3', key)
    expect({ code, facts }).toMatchObject({ code: 0, facts: { outcome: 'running' } })
    expect(at.forge.apps.minted).toMatchObject([{ permissions: { administration: 'write', actions: 'write' }, repositories: ['hello'] }])
    const run = at.forge.push([{ labels: facts.runsOn, script: 'echo served' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success', 30_000)
    const { token } = at.forge.apps.minted[0] ?? never()
    expect(await at.w.filesWith(token)).toEqual([])
    expect(await at.w.filesWith(key.split('\n')[1] ?? '')).toEqual([])
    expect(host.lines.join('\n')).not.toContain(token)
    expect((await tpi('destroy r --discard', key)).code).toBe(0)
    expect([at.forge.runners.size, minting()]).toEqual([0, 2])
  })

  test('of an organization requests only the rights to its runners', async () => {
    const key = at.forge.apps.create('Iv1.abc', ['/orgs/octo'], { organization_self_hosted_runners: 'write', metadata: 'read' })
    expect((await tpi('runner --name r --organization octo --idle-timeout never', key)).code).toBe(0)
    expect(at.forge.apps.minted).toMatchObject([{ permissions: { organization_self_hosted_runners: 'write' }, repositories: undefined }])
    expect((await tpi('destroy r --discard', key)).code).toBe(0)
    expect(at.forge.runners.size).toBe(0)
  })

  test.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['--repository octo/hello', '/repos/octo/hello', { administration: 'write' }],
    ['--organization octo', '/orgs/octo', { organization_self_hosted_runners: 'write' }],
  ])('of %s that may also run jobs again requests that right, and uses it', async (target, owner, register) => {
    const key = at.forge.apps.create('Iv1.abc', [owner], { ...register, actions: 'write', metadata: 'read' })
    const { code, facts } = await tpi(`runner --name r ${target} --retry 2 --idle-timeout never`, key)
    expect(code).toBe(0)
    const run = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
    const slot = async () => (await at.w.tpi('status r --json')).facts.slots[0]
    await until('the job is on record', async () => (await slot()).jobs?.length === 1, 30_000)
    expect((await at.w.tpi('interrupt r')).code).toBe(0)
    await until('the slot is closed', async () => (await slot()).state === 'failed', 30_000)
    expect(run.jobs[0]).toMatchObject({ conclusion: 'failure' })
    const again = await tpi('retry r', key)
    expect(again.facts).toMatchObject([{ runs: [{ how: 'rerun' }] }])
    for (const { permissions } of at.forge.apps.minted) expect(permissions).toEqual({ ...register, actions: 'write' })
    expect((await tpi('destroy r --discard', key)).code).toBe(0)
  })

  test('that may only register does that', async () => {
    const key = at.forge.apps.create('Iv1.abc', ['/repos/octo/hello'], { administration: 'write', metadata: 'read' })
    expect((await tpi('runner --name r --repository octo/hello --idle-timeout never', key)).code).toBe(0)
    expect(at.forge.apps.minted).toMatchObject([{ permissions: { administration: 'write' } }])
    expect((await tpi('destroy r --discard', key)).code).toBe(0)
  })

  test('whose token is refused during many registrations gets one new token for all of them', async () => {
    const key = at.forge.apps.create('Iv1.abc', ['/repos/octo/hello'], ALL)
    at.forge.gate = async (name, act) => {
      if (name.endsWith('generate-jitconfig') && at.forge.runners.size === 0 && minting() === 1) at.forge.apps.revoke()
      return act()
    }
    expect((await tpi('runner --name r --repository octo/hello --jobs 12 --idle-timeout never', key)).code).toBe(0)
    expect([at.forge.runners.size, minting()]).toEqual([12, 2])
    await tpi('destroy r --discard', key)
  })

  test('whose token cannot be fetched for a moment requests it again', async () => {
    const key = at.forge.apps.create('Iv1.abc', ['/repos/octo/hello'], ALL)
    at.forge.faults.push({ path: /access_tokens$/, status: 502, times: 1 }, { path: /installation$/, status: 503, times: 1 })
    expect((await tpi('runner --name r --repository octo/hello --idle-timeout never', key)).code).toBe(0)
    await tpi('destroy r --discard', key)
  })

  test.each<readonly [string, (() => string) | undefined, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    [
      'a key of another App',
      () => new GithubDouble().apps.create('Iv1.abc', [], ALL),
      ['/repos/octo/hello'],
      ALL,
      /HTTP 401.*check app-id, the private key/,
    ],
    ['a key that is none', () => 'no key', ['/repos/octo/hello'], ALL, /private key of the App cannot be read/],
    ['no installation there', undefined, ['/repos/octo/other'], ALL, /HTTP 404.*install the App/],
    [
      'too few permissions',
      undefined,
      ['/repos/octo/hello'],
      { metadata: 'read', actions: 'write' },
      /may not register runners of this repository.*"Administration: write"/,
    ],
  ])('with %s: one clear error, and nothing is created', async (_, wrong, owners, permissions, says) => {
    const own = at.forge.apps.create('Iv1.abc', owners, permissions)
    const ran = await tpi('runner --name r --repository octo/hello', wrong?.() ?? own)
    expect(ran.code).toBe(77)
    expect(`${ran.facts.error} (${ran.facts.hint})`).toMatch(says)
    expect(ran.host.annotations.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect([at.forge.runners.size, at.forge.apps.minted.length]).toEqual([0, 0])
    expect(await at.w.remains()).toEqual([])
  })
})

describe('time', () => {
  const openAt = async (start: Date): Promise<{ forge: Forge; clock: ReturnType<typeof fakeClock> }> => {
    const key = at.forge.apps.create('1', ['/repos/octo/hello'], ALL)
    const clock = fakeClock(start.toISOString(), { auto: true })
    const { open } = await github.load()
    const env = { GITHUB_API_URL: at.forge.url, GITHUB_REPOSITORY: 'octo/hello' }
    return { clock, forge: await open({ env, log: silent, clock, signal: new AbortController().signal, mask() {}, app: { id: '1', key } }) }
  }

  test('a token is replaced shortly before it expires, and not earlier', async () => {
    const { forge: opened, clock } = await openAt(new Date())
    await opened.whoami()
    clock.jump(50 * 60_000)
    await opened.runners('tpi-')
    expect(minting()).toBe(1)
    clock.jump(9 * 60_000 + 30_000)
    // The request for the next token fails, because the clock of this host is far ahead by now.
    await expect(opened.runners('tpi-')).rejects.toThrow(AuthError)
    expect(at.forge.calls('GET', /installation$/).map(({ status }) => status)).toEqual([200, 401])
  })

  test.each([
    [-4 * 60_000, true],
    [30_000, true],
    [5 * 60_000, false],
  ])('a clock that is %d ms ahead', async (ahead, fine) => {
    const { forge: opened } = await openAt(new Date(Date.now() + ahead))
    const outcome = opened.whoami()
    if (fine) await expect(outcome).resolves.toMatchObject({ name: 'App 1 for repository octo/hello' })
    else await expect(outcome).rejects.toMatchObject({ hint: expect.stringContaining('the clock of this host') })
  })
})

function never(): never {
  throw new Error('there is none')
}
