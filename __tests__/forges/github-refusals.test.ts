/** What it means when GitHub takes no runner: told apart by status and by what else it says of itself, never by its words. */
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

/** What it is rejected with. */
async function fault(act: Promise<unknown>): Promise<{ is: unknown; message: string; hint: string | undefined }> {
  const error = await act.then(
    () => new Error('nothing went wrong'),
    (reason: unknown) => reason as Error,
  )
  return { is: error.constructor, message: error.message, hint: (error as InputError).hint }
}

test('registrations that may be forgotten before they are used are warned of, as GitHub does that after a day', async () => {
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
  ] as const)('%s: said before anything is registered, and also while it is', async (_, policy) => {
    double.policy = policy
    const forge = await open(REPOSITORY)
    const expected = {
      is: InputError,
      message: 'repository: organization "octo" does not allow self-hosted runners of octo/hello',
      hint: 'register for the organization: --organization octo',
    }
    expect(await fault(forge.whoami())).toEqual(expected)
    expect(await fault(forge.enroll(runnerRequest()))).toEqual(expected)
    expect(await (await open(ORGANIZATION)).whoami()).not.toHaveProperty('open')
  })

  test('some, and this one, however its name is written: then it is the token', async () => {
    double.policy = { enabled: 'selected', selected: [...Array.from({ length: 120 }, (_, at) => `octo/other-${at}`), 'octo/hello'] }
    const forge = await open({ ...REPOSITORY, name: 'Octo/Hello' })
    double.faults.push({ path: /registration-token$/, status: 403, times: 1 })
    expect(await fault(forge.whoami())).toMatchObject({ is: AuthError, message: expect.stringContaining('"Administration: write"') })
  })

  test('where nobody may read what it has decided, it is the token that is asked for more', async () => {
    double.policy = { enabled: 'none', secret: true }
    expect(await fault((await open(REPOSITORY)).whoami())).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Administration: write"'),
    })
  })
})

describe('a group of runners', () => {
  test("403: one of GitHub's own machines takes no other, which is none of the token's faults", async () => {
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

  test('403 of a token that may not register at all: its permission is named, not the group', async () => {
    double.groups.set(2, 'larger')
    double.faults.push({ path: /generate-jitconfig$/, status: 403, times: 1 }, { path: /registration-token$/, status: 403, times: 1 })
    expect(await fault((await open(ORGANIZATION)).enroll(runnerRequest({ group: 'larger' })))).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Self-hosted runners: write"'),
    })
  })

  test('one that does not exist is missed by its name, before anything is registered', async () => {
    double.groups.set(2, 'larger')
    expect(await fault((await open(ORGANIZATION)).enroll(runnerRequest({ group: 'largest' })))).toEqual({
      is: InputError,
      message: 'runner-group: there is no group "largest"',
      hint: 'there are: Default, larger',
    })
    expect(double.calls('POST')).toEqual([])
  })
})

describe('what everybody can propose jobs to', () => {
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

  test('a repository that is public; one that is private, or an organization that shows no groups, is not', async () => {
    expect((await (await open(REPOSITORY)).whoami()).open).toBeUndefined()
    double.open = true
    expect((await (await open(REPOSITORY)).whoami()).open).toMatch(/^repository octo\/hello at .* is public$/)
    double.publicGroups.add(1)
    double.faults.push({ path: /runner-groups$/, status: 404, times: 1 })
    expect((await (await open(ORGANIZATION)).whoami()).open).toBeUndefined()
  })
})

describe('a registration', () => {
  test('404: the token does not see it, and is told what it needs', async () => {
    double.faults.push({ path: /generate-jitconfig$/, status: 404, times: 1 })
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest()))).toMatchObject({
      is: AuthError,
      message: expect.stringContaining('"Administration: write"'),
    })
  })

  test('409: a name that is taken by a runner which is there stays with it, and another one is found', async () => {
    const forge = await open(REPOSITORY)
    const [first] = (await forge.enroll(runnerRequest())).enrolled
    for (const runner of double.runners.values()) runner.online = true
    expect((await forge.enroll(runnerRequest())).enrolled).toMatchObject([{ name: 'tpi-x-0-0-r1' }])
    expect(await forge.one(first?.id ?? '')).toMatchObject({ name: 'tpi-x-0-0', online: true })
  })

  test('422: what GitHub does not take is the fault of what was asked for, and what was registered before goes', async () => {
    const places = [...runnerRequest().places, { slot: 0, k: 1, name: 'x'.repeat(65) }]
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest({ places })))).toMatchObject({
      is: InputError,
      message: expect.stringMatching(/^labels: GitHub refuses to register runner x{65} with gpu: /),
    })
    expect(double.runners.size).toBe(0)
  })

  test('the others of a large launch are not registered any more', async () => {
    const many = Array.from({ length: 60 }, (_, slot) => ({ slot, k: 0, name: `tpi-x-${slot}-0` }))
    const places = [{ slot: 60, k: 0, name: 'x'.repeat(65) }, ...many]
    expect(await fault((await open(REPOSITORY)).enroll(runnerRequest({ places })))).toMatchObject({ is: InputError })
    expect(double.runners.size).toBe(0)
    expect(double.seen.filter(({ path }) => path.endsWith('generate-jitconfig')).length).toBeLessThan(20)
  })
})

test('removal: 204 is gone, 404 was gone, 422 has a job and stays', async () => {
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
