/** If time is short, CI does not begin some test files, and gives up one that does not end: it names them and counts them, so none is lost silently. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, '__tests__/lib/staleness.test.ts')
const ITS_TESTS = readFileSync(FILE, 'utf8').match(/^test\(/gm)?.length

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-in-time-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function node(env: Readonly<Record<string, string>>, ...words: readonly string[]): { readonly code: number | null; readonly text: string } {
  const { PATH = '', HOME = '', TPI_AGENT_BUNDLE = '' } = process.env
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    env: { PATH, HOME, TPI_AGENT_BUNDLE, ...env },
    encoding: 'utf8',
  })
  return { code: status, text: stdout.trim() }
}

/** Gives jest's exit code. */
function jestOn(file: string, report: string, env: Readonly<Record<string, string>>): number | null {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--json', '--outputFile', report, '--runTestsByPath', file]
  return node(env, ...jest).code
}

test.each([
  ['the file is run', 600, 1, `${ITS_TESTS} 0 0`, ''],
  ['it is named', 10, 1, '0 0 1', 'skipped: lib/staleness.test.ts: not begun: 10 s are left, and it needs about 15 s'],
  [
    'it is named, by its time on a slow machine',
    20,
    2,
    '0 0 1',
    'skipped: lib/staleness.test.ts: not begun: 20 s are left, and it needs about 30 s',
  ],
])('%s with %i s left, on a machine that takes %i times as long', (_, left, slowness, counts, late) => {
  const report = join(folder, 'report.json')
  // Seconds are rounded, and jest takes some time to start.
  const env = { TPI_TEST_UNTIL: String(Date.now() / 1000 + left), TPI_TEST_SLOWNESS: String(slowness) }
  expect(jestOn(FILE, report, env)).toBe(0)
  expect(node({}, '.ci/report.mjs', 'count', '0', report).text).toBe(counts)
  const seen = node({}, '.ci/report.mjs', 'late', report).text
  expect(seen.replace(/: \d+ s are left/, `: ${left} s are left`)).toBe(late)
})

test('a file that does not end counts as failed, and the test is named that was running', () => {
  const report = join(folder, 'report.json')
  // It waits for timers, and its time is over when it begins.
  const file = join(ROOT, '__tests__/lib/clock.test.ts')
  expect(jestOn(file, report, { TPI_TEST_CUT: '0' })).toBe(1)
  expect(node({}, '.ci/report.mjs', 'count', '1', report).text).toBe('0 1 0')
  expect(node({}, '.ci/report.mjs', 'failed', report).text).toBe(file)
  expect(readFileSync(report, 'utf8')).toContain('given up, because it did not end: boot clock waits')
})

test('a test that passed only when it was run again is named, and why', () => {
  const report = join(folder, 'report.json')
  const result = (title: string, status: string, invocations: number) => ({
    title,
    fullName: `a room ${title}`,
    status,
    invocations,
    retryReasons: invocations > 1 ? [`\u001b[31m${title} once\u001b[39m`] : [],
    failureMessages: status === 'failed' ? [`${title} again`] : [],
  })
  const assertionResults = [result('at once', 'passed', 1), result('late', 'passed', 2), result('never', 'failed', 2)]
  writeFileSync(report, JSON.stringify({ testResults: [{ name: '/x/__tests__/lab/a.test.ts', assertionResults }] }))
  expect(node({}, '.ci/report.mjs', 'retried', report).text).toBe('passed at the second try: lab/a.test.ts: a room late')
  expect(node({}, '.ci/report.mjs', 'why', report).text.split('\n')).toEqual([
    'lab/a.test.ts: a room late',
    'late once',
    'lab/a.test.ts: a room never',
    'never once',
    'never again',
  ])
})
