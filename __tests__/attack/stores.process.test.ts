/** Servers that lie, with every verb: what they forge, tear, mix, delay and swap is reported in one line, and does no harm. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { listening, portOf } from '../setup/listening.ts'
import type { Asked, Lie, Said } from '../stores/lying-s3.ts'
import { sampled, seeded } from '../storm/random.ts'
import { type Far, farHttp, farS3 } from './far.ts'
import { type Command, NAME, NEIGHBOUR, type Prey, prey } from './kit.ts'

jest.setTimeout(300_000)

const SCRIPT = 'mkdir r; echo hello > r/f; echo made; echo metric=1 >> "$TPI_OUTPUT"'
const WORDS = ['--output', 'r', '--script', SCRIPT]

const ESCAPES = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\r\n::set-output name=outcome::success\n::error::forged'

/** Where redirects lead to; no request may arrive here. */
const elsewhere = createServer((request, response) => {
  strayed.push(`${request.method} ${request.url}`)
  response.end()
})
const strayed: string[] = []
beforeAll(async () => {
  await listening(elsewhere)
})
afterAll(() => void elsewhere.close())
const address = (): string => `http://127.0.0.1:${portOf(elsewhere)}/latest/meta-data/`

/** What a request asks for. */
type Kind = 'read' | 'list' | 'write' | 'remove'
function kindOf({ method, url }: Asked): Kind | undefined {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  if (url.searchParams.has('list-type') || (method === 'GET' && name === 'list')) return 'list'
  if (method === 'DELETE' || url.searchParams.has('delete') || name === 'remove' || name === 'clear') return 'remove'
  if (method === 'PUT') return 'write'
  return method === 'GET' && !url.searchParams.has('uploads') ? 'read' : undefined
}

const body = (said: Said, bytes: Buffer | string): Said => {
  const changed = Buffer.from(bytes)
  return { ...said, body: changed, headers: { ...said.headers, 'content-length': String(changed.length) } }
}
/** Changes the successful answers of one kind. */
const good =
  (kind: Kind, change: (said: Said, asked: Asked) => Said | Promise<Said>): Lie =>
  (asked, said) =>
    kindOf(asked) === kind && said.status === 200 ? change(said, asked) : said
const always =
  (answer: (asked: Asked) => Said): Lie =>
  (asked) =>
    kindOf(asked) ? answer(asked) : undefined

function before(): Lie {
  let last: Buffer | undefined
  return good('read', (said) => {
    const former = last ?? said.body
    last = said.body
    return body(said, former)
  })
}

const refusal = (status: number): Lie =>
  always(({ headers }) => {
    // Some servers echo the request, to help with wrong signatures.
    const echo = `${ESCAPES} ${headers.authorization ?? ''} ${String(headers['x-tpi-token'] ?? '')}`
    const text = `<Error><Code>${status === 403 ? 'SignatureDoesNotMatch' : 'Odd'}</Code><Message>${echo}</Message></Error>`
    return body({ status, headers: { 'content-type': 'application/xml', 'x-tpi-store': '1' }, body: Buffer.alloc(0) }, text)
  })

const stream = (announced: boolean): Lie => {
  const piece = Buffer.alloc(1 << 20, ' ')
  return async (asked, said, response) => {
    if (kindOf(asked) !== 'read' || said.status !== 200) return said
    const { 'content-length': _length, ...headers } = said.headers
    response.writeHead(200, announced ? { ...headers, 'content-length': String(3 * 2 ** 30) } : headers)
    for (let sent = 0; sent < 80 && !response.destroyed; sent++)
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), sleep(1000)])
    response.destroy()
    return undefined
  }
}

const LIES: readonly (readonly [string, (far: Far) => Lie])[] = [
  ['half of each object', () => good('read', (said) => body(said, said.body.subarray(0, said.body.length >> 1)))],
  ['nothing of each object', () => good('read', (said) => body(said, ''))],
  [
    'bytes that are others',
    () => good('read', (said) => body(said, said.body.map((byte, at) => (at % 61 === 7 ? byte ^ 0x55 : byte)) as Buffer)),
  ],
  ['the object that was read before', before],
  ['the object that comes next', (far) => good('read', (said, asked) => body(said, far.next(asked)))],
  ["the neighbour's objects", (far) => good('read', (said, asked) => body(said, far.neighbours(asked, NAME, NEIGHBOUR) ?? said.body))],
  ['nothing in lists', (far) => good('list', (said) => body(said, far.list([])))],
  ["the neighbour's objects in lists", (far) => good('list', (said) => body(said, far.list(far.keys())))],
  [
    'ways out in lists',
    (far) =>
      good('list', (said, asked) =>
        body(said, far.list(['../../x', '/etc/passwd', `${far.prefix(asked)}../../x`, `${far.prefix(asked)}${ESCAPES}`])),
      ),
  ],
  [
    'lists that begin again',
    (far) =>
      good('list', (said, asked) =>
        body(
          said,
          far.list(
            far.keys().filter((key) => key.startsWith(far.prefix(asked))),
            true,
          ),
        ),
      ),
  ],
  [
    'lists of what is not there',
    (far) =>
      good('list', (said, asked) =>
        // Each of these objects is requested, at 2 to 4 ms of processor time. The cost of such a list grows with its length, up to the bounds of
        // lists.
        body(said, far.list(Array.from({ length: 100 }, (_, n) => `${far.prefix(asked)}${String(n).padStart(6, '0')}-0000000001`))),
      ),
  ],
  ['lists in lists', () => good('list', (said) => body(said, '<a>'.repeat(1 << 18) + '['.repeat(1 << 18)))],
  [
    'everything late, and byte by byte',
    () => async (asked, said, response) => {
      await sleep(20)
      if (kindOf(asked) !== 'read' || said.body.length > 3000) return said
      response.writeHead(said.status, said.headers)
      for (const byte of said.body) response.write(Buffer.of(byte))
      response.end()
      return undefined
    },
  ],
]

/** Answers that cannot be understood, or not in time. */
const USELESS: typeof LIES = [
  [
    'another version each time',
    () => (_asked, said) => ({ ...said, headers: { ...said.headers, etag: `"${Math.random()}"`, 'x-tpi-version': String(Math.random()) } }),
  ],
  [
    'a version of 8 kB that is none',
    () => (_asked, said) => ({
      ...said,
      headers: { ...said.headers, etag: `%E0${'%'.repeat(8000)}`, 'x-tpi-version': `%E0${'%'.repeat(8000)}` },
    }),
  ],
  [
    'a page of somebody in between',
    () => always(() => body({ status: 200, headers: { etag: '"v"' }, body: Buffer.alloc(0) }, '<html>Log in</html>')),
  ],
  ['three gigabytes, as announced', () => stream(true)],
  ['a body without end', () => stream(false)],
  [
    'no version',
    () => (_asked, said) => ({ ...said, headers: { 'content-length': said.headers['content-length'] ?? '0', 'x-tpi-store': '1' } }),
  ],
  ['another place', () => always(() => ({ status: 307, headers: { location: address(), 'content-length': '0' }, body: Buffer.alloc(0) }))],
  ['that nothing is there', () => refusal(404)],
  ['that nobody may', () => refusal(403)],
  ['that nothing of it can be', () => refusal(400)],
]

/** At each answer a random lie, or the truth. */
function any(seed: number, far: Far): Lie {
  const chance = seeded(seed)
  const lies = LIES.filter(([name]) => !name.endsWith('byte by byte')).map(([, make]) => make(far))
  return (asked, said, response) => {
    const lie = chance.chance(0.6) ? undefined : chance.pick(lies)
    return lie ? lie(asked, said, response) : said
  }
}

const LOOK: readonly Command[] = [['status', NAME, '--json'], ['list'], ['logs', NAME], ['pull', NAME, '**', '--to', 'out']]
/** An answer of S3 that cannot be understood may come from a passing fault on the way, so a collecting command waits for minutes. */
const PASSING = /^lists (?:that begin again|in lists)$/
/** The command that started the run; what it relies on may be another run, or none. */
const ATTACH: Command = [
  'task',
  '--name',
  NAME,
  '--workdir',
  'none',
  '--output-dir',
  'out',
  '--if-exists',
  'attach',
  '--wait',
  '1s',
  ...WORDS,
]
const ATTACHED = /^(half of each|bytes that|the object that|the neighbour's objects$|nothing in lists)/
const COLLECT: Command = ['collect', NAME, '--to', 'out', '--outputs-file', 'outputs.env']

describe.each(
  sampled([
    ['S3', farS3],
    ['http', farHttp],
  ] as const),
)('a store of %s that gives', (_kind, make) => {
  let far: Far
  let p: Prey
  beforeAll(async () => {
    far = await make()
    p = await prey(WORDS, far)
  })
  afterAll(async () => {
    await p?.end()
    await far?.end()
  })

  const reported = async (lie: Lie, commands: readonly Command[]): Promise<readonly string[]> => {
    far.lie = undefined
    const found = await p.attack(() => void (far.lie = lie), commands)
    far.lie = undefined
    const neighbours = far.keys().filter((key) => key.startsWith(`tpi-${NEIGHBOUR}-`))
    const there = await far.there()
    const lost = neighbours.filter((key) => !there.includes(key)).map((key) => `of the neighbour is gone: ${key}`)
    // Whatever the server gave, only the script's own result may be delivered.
    const file = join(p.out, 'r/f')
    const wrong = existsSync(file) && readFileSync(file, 'utf8') !== 'hello\n' ? ['another file was delivered'] : []
    return [...found, ...lost, ...wrong, ...strayed.splice(0).map((call) => `it went elsewhere: ${call}`)]
  }

  test.each(LIES)('%s', async (name, lie) => {
    expect(await reported(lie(far), PASSING.test(name) ? LOOK : [...LOOK, COLLECT])).toEqual([])
  })

  test.each(USELESS)('%s', async (_name, lie) => {
    expect(await reported(lie(far), LOOK)).toEqual([])
  })

  test.each([1, 2, 3])('now this, now that (%d)', async (seed) => {
    expect(await reported(any(seed, far), LOOK)).toEqual([])
  })

  test.each(LIES.filter(([name]) => ATTACHED.test(name)))('%s, with an attaching command', async (_name, lie) => {
    expect(await reported(lie(far), [[...ATTACH, ...far.words]])).toEqual([])
  })

  test('honest answers: the results are delivered, and the run is removed', async () => {
    expect(await p.attack(() => undefined, [['collect', NAME, '--to', 'out']])).toEqual([])
    expect(readFileSync(join(p.out, 'r/f'), 'utf8')).toBe('hello\n')
    const there = await far.there()
    expect(there.filter((key) => key.startsWith(`${p.id}/`))).toEqual([])
    expect(there.filter((key) => key.startsWith(`tpi-${NEIGHBOUR}-`))).not.toEqual([])
  })
})
