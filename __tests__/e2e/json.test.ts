/** With `--json`, standard output is exactly one JSON value, for every verb that prints facts, also if the command is refused. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
let home: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tpi-json-'))
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

// biome-ignore lint/suspicious/noExplicitAny: facts are read by the test that knows them
function tpi(...words: string[]): { code: number | null; facts: any } {
  const env = { PATH: process.env['PATH'], HOME: home, TPI_HOME: home }
  const at = words.indexOf('--')
  const argv = at === -1 ? [...words, '--json'] : [...words.slice(0, at), '--json', ...words.slice(at)]
  const ran = spawnSync(process.execPath, [CLI, ...argv], { cwd: home, encoding: 'utf8', env })
  return { code: ran.status, facts: JSON.parse(ran.stdout) }
}

test('one run, from its plan to its history', async () => {
  const task = ['--name', 'j', '--workdir', 'none', '--output', 'o', '--', 'sh', '-c', 'echo 1 > o; echo printed; sleep 600']
  expect(tpi('plan', ...task)).toMatchObject({ code: 0, facts: { name: 'j' } })
  expect(tpi('task', '--detach', ...task)).toMatchObject({
    code: 0,
    facts: { name: 'j', cloud: 'local', mode: 'task', outcome: 'running' },
  })
  await until('it runs', () => tpi('status', 'j').facts.state === 'running')
  expect(tpi('list').facts).toMatchObject([{ name: 'j', state: 'running' }])
  expect(tpi('collect', 'j', '--to', 'c')).toMatchObject({ code: 75, facts: { name: 'j', outcome: 'running' } })
  for (const words of [
    ['pull', 'j', '--to', 'p'],
    ['interrupt', 'j'],
    ['stop', 'j'],
  ])
    expect(tpi(...words)).toMatchObject({ code: 0, facts: { name: 'j' } })
  expect(tpi('collect', 'j')).toMatchObject({ code: 130, facts: { outcome: 'stopped' } })
  expect(tpi('destroy', 'j')).toMatchObject({ code: 0, facts: { name: 'j' } })
  expect(tpi('sweep')).toMatchObject({ code: 0, facts: [] })
  const { facts } = tpi('status', 'j')
  // The README and the page for first users promise these fields.
  for (const name of ['id', 'name', 'cloud', 'mode', 'state', 'outcome', 'exitCode', 'createdAt', 'deadline', 'slots'])
    expect(facts).toHaveProperty(name)
  for (const name of ['index', 'state', 'attempt', 'exitCode', 'reason', 'machine']) expect(facts.slots[0]).toHaveProperty(name)
})

test.each([['options'], ['doctor'], ['version'], ['list']])('tpi %s', (verb) => {
  expect(tpi(verb)).toMatchObject({ code: 0, facts: expect.anything() })
})

test.each([[['task']], [['status', 'nobody']], [['nonsense']], [['task', '--timeout', '3']]])('refused: %j', (words) => {
  expect(tpi(...words)).toMatchObject({ code: 64, facts: { outcome: 'invalid', exitCode: 64, error: expect.any(String) } })
})
