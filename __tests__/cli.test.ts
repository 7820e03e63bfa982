/** The command line as a whole: how it reports an error, to people and to programs. */
import { EventEmitter } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from '@jest/globals'
import { runCommandLine } from '../src/cli.ts'
import { VERSION } from '../src/wire/parse.ts'
import { asOrdinaryUser } from './setup/ordinary.ts'
import { scratch } from './setup/scratch.ts'

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface Around {
  readonly platform?: string
  readonly more?: Readonly<Record<string, string>>
  readonly cwd?: (home: string) => string
  /** Takes the place of standard output. */
  readonly out?: NodeJS.WriteStream
  /** Made by root, for commands of another user. */
  readonly ofRoot?: (home: string) => void
}

const tpi = async (...argv: readonly string[]): Promise<Ran> => tpiIn({}, ...argv)

const pipe = (): NodeJS.WriteStream => Object.assign(new PassThrough(), { isTTY: false, columns: 80 }) as unknown as NodeJS.WriteStream

async function tpiIn(
  { platform = 'linux', more = {}, out = pipe(), cwd = (home) => home, ofRoot }: Around,
  ...argv: readonly string[]
): Promise<Ran> {
  const home = scratch('tpi-cli-')
  const textOf = (stream: NodeJS.WriteStream): string => String((stream as unknown as Partial<PassThrough>).read?.() ?? '')
  const [stdout, stderr] = [out, pipe()]
  const on = (() => process) as unknown as NodeJS.Process['on']
  const stdin = Object.assign(new PassThrough().end(), { isTTY: false }) as unknown as NodeJS.ReadStream
  try {
    const env = { HOME: home, TPI_HOME: home, PATH: process.env['PATH'], ...more }
    const run = async (): Promise<number> =>
      runCommandLine({ argv, env, cwd: () => cwd(home), platform, stdin, stdout, stderr, on, agentFile: '' })
    ofRoot?.(home)
    const code = await (ofRoot ? asOrdinaryUser([home], run) : run())
    return { code, out: textOf(stdout), err: textOf(stderr) }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

test.each([
  [['status', 'none'], 'name: there is no run "none" (tpi list --all shows all runs, those that are gone too)'],
  [['task', '--script', 'true', '--workdir', '/'], /^workdir: /],
] as const)('an error of %j reads the same for programs, with the options of a command line', async (words, message) => {
  const { code, out, err } = await tpi(...words, '--json')
  const { error, exitCode } = JSON.parse(out) as { error: string; exitCode: number }
  expect([code, exitCode]).toEqual([64, 64])
  expect(error).toMatch(message)
  expect(error).not.toContain('`')
  expect(err).toContain(`error: ${error.split('\n')[0]}\n`)
})

test.each([
  ['an option that does not exist', {}, ['--nonesuch', '--json=true']],
  ['and JSON wanted by the environment', { TPI_JSON: 'true' }, ['--nonesuch']],
  ['in a verb that does not exist', { TPI_JSON: 'true' }, []],
])('a command line that is refused has the object, too: %s', async (_, more, words) => {
  const { code, out } = await tpiIn({ more }, words.length > 0 ? 'list' : 'lisp', ...words)
  expect([code, JSON.parse(out)]).toMatchObject([64, { outcome: 'invalid', exitCode: 64 }])
})

test('who does not want JSON gets none', async () => {
  expect((await tpiIn({ more: { TPI_JSON: 'true' } }, 'list', '--nonesuch', '--json=false')).out).toBe('')
  expect((await tpi('exec', 'x', '--nonesuch', '--', 'jq', '--json')).out).toBe('')
  expect(JSON.parse((await tpiIn({ more: { TPI_JSON: 'true' } }, 'version')).out)).toMatchObject({ node: process.versions.node })
})

test('on Windows, nothing is done but to say where it runs', async () => {
  const { code, err } = await tpiIn({ platform: 'win32' }, 'task', '--script', 'true')
  expect([code, err]).toEqual([64, expect.stringContaining('error: tpi runs on Linux and macOS, not on Windows')])
  expect((await tpiIn({ platform: 'win32' }, '--version')).code).toBe(0)
})

test('in a folder that has been removed, that is said', async () => {
  const gone = (): never => {
    throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' })
  }
  const { code, out, err } = await tpiIn({ cwd: gone }, 'list', '--json')
  expect([code, JSON.parse(out)]).toMatchObject([64, { outcome: 'invalid', exitCode: 64 }])
  expect(err).toContain('error: the current folder has been removed, or cannot be read (go to another one)\n')
})

test('where nothing answers, and a proxy is named that is not used, the way through it is said', async () => {
  const token_uri = 'http://127.0.0.1:1/'
  const login = JSON.stringify({ type: 'authorized_user', client_id: 'a', client_secret: 'b', refresh_token: 'c', token_uri })
  const words = ['status', 'x', '--cloud', 'local', '--storage', 'gs://bucket/x']
  const away = { GOOGLE_CREDENTIALS: login }
  const [direct, past] = await Promise.all([
    tpiIn({ more: away }, ...words),
    tpiIn({ more: { ...away, https_proxy: 'http://proxy:3128' } }, ...words),
  ])
  expect([direct.code, past.code]).toEqual([76, 76])
  expect(direct.err).not.toContain('NODE_USE_ENV_PROXY')
  expect(past.err).toContain('also set NODE_USE_ENV_PROXY=1')
})

test.each([
  ['list', '--all', '--json'],
  ['status', 'x', '--json'],
])('what root has left in the home, as with sudo, hides no run of the user: %s', async (...words) => {
  const mode = 0o000
  const ran = await tpiIn(
    {
      ofRoot(home) {
        for (const name of ['history', 'deployments', 'local']) mkdirSync(join(home, name))
        for (const name of ['history', 'deployments']) writeFileSync(join(home, name, 'tpi-x-0123456789.json'), '{}', { mode })
        mkdirSync(join(home, 'local', 'tpi-x-0123456789'), { mode })
      },
    },
    ...words,
  )
  expect([ran.code, ran.out]).toEqual(words[0] === 'list' ? [0, '[]\n'] : [64, expect.stringContaining('there is no run')])
  expect(ran.err.match(/tpi-x-0123456789 is left out: another user has started it/g)).toHaveLength(1)
  expect(ran.err).not.toContain('clean up')
})

test('a run of a newer version of tpi is not silently left out', async () => {
  const home = scratch('tpi-cli-')
  const folder = join(home, 'local', 'tpi-x-0123456789', 'inc')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'group.json'), JSON.stringify({ v: VERSION + 1 }))
  const ran = await tpiIn({ more: { TPI_HOME: home } }, 'list', '--json')
  expect([ran.code, ran.out]).toEqual([76, '[]\n'])
  expect(ran.err.match(/error: local, tpi-x-0123456789: it was written by a newer version of tpi \(.*\): update tpi/g)).toHaveLength(1)
})

test('a run that only a history of another version knows is not called unknown without a word', async () => {
  const home = scratch('tpi-cli-')
  mkdirSync(join(home, 'history'))
  writeFileSync(join(home, 'history', 'tpi-x-0123456789.20260101000000.json'), '{"of":"the future"}')
  const { code, err } = await tpiIn({ more: { TPI_HOME: home } }, 'status', 'x')
  expect([code, err]).toEqual([
    64,
    expect.stringContaining('warning: 1 former run cannot be read: another version of tpi may have written'),
  ])
})

/** A file on a disk that has no room, or a pipe whose reader has left: every write fails. */
const failing = (code: string): NodeJS.WriteStream => {
  const stream = Object.assign(new EventEmitter(), {
    isTTY: false,
    write(_: string, done?: () => void) {
      process.nextTick(() => {
        stream.emit('error', Object.assign(new Error(`${code}: write`), { code }))
        done?.()
      })
    },
  })
  return stream as unknown as NodeJS.WriteStream
}

test.each(['list', 'list --json', 'version'])('an output that the disk has no room for is no success: tpi %s', async (words) => {
  const [full, unread] = await Promise.all(['ENOSPC', 'EPIPE'].map(async (code) => tpiIn({ out: failing(code) }, ...words.split(' '))))
  expect([full?.code, unread?.code]).toEqual([76, 0])
  expect(full?.err).toMatch(/error: the output is not complete.* ENOSPC.*\n(.*\n)*outcome: remote-error, exit code 76\n$/)
})
