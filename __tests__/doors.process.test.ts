/** The entry points of `dist/`, also on a Node that is too old for the program. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { STUBS } from '../scripts/stubs.ts'

const place = mkdtempSync(join(tmpdir(), 'tpi-doors-'))
beforeAll(() => {
  for (const [name, { text }] of Object.entries(STUBS)) writeFileSync(join(place, name), text)
  const rooms = ['Main', 'Post', 'Cli'].map((name) => `export const run${name} = async () => console.log('in ${name}')`)
  writeFileSync(join(place, 'index.js'), rooms.join('\n'))
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(place, { recursive: true }))

function started(door: string, versions: Readonly<Record<string, string>> = {}): { code: number | null; out: string; output: string } {
  const file = join(place, 'output')
  writeFileSync(file, '')
  const claims = Object.entries(versions).map(
    ([name, value]) => `Object.defineProperty(process.versions, '${name}', { value: '${value}' })`,
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(claims.join('\n'))}`, join(place, door)],
    { cwd: place, env: { GITHUB_OUTPUT: file }, encoding: 'utf8' },
  )
  return { code: status, out: stdout + stderr, output: readFileSync(file, 'utf8') }
}

test('a step that is started by an old Node says what it needs, and what to update', () => {
  const { code, out, output } = started('main.js', { node: '20.19.4' })
  expect([code, output]).toEqual([64, 'outcome=invalid\nexit-code=64\n'])
  expect(out).toMatch(/^::error::needs Node\.js 22\.15 or newer, and this step was started with 20\.19\.4: update the runner.*\n$/)
  expect(started('post.js', { node: '20.19.4' })).toEqual({ code: 0, out: '', output: '' })
})

test.each(['main.js', 'post.js', 'cli.js'])('%s works on a recent one', (door) => {
  for (const versions of [{}, { node: '22.15.0' }, { node: '26.0.0' }])
    expect(started(door, versions)).toMatchObject({ code: 0, out: expect.stringMatching(/^in (Main|Post|Cli)\n$/) })
})

test('a command that Yarn starts under Plug’n’Play, whose file system lacks what it needs, says what to use instead', () => {
  const { code, out } = started('cli.js', { pnp: '3' })
  expect([code, out]).toEqual([64, expect.stringMatching(/^tpi: cannot run under the Plug'n'Play of Yarn \(use npx instead, .*\)\n$/)])
})

test('a command keeps what Node has compiled, but creates no home folder for that, and uses none that others can write to', () => {
  const home = join(place, 'home')
  const opened = (value: string): boolean => {
    const env = { ...process.env, TPI_HOME: value, NODE_COMPILE_CACHE: undefined }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, 'cli.js')], { cwd: place, env, encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([0, 'in Cli\n', ''])
    return existsSync(join(home, 'cache', 'compiled'))
  }
  expect(opened(home)).toBe(false)
  expect(existsSync(home)).toBe(false)
  mkdirSync(home)
  chmodSync(home, 0o777)
  expect(opened(home)).toBe(false)
  chmodSync(home, 0o700)
  expect(opened('home')).toBe(false)
  expect(opened(home)).toBe(true)
})
