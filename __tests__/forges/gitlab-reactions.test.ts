/** How answers of GitLab are handled, by status code and by its objects, never by message texts. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AuthError, InputError, RemoteError } from '../../src/core/errors.ts'
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { retriedBy } from '../../src/forges/gitlab/reasons.ts'
import { scopeOf } from '../../src/forges/gitlab/target.ts'
import type { ServedJob } from '../../src/wire/runner.ts'
import { type DoubleJob, type DoubleRunner, GitlabDouble } from '../lab/gitlab/double.ts'
import { reasonsOf } from '../lab/gitlab/queue.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'
import { runnerRequest } from './runner-request.ts'

let double: GitlabDouble
beforeEach(async () => void (double = await new GitlabDouble().start()))
afterEach(async () => double.stop())

async function open(token = 'api'): Promise<Forge> {
  const { open: make } = await gitlab.load()
  return make({
    env: { CI_SERVER_URL: double.url },
    log: silent,
    clock: fakeClock('2030-01-01T00:00:00.000Z', { auto: true }),
    signal: new AbortController().signal,
    mask() {},
    token,
    target: { kind: 'repository', name: 'octo/hello' },
  })
}

const plan = runnerRequest({ places: [{ slot: 0, k: 0, name: 'tpi-a' }], labels: ['tpi-1', 'gpu'], idle: 60 })
const calls = (): readonly string[] => double.seen.map(({ method, path, status }) => `${method} ${path} ${status}`)

test.each([
  ['https://x.example/git', undefined, 'https://x.example/git/octo/hello', 'https://x.example/git'],
  [undefined, 'https://x.example/git/', 'https://x.example/git/octo/hello.git', 'https://x.example/git'],
  ['https://x.example/git', undefined, 'octo/hello', 'https://x.example/git'],
  [undefined, undefined, 'https://x.example/octo/hello.git/', 'https://x.example'],
  [undefined, 'https://y.example', 'https://x.example/octo/hello', 'https://x.example'],
  [undefined, undefined, 'octo/hello', 'https://gitlab.com'],
])('at the address %s, in a job of %s, %s is octo/hello of %s', (url, own, name, server) => {
  const context = { env: own === undefined ? {} : { CI_SERVER_URL: own }, target: { kind: 'repository', name }, ...(url && { url }) }
  expect(scopeOf(context as unknown as ForgeContext)).toEqual({ server, kind: 'project', name: 'octo/hello' })
})

describe('a token', () => {
  test.each([
    [['create_runner', 'manage_runner'], '"read_api"'],
    [['create_runner', 'read_api'], '"manage_runner"'],
    [['read_api'], '"create_runner", "manage_runner"'],
  ])('of the scopes %j is refused before anything is made: %s is missing', async (scopes, lacks) => {
    double.tokens.set('some', scopes)
    await expect((await open('some')).whoami()).rejects.toThrow(`lacks ${lacks}; it needs the scopes`)
  })

  test('a server that does not tell which machines a runner has is refused before anything is made', async () => {
    double.version = '17.0'
    await expect((await open()).whoami()).rejects.toThrow(/^forge-url: .* is GitLab 17\.0, and runners need 17\.1 or later/)
  })

  test('that may not see the jobs of a runner of the whole server can use that runner, which counts as busy', async () => {
    double.runners.contact(double.foreign({ description: 'shared', tags: ['gpu'], shared: true }), 's_1')
    expect(await (await open()).equipped(['gpu'])).toMatchObject([{ name: 'shared', online: true, busy: true }])
  })

  test('with the named scopes has all rights that runners need', async () => {
    const forge = await open('good')
    await forge.whoami()
    double.faults.push({ path: /^\/user\/runners$/, status: 201, lost: true, times: 1 })
    const { enrolled } = await forge.enroll(plan)
    const [id] = [...double.runners.keys()].map(String)
    expect([double.made, enrolled.map((one) => one.id)]).toEqual([2, [id]])
    for (const runner of double.runners.values()) double.runners.contact(runner, 's_1')
    expect(await forge.equipped(['gpu'])).toHaveLength(1)
    expect(await forge.runners('tpi-')).toHaveLength(1)
    await forge.look(enrolled)
    await forge.one(String(id))
    await forge.notice(String(id), new Date())
    expect(await forge.evict(String(id))).toBe('removed')
    expect(double.seen.map(({ status }) => status)).not.toContain(403)
  })
})

describe('creating a runner', () => {
  test('403 because of its role: what the token needs is named, and nothing is made', async () => {
    double.faults.push({ path: /^\/user\/runners$/, status: 403, times: 1 })
    const made = (await open()).enroll(plan)
    await expect(made).rejects.toThrow(AuthError)
    await expect(made).rejects.toThrow(/role Maintainer/)
    expect(double.made).toBe(0)
  })

  test('400: GitLab’s message about the labels is passed on', async () => {
    const made = (await open()).enroll({ ...plan, labels: ['tpi-1', 'x'.repeat(300)] })
    await expect(made).rejects.toThrow(InputError)
    await expect(made).rejects.toThrow(/^labels: GitLab refuses this runner: .*is too long/)
  })
})

describe('removing a runner', () => {
  let runner: DoubleRunner
  const remove = (): Promise<unknown> => open().then(async (forge) => forge.evict(String(runner.id)))
  beforeEach(() => void (runner = double.foreign({ description: 'tpi-a', tags: ['gpu'], projects: ['octo/hello'] })))

  test('404: it is gone, as wanted', async () => {
    double.runners.clear()
    expect(await remove()).toBe('absent')
  })

  test('412: it is read again, and removed', async () => {
    double.faults.push({ method: 'DELETE', path: /^\/runners\/\d+$/, status: 412, times: 1 })
    expect(await remove()).toBe('removed')
    expect(calls().map((line) => line.split(' ')[0])).toEqual(['GET', 'DELETE', 'GET', 'DELETE'])
  })

  test('412: it has just taken a job, and stays', async () => {
    double.faults.push({ method: 'DELETE', path: /^\/runners\/\d+$/, status: 412, times: 1 })
    const forge = await open()
    const act = double.gate
    double.gate = async (call, answer, token) => {
      // Between the first look and the second.
      if (double.seen.length === 2) {
        double.push(['gpu'], 'true')
        double.queue.take(runner, 's_1')
      }
      return act(call, answer, token)
    }
    expect(await forge.evict(String(runner.id))).toBe('busy')
    expect(double.runners.size).toBe(1)
  })

  test('412 and 412 again: the same command may succeed later', async () => {
    double.faults.push({ method: 'DELETE', path: /^\/runners\/\d+$/, status: 412, times: 2 })
    await expect(remove()).rejects.toMatchObject({ name: 'RemoteError', retryable: true })
    expect(double.runners.size).toBe(1)
  })

  test('403, because it belongs to several projects: the error names them, and what to do', async () => {
    runner.projects.push('octo/other')
    await expect(remove()).rejects.toThrow(RemoteError)
    await expect(remove()).rejects.toThrow(
      `GitLab: could not remove runner ${runner.id}: it was given to several projects (octo/hello, octo/other); take it out of all but one`,
    )
  })

  test('403, because the token lacks a right: the error says what it needs', async () => {
    double.faults.push({ method: 'DELETE', path: /^\/runners\/\d+$/, status: 403, times: 1 })
    await expect(remove()).rejects.toThrow(/^GitLab: could not remove runner \d+: the token is not allowed to; it needs .*manage_runner/)
  })
})

describe('jobs that wait for a tag of the user’s choice', () => {
  const waiting = async (): Promise<number> => (await open()).waiting(['tpi-1', 'gpu'], ['octo/hello'])
  const HOUR = 3_600_000

  test('have no runner, though GitLab still calls ours online, whose machines have died', async () => {
    double.push(['gpu'], 'true')
    expect(await waiting()).toBe(1)
    double.runners.contact(double.foreign({ description: 'tpi-a', tags: ['tpi-1', 'gpu'] }), 's_1')
    expect(await waiting()).toBe(1)
  })

  test('have somebody else’s runner as long as GitLab calls it online', async () => {
    double.push(['gpu'], 'true')
    double.runners.contact(double.foreign({ description: 'theirs', tags: ['gpu', 'big'] }), 's_1')
    expect(await waiting()).toBe(0)
    double.ahead = 1.9 * HOUR
    expect(await waiting()).toBe(0)
    double.ahead = 2.1 * HOUR
    expect(await waiting()).toBe(1)
  })
})

describe('jobs whose machine was reclaimed', () => {
  const YEAR = { from: '2020-01-01T00:00:00Z', to: '2040-01-01T00:00:00Z' }

  /** A job that ran on one of our machines, and failed for this reason. */
  function failed(reason: string, pipeline = 5, name = `train-${reason}`): DoubleJob {
    const job = double.push(['gpu'], 'true', { name, pipeline })
    Object.assign(job, { status: 'failed', reason, started: '2030-01-01T00:00:00Z', finished: '2041-01-01T00:00:00Z' })
    return job
  }
  const found = async (): Promise<readonly ServedJob[]> =>
    (await open()).cutOff({ enrolled: [], labels: ['gpu'], away: [YEAR], repositories: ['octo/hello'] })

  test.each([
    ['17.4', ['job_execution_server_timeout', 'runner_system_failure', 'stuck_or_timeout_failure', 'unknown_failure']],
    ['19.0', ['no_updates_running', 'runner_system_failure', 'server_timeout_running', 'stuck_or_timeout_failure', 'unknown_failure']],
    [
      '19.4',
      [
        'no_updates_running',
        'runner_interrupted',
        'runner_system_failure',
        'server_timeout_running',
        'stuck_or_timeout_failure',
        'unknown_failure',
      ],
    ],
  ])('are recognized by the failure reasons of version %s, and no others', async (version, cut) => {
    for (const reason of new Set([...reasonsOf(version), 'job_execution_server_timeout'])) failed(reason)
    const names = (await found()).map(({ facts }) => facts['name']?.replace('train-', ''))
    // An older name for a time limit exists in every version, but newer ones no longer use it.
    expect(names.filter((name) => version < '19' || name !== 'job_execution_server_timeout').sort()).toEqual([...cut].sort())
  })

  test.each([
    ['17.4', ['runner_system_failure', 'unknown_failure', 'stuck_or_timeout_failure']],
    ['18.11', ['runner_system_failure', 'unknown_failure', 'stuck_or_timeout_failure']],
    ['19.0', ['runner_system_failure', 'unknown_failure', 'no_updates_running']],
    ['19.1', ['runner_system_failure', 'runner_interrupted', 'no_updates_running']],
    ['20.0', ['runner_system_failure', 'runner_interrupted', 'no_updates_running']],
  ])('are run again by GitLab %s itself for reasons that it knows', async (version, reasons) => {
    double.version = version
    expect((await (await open()).whoami()).advice).toContain(`when: [${reasons.join(', ')}]`)
    expect(retriedBy(version).filter((reason) => !reasonsOf(version).includes(reason))).toEqual([])
  })

  test('of a server that does not tell its version: by names that every version has', async () => {
    double.faults.push({ path: /^\/metadata$/, status: 403, times: 1 })
    expect((await (await open()).whoami()).advice).toContain('when: [runner_system_failure, unknown_failure, stuck_or_timeout_failure]')
  })

  test('403, because the token may not run jobs again: reported, and tried again with a better one', async () => {
    const cut = failed('runner_interrupted')
    const jobs = await found()
    const refused = await (await open('good')).rerun(jobs, 2)
    expect(refused).toEqual({ how: 'refused', says: expect.stringContaining('the scope "api"') })
    expect(await (await open()).rerun(jobs, 2)).toMatchObject({ how: 'rerun' })
    expect(double.latest(cut)).not.toBe(cut)
  })

  test('that GitLab has archived are never run again: their status says so, and no request is made', async () => {
    failed('runner_interrupted').archived = true
    const jobs = await found()
    expect(await (await open()).rerun(jobs, 2)).toMatchObject({ how: 'refused', final: true, says: expect.stringContaining('archived') })
    const young = failed('no_updates_running')
    expect(await (await open()).rerun(await found(), 2)).toEqual({ how: 'rerun', says: `pipeline 5: job ${young.id} runs again` })
    expect(calls().filter((line) => line.startsWith('POST'))).toEqual([`POST /projects/octo%2Fhello/jobs/${young.id}/retry 201`])
  })
})
