/** The exact requests to GitLab, and how often they are made: the client library decides neither. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { systemId } from '../../src/forges/gitlab/program.ts'
import { client } from '../../src/forges/gitlab/sdk.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { listening, portOf } from '../setup/listening.ts'
import { silent } from '../setup/silent-log.ts'

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Seen {
  readonly line: string
  readonly token: string | undefined
  readonly type: string | undefined
  readonly body: string
}

const seen: Seen[] = []
/** By `METHOD /path`; any other path gets an empty list. */
let replies: Record<string, Reply | ((query: URLSearchParams) => Reply)>
const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '', headers } = request
  const { pathname, searchParams } = new URL(url, 'http://x')
  const line = decodeURIComponent(`${method} ${url}`.replace('/below/api/v4', ''))
  seen.push({ line, token: headers['private-token'] as string, type: headers['content-type'], body: Buffer.concat(chunks).toString() })
  const reply = replies[`${method} ${pathname.replace('/below/api/v4', '')}`] ?? {}
  const { status = 200, headers: more = {}, body = '[]' } = typeof reply === 'function' ? reply(searchParams) : reply
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(status === 204 ? undefined : body)
}

beforeEach(async () => {
  seen.length = 0
  replies = {}
  await listening(server)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** A server that is not at the root of its host. */
const address = (): string => `http://127.0.0.1:${portOf(server)}/below`

async function open(kind: 'repository' | 'organization', more: Partial<ForgeContext> = {}): Promise<Forge> {
  const { open: make } = await gitlab.load()
  return make({
    env: { GITLAB_TOKEN: 'other', GITLAB_HOST: 'http://127.0.0.1:9', GITBEAKER_TOKEN: 'other' },
    log: silent,
    clock: fakeClock('2030-01-01T00:00:00.000Z', { auto: true }),
    signal: new AbortController().signal,
    mask() {},
    token: 'good',
    url: address(),
    target: { kind, name: 'octo/hello' },
    ...more,
  })
}

const lines = (): readonly string[] => seen.map(({ line }) => line)

const PLAN = { jobs: 1, idle: 60, env: {}, platform: { os: 'linux', arch: 'x64' }, deadline: '2030-01-02T00:00:00.000Z' } as const

test('a runner is made with exactly this request', async () => {
  replies = {
    'GET /groups/octo%2Fhello': { body: '{"id":9}' },
    'POST /user/runners': { status: 201, body: '{"id":5,"token":"glrt-5"}' },
  }
  const forge = await open('organization')
  await forge.enroll({ ...PLAN, labels: ['tpi-1', 'gpu'], places: [{ slot: 0, k: 0, name: 'tpi-a' }] })
  expect(lines()).toEqual(['GET /groups/octo/hello', 'POST /user/runners'])
  expect(JSON.parse(seen[1]?.body ?? '')).toEqual({
    runner_type: 'group_type',
    group_id: 9,
    description: 'tpi-a',
    tag_list: 'tpi-1,gpu',
    run_untagged: false,
    locked: true,
  })
  expect(seen.map(({ token }) => token)).toEqual(['good', 'good'])
  expect(seen.map(({ type }) => type)).toEqual([undefined, 'application/json'])
})

test.each([
  ['2030-01-01T12:00:00.000Z', 1],
  ['2030-01-03T00:00:00.000Z', 0],
])('a token that expires at %s: warnings for a deadline on 2 January: %i', async (until, warnings) => {
  replies = {
    'GET /groups/octo%2Fhello': { body: '{"id":9}' },
    'POST /user/runners': { status: 201, body: JSON.stringify({ id: 5, token: 'glrt-5', token_expires_at: until }) },
  }
  const warned: string[] = []
  const forge = await open('organization', { log: { ...silent, warn: (text) => void warned.push(text) } })
  await forge.enroll({ ...PLAN, labels: ['tpi-1'], places: [{ slot: 0, k: 0, name: 'tpi-a' }] })
  expect(warned).toEqual(Array.from({ length: warnings }, () => expect.stringContaining(`expires at ${until}`)))
})

test('runners are looked at, noted and removed with these calls', async () => {
  replies = { 'GET /runners/5': { body: '{"id":5,"description":"tpi-a","status":"online"}' }, 'DELETE /runners/5': { status: 204 } }
  const forge = await open('repository')
  await forge.one('5')
  await forge.notice('5', new Date('2030-01-01T00:00:00Z'))
  await forge.look([{ slot: 0, k: 0, id: '5', name: 'tpi-a' }])
  expect(await forge.evict('5')).toBe('removed')
  await forge.equipped(['tpi-1', 'gpu'])
  expect(seen.map(({ line, body }) => (body === '' ? line : `${line} ${body}`))).toEqual([
    'GET /runners/5',
    'GET /runners/5/jobs?status=running&per_page=1&page=1',
    'PUT /runners/5 {"maintenance_note":"tpi saw no machine of it at 2030-01-01T00:00:00.000Z"}',
    'GET /runners/5/managers',
    'GET /runners/5/jobs?status=running&per_page=1&page=1',
    'DELETE /runners/5',
    'GET /projects/octo/hello/runners?tag_list=tpi-1,gpu&status=online&paused=false&per_page=100&page=1',
  ])
})

test('jobs are found, and run again, with these calls', async () => {
  const job = { id: 3, name: 'train', status: 'failed', pipeline: { id: 8 }, tag_list: ['tpi-1'] }
  replies = {
    'GET /projects/octo%2Fhello/pipelines/8/jobs': { body: JSON.stringify([job]) },
    'POST /projects/octo%2Fhello/jobs/3/retry': { status: 201, body: '{}' },
  }
  const forge = await open('repository')
  await forge.cutOff?.({ enrolled: [], labels: ['tpi-1'], away: [], repositories: ['octo/hello'] })
  const facts = { repository: 'octo/hello', run: '8', job: '3', name: 'train' }
  await forge.rerun?.([{ epoch: 0, start: '', end: '', interrupted: true, facts }], 3)
  expect(seen.map(({ line, body }) => line + body)).toEqual([
    'GET /projects/octo/hello/jobs?scope=failed&per_page=100&page=1',
    'GET /projects/octo/hello/pipelines/8/jobs?include_retried=true&per_page=100&page=1',
    'POST /projects/octo/hello/jobs/3/retry',
  ])
})

test('all pages are read, each once, whatever the links of an answer say', async () => {
  const runners = Array.from({ length: 230 }, (_, id) => ({ id, description: `tpi-${id}`, status: 'online' }))
  replies = {
    'GET /projects/octo%2Fhello/runners': (query) => {
      const page = Number(query.get('page'))
      const next = `<${address()}/api/v4/projects/octo%2Fhello/runners?page=${page + 1}&per_page=100>; rel="next"`
      return { headers: page < 3 ? { link: next } : {}, body: JSON.stringify(runners.slice((page - 1) * 100, page * 100)) }
    },
  }
  const found = await (await open('repository')).runners('tpi-')
  expect(found.map(({ id }) => Number(id))).toEqual(runners.map(({ id }) => id))
  expect(lines()).toHaveLength(3)
})

test('a list that is returned whole on every page is read twice at most', async () => {
  const whole = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, description: `tpi-${id}`, status: 'online' })))
  replies = { 'GET /projects/octo%2Fhello/runners': { body: whole } }
  expect(await (await open('repository')).runners('tpi-')).toHaveLength(100)
  expect(lines()).toHaveLength(2)
})

test('machines of a runner are those with our marks, all in one answer', async () => {
  const enrolled = Array.from({ length: 120 }, (_, slot) => ({ slot, k: 0, id: '5', name: `tpi-a-${slot}-0` }))
  const managers = enrolled.slice(10).map(({ name }) => ({ system_id: systemId(name), status: 'online' }))
  const others = [
    { system_id: '<legacy>', status: 'online' },
    { system_id: systemId('tpi-a-3-0'), status: 'offline' },
  ]
  replies = { 'GET /runners/5/managers': { body: JSON.stringify([...others, ...managers]) } }
  const seen = await (await open('repository')).look(enrolled)
  expect(seen.map(({ name }) => name)).toEqual(enrolled.slice(10).map(({ name }) => name))
  expect(lines()).toHaveLength(1)
  expect(managers.every(({ system_id: id }) => /^[sr]_[0-9a-zA-Z]{12}$/.test(id))).toBe(true)
})

test.each([429, 502])('the client does not try again by itself after HTTP %d', async (status) => {
  replies = { 'GET /runners/5': { status, headers: { 'retry-after': '7200' }, body: '{"message":"no"}' } }
  await expect((await open('repository')).one('5')).rejects.toThrow(/^GitLab: could not look at runner 5: /)
  // An announced end of a limit that is too far away is not waited for; after a failure no end is known.
  expect(lines().length).toBe(status === 429 ? 1 : 2)
})

test('an interrupted command does not wait for an answer', async () => {
  const stop = new AbortController()
  const waiting = new Promise<void>((resolve) => server.once('request', () => resolve()))
  replies = { 'GET /personal_access_tokens/self': () => ({ headers: { 'content-length': '999' }, body: '' }) }
  const forge = await open('repository', { signal: stop.signal })
  const asked = forge.whoami()
  void waiting.then(() => stop.abort(new Error('enough')))
  await expect(asked).rejects.toThrow('enough')
})

test('a project that was moved is found at its new path; no redirect takes the token or a request to another server', async () => {
  const strayed: string[] = []
  const elsewhere = createServer((request, response) => {
    strayed.push(`${request.method} ${request.url} ${String(request.headers['private-token'])}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":9}')
  })
  const there = `http://127.0.0.1:${await listening(elsewhere)}`
  try {
    const send = client(address(), 'good')
    const show = async (): Promise<number> =>
      (await send(async (api) => api.groups.show('octo/hello'), new AbortController().signal)).status
    replies = {
      'GET /groups/octo%2Fhello': { status: 302, headers: { location: '/below/api/v4/groups/9' } },
      'GET /groups/9': { body: '{"id":9}' },
    }
    expect(await show()).toBe(200)
    replies = { 'GET /groups/octo%2Fhello': { status: 302, headers: { location: '/below/api/v4/groups/octo%2Fhello' } } }
    expect(await show()).toBe(302)
    for (const status of [301, 302, 307, 308]) {
      replies = {
        'GET /groups/octo%2Fhello': { status, headers: { location: `${there}/groups/9` } },
        'DELETE /runners/5': { status, headers: { location: '/below/api/v4/runners/6' } },
      }
      expect(await show()).toBe(status)
      expect((await send(async (api) => api.runners.remove({ runnerId: 5 }), new AbortController().signal)).status).toBe(status)
    }
    expect(strayed).toEqual([])
    expect(lines().filter((line) => line.includes('/runners/6'))).toEqual([])
  } finally {
    elsewhere.closeAllConnections()
    elsewhere.close()
  }
})

test.each([
  [
    'https://gitlab.example/x',
    /^GitLab: could not look at runner 5: it redirects to https:\/\/gitlab\.example\/x \(HTTP 301\).* `forge-url: https:\/\/gitlab\.example`\)$/,
  ],
  ['/below/users/sign_in', /it redirects to \/below\/users\/sign_in .*a sign-in page is in front of its API/],
  // It redirects to itself for ever.
  ['/below/api/v4/runners/5', /it redirects to \/below\/api\/v4\/runners\/5 .*if it has moved, give its new path/],
])('a redirect that is not followed says where it leads, and what to do: %s', async (location, message) => {
  replies = { 'GET /runners/5': { status: 301, headers: { location } } }
  const asked = (await open('repository')).one('5')
  await expect(asked).rejects.toMatchObject({ exitCode: 64, faults: [{ option: 'forge-url' }], message: expect.stringMatching(message) })
})
