/** The arguments of GitHub's own setup program if machines register themselves, and what the double makes of them. */
import { expect, test } from '@jest/globals'
import type { Forge, RunnerRequest, RunnerTarget } from '../../src/core/forge.ts'
import { pageOf, targetOf } from '../../src/forges/github/target.ts'
import type { GithubDouble } from '../lab/github/double.ts'
import { doublePerTest, openAt } from './github-at.ts'
import { runnerRequest } from './runner-request.ts'

let double: GithubDouble
doublePerTest((own) => {
  double = own
})

const request = (more: Partial<RunnerRequest> = {}): RunnerRequest =>
  runnerRequest({ labels: ['tpi-unique', 'gpu'], jobs: null, idle: 60, deadline: '2030-01-01T00:00:00.000Z', ...more })

/** Options and values that the machine is told, without the token. */
async function reported(
  forge: Forge,
  more: Partial<RunnerRequest> = {},
): Promise<{ readonly argv: readonly string[]; readonly token: string }> {
  const { program, credentials } = await forge.enroll(request(more))
  const [token = ''] = credentials.map(({ value }) => value)
  const argv = program.registration?.argv ?? []
  expect(argv.join(' ')).not.toContain(token)
  return { argv, token }
}

test.each<[string, Partial<RunnerTarget>, string]>([
  ['https://api.github.com', {}, 'https://github.com/octo/hello'],
  ['https://api.tenant.ghe.com', {}, 'https://tenant.ghe.com/octo/hello'],
  ['https://git.example.com:8443/api/v3', {}, 'https://git.example.com:8443/octo/hello'],
  ['https://api.corp.example/api/v3', {}, 'https://api.corp.example/octo/hello'],
  ['https://api.github.com', { kind: 'organization', name: 'octo' }, 'https://github.com/octo'],
  ['https://api.github.com', { kind: 'enterprise', name: 'big corp' }, 'https://github.com/enterprises/big%20corp'],
])('the page to register at, of the API %s: %j', (url, more, page) => {
  expect(pageOf(targetOf({ env: {}, url, target: { kind: 'repository', name: 'octo/hello', ...more } }))).toBe(page)
})

test('only its own labels; it updates itself unless its version is fixed', async () => {
  const forge = await openAt(double)
  const { argv } = await reported(forge)
  expect(argv.join(' ')).toBe(
    `config.sh --unattended --replace --url ${double.url}/octo/hello --name {name} --labels tpi-unique,gpu --no-default-labels --work _work`,
  )
  expect((await reported(forge, { version: '2.336.0' })).argv).toContain('--disableupdate')
})

test('a group by its name, which must exist; none for a repository', async () => {
  double.groups.set(7, 'gpu machines')
  const forge = await openAt(double, { target: { kind: 'organization', name: 'octo' } })
  expect((await reported(forge, { group: 'gpu machines' })).argv.slice(-2)).toEqual(['--runnergroup', 'gpu machines'])
  await expect(reported(forge, { group: 'none' })).rejects.toThrow(/^runner-group: there is no group "none"/)
  await expect(reported(await openAt(double), { group: 'gpu machines' })).rejects.toThrow(/^runner-group: only organizations/)
})

test('a group of GitHub’s own machines is refused before any machine exists, naming the others; for a good one, the trial leaves nothing', async () => {
  double.groups.set(7, 'gpu machines').set(8, 'larger runners')
  double.hosted.add(8)
  const forge = await openAt(double, { target: { kind: 'organization', name: 'octo' } })
  await expect(reported(forge, { group: 'larger runners' })).rejects.toMatchObject({
    message: expect.stringMatching(/^runner-group: GitHub accepts no self-hosted runner in the group "larger runners"/),
    hint: expect.stringContaining('choose another: Default, gpu machines'),
  })
  await reported(forge, { group: 'gpu machines' })
  expect([double.runners.size, double.calls('DELETE').length]).toEqual([0, 1])
})

test('a token is valid for its own place, for any number of machines, for an hour', async () => {
  const { token } = await reported(await openAt(double))
  const sign = (name: string, page = 'octo/hello', replace = true): number =>
    double.signUp({ token, url: `${double.url}/${page}`, name, labels: ['gpu'], replace }).status
  expect([sign('a'), sign('b'), sign('c', 'octo/other'), sign('a', 'octo/hello', false), sign('a')]).toEqual([200, 200, 404, 409, 200])
  expect([...double.runners.values()].map(({ name, lasting }) => [name, lasting])).toEqual([
    ['a', true],
    ['b', true],
  ])
  double.registrations.life = 0
  const late = await reported(await openAt(double))
  expect(double.signUp({ ...request(), token: late.token, url: `${double.url}/octo/hello`, name: 'd', replace: true }).status).toBe(404)
})

test('a token that may not register is reported as with any other launch', async () => {
  await expect(reported(await openAt(double, { token: 'reader' }))).rejects.toThrow(/Administration: write/)
  expect(double.registrations.tokens).toEqual([])
})
