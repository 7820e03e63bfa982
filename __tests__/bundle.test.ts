/** `dist/` as users get it: alone in a folder, without our packages, our sources and our environment. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
/** Outside of every folder with a node_modules. */
const place = mkdtempSync(join(tmpdir(), 'tpi-bundle-'))
const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

beforeAll(() => cpSync(DIST, join(place, 'dist'), { recursive: true }))
afterAll(() => rmSync(place, { recursive: true, force: true }))

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], options: { node?: string; env?: Record<string, string> } = {}): Ran {
  const { node = process.execPath, env = {} } = options
  return spawnSync(node, args, { cwd: place, env, encoding: 'utf8' })
}

const tpi = (...args: string[]): Ran => run(['dist/cli.js', ...args])

describe('in an empty folder with an empty environment', () => {
  test('tpi --version prints the version', () => {
    const { status, stdout, stderr } = tpi('--version')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(version)
  })

  test('tpi --help names the verbs', () => {
    const { status, stdout } = tpi('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/\btask\b[\s\S]*\bstatus\b[\s\S]*\bdestroy\b/)
  })

  test('a wrong verb is one line of error and exit code 64', () => {
    const { status, stderr } = tpi('tsak')
    expect(status).toBe(64)
    expect(stderr).toContain('task')
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

describe('the command line on an old Node', () => {
  /** A Node that claims to be old: nothing newer may be used before the version is checked. */
  const OLD = "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });"
  const old = (folder: string, env: Record<string, string> = {}): Ran =>
    run(
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(`if (!process.env.TPI_RESTARTED) ${OLD}`)}`,
        join(folder, 'dist/cli.js'),
        '--version',
      ],
      { env },
    )

  test('goes on with the package "node" if that is installed', () => {
    expect(old(ROOT)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(version) })
  })

  test('says in one line what it needs otherwise', () => {
    const { status, stderr, stdout } = old(place)
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' })
    expect(stderr).toBe('tpi: needs Node.js 22.15 or newer, this is 20.11.0 (a package "node" beside it will do: npm install node@24)\n')
  })

  test('does not start itself for ever', () => {
    const env = { TPI_RESTARTED: '1' }
    const always = run(['--import', `data:text/javascript,${encodeURIComponent(OLD)}`, join(ROOT, 'dist/cli.js'), '--version'], { env })
    expect(always.status).toBe(64)
  })
})

describe('files', () => {
  const names = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(DIST, name)).isFile())
  const size = (name: string): number => statSync(join(DIST, name)).size

  test('nothing but the bundle, its chunks, the doors, the machine program and the licences', () => {
    const odd = names.filter(
      (name) => !/^(\d+\.)?index\.js$|^(main|post|cli)\.js$|^licenses\.txt$|^package\.json$|^agent\/agent\.mjs$/.test(name),
    )
    expect(odd).toEqual([])
    expect(names).toContain('agent/agent.mjs')
  })

  test('the machine program is one file that needs only Node', () => {
    const text = readFileSync(join(DIST, 'agent/agent.mjs'), 'utf8')
    const foreign = [...text.matchAll(/^import .* from ["']([^"']+)["']/gm)]
      .map(([, from = '']) => from)
      .filter((from) => !from.startsWith('node:'))
    expect(foreign).toEqual([])
    expect(text).not.toMatch(/\bimport\(\s*["']\.{1,2}\//)
  })

  test('no path of the machine that built it', () => {
    expect(names.filter((name) => readFileSync(join(DIST, name)).includes(ROOT))).toEqual([])
  })

  test('sizes stay within what starts fast: index 1.2 MB, machine program 0.7 MB (three clouds and four stores), a chunk 5 MB (the Kubernetes client), all 13 MB, of which a command loads one cloud', () => {
    expect(size('index.js')).toBeLessThan(1_200_000)
    expect(size('agent/agent.mjs')).toBeLessThan(700_000)
    expect(names.filter((name) => /^\d+\./.test(name) && size(name) > 5_000_000)).toEqual([])
    expect(names.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(13_000_000)
  })

  test('the licence of every package inside is there', () => {
    const lines = new Set(readFileSync(join(DIST, 'licenses.txt'), 'utf8').split('\n'))
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const imported = sources.flatMap((name) => [
      ...readFileSync(join(ROOT, 'src', name), 'utf8').matchAll(
        /(?:^import (?!type ).* from |\bimport\()'((?:@[^/']+\/)?[^./':][^/':]*)(?:\/[^']*)?'/gm,
      ),
    ])
    const inside = new Set(imported.map(([, name = '']) => name))
    expect(inside.size).toBeGreaterThan(0)
    expect([...inside].filter((name) => !lines.has(name))).toEqual([])
  })

  test('a step of the action starts with less than 1.65 MB of our code, and without an HTTP client', () => {
    const line = readFileSync(join(DIST, 'index.js'), 'utf8')
      .split('\n')
      .find((each) => each.includes('{ runMainStep } ='))
    const chunks = [...(line ?? '').matchAll(/\.e\((\d+)\)/g)].map((match) => `${match[1]}.index.js`)
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.filter((name) => /\bundici\b/.test(readFileSync(join(DIST, name), 'utf8')))).toEqual([])
    expect(chunks.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(1_650_000)
  })

  test('the doors are a few lines that load the bundle, once they know that this Node can read it', () => {
    for (const name of names.filter((file) => /^(main|post|cli)\.js$/.test(file))) {
      const text = readFileSync(join(DIST, name), 'utf8')
      expect([name, text.split('\n').length < (name === 'cli.js' ? 80 : 25)]).toEqual([name, true])
      expect([name, /import\('\.\/index\.js'\)/.test(text), /^import .*index\.js/m.test(text)]).toEqual([name, true, false])
    }
    expect(existsSync(join(DIST, 'package.json'))).toBe(true)
  })
})
