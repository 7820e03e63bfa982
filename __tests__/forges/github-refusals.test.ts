/** What it means when GitHub accepts no runner: told apart by status and other facts, never by message texts. */
import { describe, expect, test } from '@jest/globals'
import { AuthError, InputError } from '../../src/core/errors.ts'
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import type { GithubDouble } from '../lab/github/double.ts'
import { doublePerTest, openAt } from './github-at.ts'
import { runnerRequest } from './runner-request.ts'

const REPOSITORY = { kind: 'repository', name: 'octo/hello' } as const
const ORGANIZATION = { kind: 'organization', name: 'octo' } as const

let double: GithubDouble
doublePerTest((own) => {
  double = own
})

async function open(target: NonNullable<ForgeContext['target']>, token = 'good'): Promise<Forge> {
  return openAt(double, { target, token })
}

/** The error of a rejected promise. */
async function fault(act: Promise<unknown>): Promise<{ is: unknown; message: string; hint: string | undefined }> {
  const error = await act.then(
    () => new Error('nothing went wrong'),
    (reason: unknown) => reason as Error,
  )
  return { is: error.constructor, message: error.message, hint: (error as InputError).hint }
}

test.each([
  ['true', 'in a workflow', /workflows that a fork or Dependabot has triggered get no secrets/],
  ['', 'on a laptop', /App \(app-id and app-key\)$/],
])('without a token (GITHUB_ACTIONS=%j, %s), the error says where one comes from', async (actions, _where, hint) => {
  const env = { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'octo/hello', GITHUB_ACTIONS: actions }
  expect(await fault(openAt(double, { env, token: '' }))).toMatchObject({ is: AuthError, hint: expect.stringMatching(hint) })
})

test('there is a warning for registrations that GitHub may remove before they are used, after a day', async () => {
  const forge = await open(REPOSITORY)
  const warnings = async (jobs: number | null, hours: number) => (await forge.whoami({ jobs, timeout: hours * 3600 })).warnings
  expect([await warnings(1, 48), await warnings(null, 48), await warnings(5, 24), (await forge.whoami()).warnings]).toEqual([
    [],
    [],
    [],
    [],
  ])
  expect(await warnings(5, 48)).toEqual([expect.stringContaining('of the 5 registrations of each machine GitHub forgets those')])
})

describe('403: an organization decides which of its repositories may have runners', () => {
  test.each([
    ['none of them', { enabled: 'none' }],
    ['some, and not this one', { enabled: 'selected', selected: Array.from({ length: 120 }, (_, at) => `octo/other-${at}`) }],
  ] as const)('%s: reported before anything is registered, and also during that', async (_, policy) => {
    double.policy = policy
    const forge = await open(REPOSITORY)
    const expected = {
      is: InputError,
      message: 'repository: organization "octo" does not allow self-hosted runners of octo/hello',
      hint: 'register for the organization: `organization: octo`',
    }
    expect(await fault(forge.whoami())).toEqual(expected)
    expect(await fault(forge.enroll(runnerRequest()))).toEqual(expected)
    expect(await (await open(ORGANIZATION)).whoami()).not.toHaveProperty('open')
  })

  test('selected ones, including this one in any spelling: then it is the token', async () => {
    double.policy = { enabled: 'selected', selected: [...Array.from({ length: 120 }, (_, at) => `octo/other-${at}`), 'octo/hello'] }
    const forge = await open({ ...REPOSITORY, name: 'Octo/Hello' })
    double.faults.push({ path: /registration-token$/, status: 403, times: 1 })
    expect(await fault(forge.whoami())).toMatchObject({ is: AuthError, message: expect.stringContaining('"Administration: write"') })
  })

  test('if the policy cannot be read, the token’s missing permission is named', async () => {
    double.policy = { enabled: 'none', secret: true }
    expect(await fault((await open(REPOSITORY)).whoami())).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Administration: write"'),
    })
  })
})

describe('a group of runners', () => {
  test("403: a group of GitHub's own machines accepts no others, which is not the token's fault", async () => {
    double.groups.set(2, 'larger').set(3, 'ours')
    double.hosted.add(2)
    const forge = await open(ORGANIZATION)
    expect(await fault(forge.enroll(runnerRequest({ group: 'larger' })))).toEqual({
      is: InputError,
      message: 'runner-group: GitHub accepts no self-hosted runner in the group "larger" (HTTP 403)',
      hint: 'a group for GitHub-hosted machines accepts none; choose another: Default, ours',
    })
    expect((await forge.enroll(runnerRequest({ group: 'ours' }))).enrolled).toHaveLength(1)
  })

  test('403 for a token that may not register at all: its permission is named, not the group', async () => {
    double.groups.set(2, 'larger')
    double.faults.push({ path: /generate-jitconfig$/, status: 403, times: 1 }, { path: /registration-token$/, status: 403, times: 1 })
    expect(await fault((await open(ORGANIZATION)).enroll(runnerRequest({ group: 'larger' })))).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Self-hosted runners: write"'),
    })
  })

  test('a group that does not exist is named in the error, before anything is registered', async () => {
    double.groups.set(2, 'larger')
    expect(await fault((await open(ORGANIZATION)).enroll(runnerRequest({ group: 'largest' })))).toEqual({
      is: InputError,
      message: 'runner-group: there is no group "largest"',
      hint: 'there are: Default, larger',
    })
    expect(double.calls('POST')).toEqual([])
  })
})

describe('a group whose runners would not get the jobs', () => {
  const GROUP = (name: string): string => `runner group "${name}" of organization octo at ${new URL(double.url).host}`
  test.each([
    ['octo/hello', ['other'], 1],
    ['octo/hello', ['hello'], 0],
    ['octo/hello', undefined, 0],
    ['acme/hello', ['other'], 0],
    ['', ['other'], 0],
  ])('in a job of %j, a group for %j', async (here, selected, warnings) => {
    double.groups.set(7, 'builders')
    if (selected) double.selectedGroups.set(7, selected)
    const forge = await openAt(double, { target: ORGANIZATION, env: { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: here } })
    const says = `${GROUP('builders')} does not serve ${here}: jobs of this repository wait until the group's settings include it`
    expect((await forge.whoami({ group: 'builders' })).warnings).toEqual(warnings === 1 ? [says] : [])
    expect((await forge.whoami()).warnings).toEqual([])
  })

  test.each([
    [undefined, 1],
    ['octo/hello/.github/workflows/train.yml@refs/heads/next', 1],
    ['octo/hello/.github/workflows/train.yml@refs/heads/main', 0],
  ])('one for some workflows: which ones, unless this job is of one of them (%j)', async (GITHUB_WORKFLOW_REF, warnings) => {
    double.workflowGroups.set(1, ['octo/hello/.github/workflows/train.yml@refs/heads/main'])
    const says = `${GROUP('Default')} serves only jobs of some workflows: octo/hello/.github/workflows/train.yml@refs/heads/main; other jobs wait`
    const forge = await openAt(double, { target: ORGANIZATION, env: { GITHUB_API_URL: double.url, GITHUB_WORKFLOW_REF } })
    expect((await forge.whoami()).warnings).toEqual([says].slice(0, warnings))
  })
})

describe('runners that anybody can propose jobs to', () => {
  test.each([
    ['organization octo', ORGANIZATION],
    ['enterprise acme', { kind: 'enterprise', name: 'acme' }],
  ] as const)('%s: the group that the runners join says whether public repositories use it', async (name, target) => {
    double.groups.set(7, 'builders')
    double.publicGroups.add(7)
    const forge = await open(target)
    expect((await forge.whoami()).open).toBeUndefined()
    const says = (group: string): string => `runner group "${group}" of ${name} at ${new URL(double.url).host} serves public repositories`
    expect((await forge.whoami({ group: 'builders' })).open).toBe(says('builders'))
    double.publicGroups.add(1)
    expect((await forge.whoami()).open).toBe(says('Default'))
  })

  test('true for a public repository; not for a private one, or an organization whose groups are not visible', async () => {
    expect((await (await open(REPOSITORY)).whoami()).open).toBeUndefined()
    double.open = true
    expect((await (await open(REPOSITORY)).whoami()).open).toMatch(/^repository octo\/hello at .* is public$/)
    double.publicGroups.add(1)
    double.faults.push({ path: /runner-groups$/, status: 404, times: 1 })
    expect((await (await open(ORGANIZATION)).whoami()).open).toBeUndefined()
  })
})

describe('a registration', () => {
  test('404: the token cannot see the repository, and the error says what it needs', async () => {
    double.faults.push({ path: /generate-jitconfig$/, status: 404, times: 1 })
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest()))).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Administration: write"'),
    })
  })

  test('409: a name that belongs to an existing runner stays with it, and another one is chosen', async () => {
    const forge = await open(REPOSITORY)
    const [first] = (await forge.enroll(runnerRequest())).enrolled
    for (const runner of double.runners.values()) Object.assign(runner, { online: true, seen: Number.POSITIVE_INFINITY })
    expect((await forge.enroll(runnerRequest())).enrolled).toMatchObject([{ name: 'tpi-x-0-0-r1' }])
    expect(await forge.one(first?.id ?? '')).toMatchObject({ name: 'tpi-x-0-0', online: true })
  })

  test('422: what GitHub does not accept is the request’s fault, and earlier registrations are removed', async () => {
    const places = [...runnerRequest().places, { slot: 0, k: 1, name: 'x'.repeat(65) }]
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest({ places })))).toMatchObject({
      is: InputError,
      message: expect.stringMatching(/^labels: GitHub refuses to register runner x{65} with gpu: /),
    })
    expect(double.runners.size).toBe(0)
  })

  test('the rest of a large launch is not registered any more', async () => {
    const many = Array.from({ length: 60 }, (_, slot) => ({ slot, k: 0, name: `tpi-x-${slot}-0` }))
    const places = [{ slot: 60, k: 0, name: 'x'.repeat(65) }, ...many]
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest({ places })))).toMatchObject({ is: InputError })
    expect(double.runners.size).toBe(0)
    expect(double.seen.filter(({ path }) => path.endsWith('generate-jitconfig')).length).toBeLessThan(20)
  })
})

test('removal: 204 means removed, 404 was gone already, 422 has a job and stays', async () => {
  const forge = await open(REPOSITORY)
  const [one] = (await forge.enroll(runnerRequest())).enrolled
  const id = one?.id ?? ''
  const run = double.push([{ labels: ['gpu'], script: '' }])
  const runner = double.runners.get(Number(id))
  if (runner) runner.job = run.jobs[0]
  expect(await forge.evict(id)).toBe('busy')
  if (runner) runner.job = undefined
  expect([await forge.evict(id), await forge.evict(id)]).toEqual(['removed', 'absent'])
})
