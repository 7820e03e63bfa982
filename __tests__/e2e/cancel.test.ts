/** A CI system cancels the job: the stop request is stored at once, and nothing keeps running. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { PATIENCE } from '../setup/patience.ts'
import { until } from '../setup/wait.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const CI = {
  GITLAB_CI: 'true',
  CI_PROJECT_PATH: 'group/project',
  CI_PIPELINE_ID: '7',
  CI_JOB_NAME: 'train',
  CI_SERVER_HOST: 'gitlab.example',
}
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tpi-cancel-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const env = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: home, TPI_HOME: home, ...CI })

function start(...words: string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...words], { env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
}
// biome-ignore lint/suspicious/noExplicitAny: facts are read by the tests that know them
function facts(...words: string[]): any {
  return JSON.parse(spawnSync(process.execPath, [CLI, ...words, '--json'], { encoding: 'utf8', env: env() }).stdout)
}
const exited = async (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null ? (await once(child, 'exit'))[0] : child.exitCode

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s', (signal, code) => {
  test('stops the task, keeps its last snapshot, and exits within the 10 s that a CI host leaves', async () => {
    const child = start('task', '--name', 'fit', '--', 'sh', '-c', 'echo 1 > kept; sleep 600')
    await until('it runs', () => facts('list').some((row: { state: string }) => row.state === 'running'))
    const sent = Date.now()
    child.kill(signal)
    expect(await exited(child)).toBe(code)
    expect(Date.now() - sent).toBeLessThan(10_000 * PATIENCE)
    // Its machine may still be saving.
    await until('its machine has ended', () => facts('status', 'fit').state === 'stopped')
    expect(facts('status', 'fit')).toMatchObject({ state: 'stopped', outcome: 'stopped', slots: [{ state: 'stopped' }] })
    expect(spawnSync(process.execPath, [CLI, 'pull', 'fit', '--to', join(home, 'here')], { env: env() }).status).toBe(0)
    expect(spawnSync(process.execPath, [CLI, 'destroy', 'fit', '--discard'], { env: env() }).status).toBe(0)
  })

  test('with on-cancel: detach it goes on', async () => {
    const child = start('task', '--name', 'fit', '--on-cancel', 'detach', '--', 'sleep', '600')
    await until('it runs', () => facts('list').some((row: { state: string }) => row.state === 'running'))
    child.kill(signal)
    expect(await exited(child)).toBe(75)
    expect(facts('status', 'fit')).toMatchObject({ state: 'running' })
    expect(spawnSync(process.execPath, [CLI, 'destroy', 'fit', '--discard'], { env: env() }).status).toBe(0)
  })
})

test('the outcome is the last line of the log, also after a line that the program has not ended', async () => {
  const command = ['--', 'sh', '-c', 'printf "epoch 1"; sleep 600']
  expect(await exited(start('task', '--name', 'bar', '--detach', ...command))).toBe(0)
  const logs = (): string => spawnSync(process.execPath, [CLI, 'logs', 'bar'], { encoding: 'utf8', env: env() }).stdout
  await until('it has printed', () => logs().includes('epoch 1'))
  const log = join(home, 'log')
  const to = openSync(log, 'w')
  const followed = spawn(process.execPath, [CLI, 'task', '--name', 'bar', '--wait', '15s', ...command], {
    env: env(),
    stdio: ['ignore', to, to],
  })
  expect(await exited(followed)).toBe(75)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  expect([lines.includes('epoch 1'), lines.at(-1)]).toEqual([true, 'outcome: running, exit code 75'])
  expect(spawnSync(process.execPath, [CLI, 'destroy', 'bar', '--discard'], { env: env() }).status).toBe(0)
})

test('in CI a task without a name is found again by the same job, and by --mine', async () => {
  const child = start('task', '--detach', '--', 'sleep', '600')
  expect(await exited(child)).toBe(0)
  const [first] = facts('list', '--mine')
  const again = start('task', '--wait', '1s', '--', 'sleep', '600')
  expect(await exited(again)).toBe(75)
  expect(facts('list')).toHaveLength(1)
  expect(first.name).toMatch(/^7-train/)
  expect(spawnSync(process.execPath, [CLI, 'stop', '--mine'], { env: env() }).status).toBe(0)
  expect(facts('status', first.id)).toMatchObject({ state: 'stopped' })
  expect(spawnSync(process.execPath, [CLI, 'destroy', '--mine', '--discard'], { env: env() }).status).toBe(0)
  expect(facts('list')).toEqual([])
})
