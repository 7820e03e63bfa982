/**
 * The example that resumes from the cache of GitHub Actions, unchanged, on one runner after another. `actions/cache` works only on GitHub, so a step
 * with its official client and a double of the service stands in for it; everything else is real.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { type ActLab, actLab, type WorkflowEnd } from '../../lab/act.ts'
import { leaks } from '../../lab/leaks.ts'
import { type ResultsDouble, resultsDouble } from '../../lab/results-service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FILE = 'resume-from-cache.yml'
let lab: ActLab | undefined
let results: ResultsDouble
let standIn: string

beforeEach(async () => {
  results = await resultsDouble()
})

afterEach(async () => results.close())

beforeAll(async () => {
  standIn = mkdtempSync(join(tmpdir(), 'tpi-cache-action-'))
  for (const what of ['restore', 'save']) writeStep(what)
  lab = await actLab()
  if (!lab) return
  mkdirSync(join(lab.repository, '.github/workflows'), { recursive: true })
  cpSync(join(ROOT, 'examples/workflows', FILE), join(lab.repository, '.github/workflows', FILE))
})

afterAll(() => {
  lab?.remove()
  rmSync(standIn, { recursive: true, force: true })
})

function writeStep(what: string): void {
  const names = ['path', 'key', 'restore-keys']
  const action = {
    name: what,
    inputs: Object.fromEntries(names.map((name) => [name, { description: name }])),
    runs: { using: 'node24', main: 'main.mjs' },
  }
  mkdirSync(join(standIn, what))
  writeFileSync(join(standIn, what, 'action.yml'), JSON.stringify(action))
  const program = join(ROOT, '__tests__/lab/cache-step.ts')
  writeFileSync(join(standIn, what, 'main.mjs'), `process.argv[2] = '${what}'\nawait import('${program}')\n`)
}

/** On a fresh runner: its home folder has nothing of former ones. */
async function onNewRunner(here: ActLab, run: string): Promise<WorkflowEnd> {
  const state = join(here.user, '.tpi')
  rmSync(state, { recursive: true, force: true })
  const name =
    /actions\/cache\/restore@[0-9a-f]{40}/.exec(readFileSync(join(here.repository, '.github/workflows', FILE), 'utf8'))?.[0] ?? ''
  const actions = { [name.replace('/restore', '')]: standIn }
  const end = await here.run(FILE, { run, actions, env: { ...results.env(), TPI_HOME: state } })
  expect((await leaks(state)).filter((line) => line.startsWith('process'))).toEqual([])
  return end
}

interface Part {
  readonly began: number
  readonly reached: number
  readonly outcome: string
}

async function part(here: ActLab, run: number): Promise<Part> {
  const end = await onNewRunner(here, String(run))
  const [, outcome = '', reached] = /^(?!begins)(\S+) after epoch (\d+)$/m.exec(end.printed()) ?? []
  expect([end.code, outcome]).toEqual([0, expect.stringMatching(/^(?:success|timed-out)$/)])
  return { began: Number(/begins after epoch (\d+)/.exec(end.printed())?.[1]), reached: Number(reached), outcome }
}

jest.setTimeout(300_000)

/** How many jobs may run out of time; a busy host needs several. */
const PATIENCE = 12

test('a job that ran out of time continues on other runners; after it has finished, the next one starts anew', async () => {
  if (!lab) return
  const parts = [await part(lab, 1)]
  while (parts.at(-1)?.outcome === 'timed-out' && parts.length < PATIENCE) parts.push(await part(lab, parts.length + 1))
  expect(parts.map(({ outcome }) => outcome)).toEqual([...parts.slice(1).map(() => 'timed-out'), 'success'])
  expect(parts.length).toBeGreaterThan(1)
  expect(parts[0]?.began).toBe(0)
  for (const [at, { began, reached }] of parts.slice(1).entries()) {
    expect(began).toBe(parts[at]?.reached)
    expect(reached).toBeGreaterThan(began)
  }
  expect(parts.at(-1)?.reached).toBe(24)
  expect(results.caches.map(({ key }) => key)).toEqual(parts.map((_, at) => `long-${at + 1}-1`))

  expect((await part(lab, parts.length + 1)).began).toBe(0)
})
