/** `tpi comment` with files from a stranger, and answers that no real forge gives: each ends in a comment or in one line, and at little cost. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { listening } from '../setup/listening.ts'
import { scratch } from '../setup/scratch.ts'
import { startVictim, type Victim } from './caller.ts'
import { CANARY, costly, misspoken } from './oracle.ts'
import type { Answer } from './victim.ts'

const ESCAPES = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\r\n::set-output name=outcome::success\n::error::forged'

interface Said {
  readonly status?: number
  readonly data: unknown
  readonly headers?: Readonly<Record<string, string>>
}
interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}
type Lie = (asked: Asked) => Said

/** A forge that tells the truth and stores its own pages; the test needs nothing else of a forge. */
const honest: Lie = ({ method, path }) => {
  if (method === 'GET') return { data: path.endsWith('/user') ? { id: 1 } : [] }
  if (path.endsWith('/uploads')) return { status: 201, data: { url: '/uploads/1/a.png' } }
  return { status: 201, data: { id: 5, html_url: 'https://forge.example/5', body: '', author: { id: 1 } } }
}

let root: string
let victim: Victim
let url: string
let lie: Lie = honest
let asked: Asked[] = []

const server = createServer((request: IncomingMessage, response) => {
  const answer = async (): Promise<void> => {
    const one = { method: request.method ?? '', path: (request.url ?? '').replace(/\?.*/, ''), body: (await buffer(request)).toString() }
    asked.push(one)
    const { status = 200, data, headers } = lie(one)
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
  answer().catch(() => response.destroy())
})

beforeAll(async () => {
  url = `http://127.0.0.1:${await listening(server)}`
  root = scratch('tpi-attack-')
  victim = await startVictim()
})
afterAll(() => {
  victim?.end()
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true, force: true })
})

const FORGES = {
  GitHub: () => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: 'octo/hello',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_TOKEN: CANARY,
  }),
  GitLab: () => ({
    GITLAB_CI: 'true',
    CI_SERVER_URL: url,
    CI_PROJECT_PATH: 'octo/hello',
    CI_PIPELINE_ID: '1',
    CI_JOB_NAME: 'train',
    CI_MERGE_REQUEST_IID: '3',
    REPO_TOKEN: CANARY,
  }),
} as const

/** Runs in a work directory that `make` has filled, beside secrets of the caller. */
async function comment(env: Readonly<Record<string, string>>, make: (path: (name: string) => string) => void): Promise<Answer> {
  const work = join(root, 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, '.git'), { recursive: true })
  writeFileSync(join(work, '.env'), CANARY)
  writeFileSync(join(work, '.git/config'), CANARY)
  make((name) => join(work, name))
  asked = []
  return victim.call({
    argv: ['comment', 'report.md'],
    env: { ...env, PATH: process.env['PATH'] ?? '', HOME: root, TPI_HOME: join(root, '.tpi') },
    cwd: work,
    terminal: false,
  })
}

const found = (answer: Answer): readonly string[] => [
  ...misspoken(answer, false),
  ...costly(answer, false),
  ...(asked.some(({ body }) => body.includes(CANARY)) ? ['it sent a secret'] : []),
]

const written =
  (text: string | Buffer) =>
  (path: (name: string) => string): void =>
    writeFileSync(path('report.md'), text)

const FILES: readonly (readonly [string, (path: (name: string) => string) => void])[] = [
  ['controls and commands', written(`${ESCAPES}\n<!-- tpi: other -->`)],
  ['pictures that never end', written('!['.repeat(3e6))],
  ['pictures in pictures', written('![a](![b](c.png '.repeat(3e5))],
  ['a thousand pictures', written(Array.from({ length: 1000 }, (_, n) => `![${ESCAPES}](p${n}.png)`).join(' '))],
  ['words of pictures without end', written(`![${'x'.repeat(7e6)}](a.png)`)],
  ['no text', written(Buffer.alloc(7e6, 0xff))],
  ['one that is too large', (path) => [writeFileSync(path('report.md'), ''), truncateSync(path('report.md'), 3e9)]],
  ['a pipe', (path) => void execFileSync('mkfifo', [path('report.md')])],
  ['a device without end', (path) => symlinkSync('/dev/zero', path('report.md'))],
  ['a folder', (path) => mkdirSync(path('report.md'))],
  [
    'pictures that are secrets, devices, and too large',
    (path) => {
      written(
        '![a](near.png) ![b](zero.png) ![c](pipe.png) ![d](.git/config.png) ![e](../x.png) ![f](%2e%2e/x.png) ![g](huge.png) ![h](%.png)',
      )(path)
      symlinkSync('.env', path('near.png'))
      symlinkSync('/dev/zero', path('zero.png'))
      execFileSync('mkfifo', [path('pipe.png')])
      writeFileSync(path('.git/config.png'), CANARY)
      writeFileSync(join(root, 'x.png'), CANARY)
      writeFileSync(path('huge.png'), '')
      truncateSync(path('huge.png'), 3e9)
    },
  ],
]

const page = (one: unknown): unknown[] => Array.from({ length: 100 }, () => one)
/** The same answer to every request. */
const always =
  (data: unknown, status = 200): Lie =>
  () => ({ status, data })
const only =
  (method: string, data: unknown): Lie =>
  (request) =>
    request.method === method ? { ...honest(request), data } : honest(request)
const mine = '<!-- tpi: report -->'

const ANSWERS: readonly (readonly [string, Lie])[] = [
  ...[null, '', '{', 'null', 7, {}, [], [null], [[]], '['.repeat(1e6), '<html>Log in</html>'].map((data): readonly [string, Lie] => [
    JSON.stringify(data).slice(0, 30),
    always(data),
  ]),
  ['comments that are none', only('GET', [{ id: {}, body: { startsWith: 1 } }])],
  ['comments without end', only('GET', page({ id: 1, body: 'x', html_url: 'x', author: { id: 2 } }))],
  ['a number that is a way', only('GET', [{ id: '../../../user', body: mine, html_url: 'x', user: { type: 'Bot' }, author: { id: 1 } }])],
  ['a number that is none', only('GET', [{ id: 1e300, body: mine, html_url: 'x', user: { type: 'Bot' }, author: { id: 1 } }])],
  ['a page with controls', only('POST', { id: 5, html_url: ESCAPES, url: ESCAPES })],
  ['a page that is none', only('POST', { id: ESCAPES, html_url: {}, url: {} })],
  ['a token, echoed', always({ message: `${ESCAPES} ${CANARY}` }, 400)],
  ['that nobody may', always({ message: ESCAPES }, 403)],
  ['that nothing is there', always(ESCAPES, 404)],
  ['another place', () => ({ status: 307, data: '', headers: { location: 'http://127.0.0.1:9/x' } })],
  ['a hundred megabytes', always(`["${'x'.repeat(1e8)}"]`)],
]

describe.each(Object.entries(FORGES))('at %s', (_forge, env) => {
  test.each(FILES)('a file: %s', async (_name, make) => {
    lie = honest
    expect(found(await comment(env(), make))).toEqual([])
  })

  test.each(ANSWERS)('an answer: %s', async (_name, answers) => {
    lie = answers
    const ways = (): string[] => asked.map(({ path }) => path).filter((path) => /\.\.|\d{20}/.test(path))
    const answer = await comment(env(), (path) => {
      written('![a](a.png)')(path)
      writeFileSync(path('a.png'), 'a')
    })
    expect([...found(answer), ...ways()]).toEqual([])
    expect(asked.length).toBeLessThan(100)
  })
})
