/** The double of GitLab and its runner program behave as documented: what the tests see there is what the real ones would show. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type DoubleRunner, GitlabDouble } from './gitlab/double.ts'

const HOUR = 3_600_000
const PROGRAM = join(import.meta.dirname, 'gitlab/program/gitlab-runner.cjs')

let forge: GitlabDouble
let runner: DoubleRunner
let folder: string
beforeEach(async () => {
  forge = await new GitlabDouble().start()
  runner = forge.foreign({ description: 'one', tags: ['gpu'], projects: ['octo/hello'] })
  folder = await mkdtemp(join(tmpdir(), 'tpi-gitlab-double-'))
})
afterEach(async () => {
  await forge.stop()
  await rm(folder, { recursive: true, force: true })
  expect(forge.breaches).toEqual([])
})

/** Runs the program to its end. */
async function program(...words: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder, CI_SERVER_URL: forge.url, CI_SERVER_TOKEN: runner.token, RUNNER_EXECUTOR: 'shell' }
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { cwd: folder, env })
  return stdout.trim()
}
const served = async (): Promise<string> => program('run-single', '--wait-timeout', '60', '--max-builds', '1', '--builds-dir', folder)

async function ask(method: string, path: string, body?: object | string, headers: Record<string, string> = {}): Promise<Response> {
  const type = { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${forge.url}/api/v4${path}`, { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body: text }) })
}
const status = async (): Promise<string> => {
  const answer = await ask('GET', `/runners/${runner.id}`, undefined, { 'private-token': 'good' })
  return ((await answer.json()) as { status: string }).status
}
const request = async (): Promise<Response> => ask('POST', '/jobs/request', { token: runner.token, system_id: 's_1' })

describe('a runner', () => {
  test('is online for two hours after its last recorded contact, and a contact is recorded every 40 minutes', async () => {
    const seen = [await status()]
    await request()
    for (const ahead of [0, 0.5 * HOUR]) {
      forge.ahead = ahead
      await request()
      seen.push(await status())
    }
    // The second contact came too soon to be recorded.
    for (const ahead of [1.9 * HOUR, 2.1 * HOUR]) {
      forge.ahead = ahead
      seen.push(await status())
    }
    await request()
    seen.push(await status())
    forge.ahead = 8 * 24 * HOUR
    expect([...seen, await status()]).toEqual(['never_contacted', 'online', 'online', 'online', 'offline', 'online', 'stale'])
  })

  test('is verified, gets another token, and unregisters its machine, with its own program', async () => {
    const old = runner.token
    await program('verify')
    expect(runner.managers.size).toBe(1)
    expect(await program('reset-token')).toBe(runner.token)
    expect(runner.token).not.toBe(old)
    expect((await ask('POST', '/runners/verify', { token: old })).status).toBe(403)
    await program('unregister')
    expect([runner.managers.size, forge.runners.size]).toEqual([0, 1])
    await expect(program('unregister')).rejects.toThrow('HTTP 404')
  })

  test('learns that there is no Job Router; an unknown token is refused', async () => {
    const discovery = async (token: string) => ask('GET', '/runners/router/discovery', undefined, { 'runner-token': token })
    expect([(await discovery(runner.token)).status, (await discovery('nobody')).status]).toEqual([501, 403])
  })

  test('has as many machines as names, and no more: that of the host, or one next to its settings', async () => {
    await ask('POST', '/runners/verify', { token: runner.token })
    for (const _ of [1, 2]) {
      forge.push(['gpu'], 'true')
      await served()
    }
    const settings = ['[[runners]]', 'name = "one"', `url = "${forge.url}"`, `token = "${runner.token}"`, 'executor = "shell"']
    await writeFile(join(folder, 'config.toml'), `${settings.join('\n')}\n`, { mode: 0o600 })
    for (const id of ['r_0123456789ab', 'r_too-short']) {
      await writeFile(join(folder, '.runner_system_id'), id)
      forge.push(['gpu'], 'true')
      await program('run-single', '--wait-timeout', '60', '--max-builds', '1', '--config', join(folder, 'config.toml'), '--runner', 'one')
    }
    expect([...runner.managers.keys()]).toEqual(['<legacy>', expect.stringMatching(/^s_[0-9a-f]{12}$/), 'r_0123456789ab'])
  })

  test('gets no job while it is paused', async () => {
    forge.push(['gpu'], 'true')
    await ask('PUT', `/runners/${runner.id}`, { paused: true }, { 'private-token': 'good' })
    expect((await request()).status).toBe(204)
    await ask('PUT', `/runners/${runner.id}`, { paused: false }, { 'private-token': 'good' })
    expect((await request()).status).toBe(201)
  })
})

describe('a job', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `${n} äöü\n`).join('')

  test('has its whole trace although answers were lost: the server says from where to continue', async () => {
    await writeFile(join(folder, 'text'), lines)
    forge.faults.push({ path: /trace$/, status: 202, lost: true, times: 2 })
    const job = forge.push(['gpu'], 'cat text; sleep 0.2; cat text')
    await served()
    expect(job).toMatchObject({ status: 'success', trace: lines + lines })
    expect(forge.seen.filter(({ path }) => path.endsWith('/trace')).map((one) => one.status)).toContain(416)
  })

  test('accepts a part of its trace only at its end, and only with its own token', async () => {
    const job = forge.push(['gpu'], 'true')
    await request()
    const patch = async (text: string, range: string, token = job.token) =>
      ask('PATCH', `/jobs/${job.id}/trace`, text, { 'job-token': token, ...(range ? { 'content-range': range } : {}) })
    const answers = [await patch('abc', '0-2'), await patch('abc', '0-2'), await patch('x', '9-9'), await patch('de', '3-4')]
    expect(answers.map((one) => [one.status, one.headers.get('range')])).toEqual([
      [202, '0-3'],
      [416, '0-3'],
      [416, '0-3'],
      [202, '0-5'],
    ])
    expect([(await patch('f', '')).status, (await patch('f', '5-5', 'other')).status, job.trace]).toEqual([400, 403, 'abcde'])
    forge.end(job, 'failed', 'script_failure')
    expect((await patch('f', '5-5')).status).toBe(403)
  })

  test('keeps the files that it was asked to keep', async () => {
    const job = forge.push(['gpu'], 'echo 0.9 > accuracy', { keeps: ['accuracy', 'never-made'] })
    await served()
    expect([job.status, ...job.artifacts]).toEqual(['success', ['accuracy', '0.9\n']])
  })

  test.each([
    ['17.4', 'stuck_or_timeout_failure'],
    ['19.0', 'no_updates_running'],
  ])('whose runner is silent is dropped; version %s calls that %s', async (version, reason) => {
    forge.version = version
    const job = forge.push(['gpu'], 'true')
    await request()
    forge.ahead = 31 * 60_000
    forge.queue.drop(version)
    expect(job).toMatchObject({ status: 'failed', reason })
    expect((await ask('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' })).status).toBe(403)
  })
})
