/** The built action with `command`: a run is started in one step, and shown, stopped, collected and removed in others. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { leaks } from '../../lab/leaks.ts'
import { resultsDouble } from '../../lab/results-service.ts'
import { type StepEnd, startStep } from '../../lab/step-runner.ts'
import { unzip } from '../../lab/unzip.ts'
import { until } from '../../setup/wait.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-commands-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const FAST = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '3s', TPI_RESERVE: '5s' }
const step = (inputs: Record<string, string>, env: Record<string, string> = {}): Promise<StepEnd> =>
  startStep('main', { folder, inputs, env: { ...FAST, ...env } }).end
const home = (): string => join(folder, 'home')

describe('what creates nothing', () => {
  test.each(['doctor', 'plan', 'list', 'sweep'])('%s', async (command) => {
    const end = await step({ command, cloud: 'local', ...(command === 'plan' ? { script: 'true' } : {}) })
    expect([end.code, end.annotations]).toEqual([0, []])
    expect(end.text.trim()).not.toBe('')
    expect(await leaks(home())).toEqual([])
  })

  test('doctor fails with what it finds', async () => {
    const end = await step({ command: 'doctor', cloud: 'local', cpu: '4096' })
    expect(end.code).toBe(1)
    expect(end.text).toMatch(/FAULT +cpu +.*4096/)
    expect(end.annotations).toMatchObject([{ level: 'error' }])
  })

  test('an unknown command is a fault that names the known ones', async () => {
    const end = await step({ command: 'exec', name: 'x' })
    expect(end.code).toBe(64)
    expect(end.annotations).toMatchObject([{ level: 'error', message: expect.stringMatching(/command.*collect.*doctor/) }])
  })
})

describe('a run that was left alone', () => {
  test('is reported by status and logs, ended by stop, delivered by collect, removed by destroy', async () => {
    const script = 'echo 1 > kept; echo "loss=0.5" >> "$TPI_OUTPUT"; echo ready; while :; do sleep 0.2; done'
    const started = await step({ name: 'long', output: 'kept', script, detach: 'true' })
    expect([started.code, started.outputs['outcome'], started.outputs['cost']]).toEqual([0, 'running', '0'])
    await until('it is ready', async () => (await step({ command: 'logs', name: 'long' })).text.includes('ready'))
    const status = await step({ command: 'status', name: 'long' })
    expect(status.outputs).toMatchObject({ id: started.outputs['id'], name: 'long', status: 'running', outcome: 'running', cost: '0' })
    expect(Number(status.outputs['machine-hours'])).toBeGreaterThan(0)
    expect((await step({ command: 'list' })).text).toContain('long')
    expect((await step({ command: 'stop', name: 'long' })).code).toBe(0)
    expect((await step({ command: 'status', name: 'long' })).outputs).toMatchObject({
      status: 'stopped',
      outcome: 'stopped',
      'exit-code': '130',
    })
    const collected = await step({ command: 'collect', name: 'long', to: 'here' })
    expect([collected.code, collected.outputs['outcome'], readFileSync(join(folder, 'here/kept'), 'utf8')]).toEqual([130, 'stopped', '1\n'])
    expect((await step({ command: 'destroy', name: 'long', discard: 'true' })).code).toBe(0)
    expect(await leaks(home())).toEqual([])
  })

  test('collect with finished takes every run that has ended, with an artifact and a folder each, and leaves the others', async () => {
    const results = await resultsDouble()
    try {
      const env = { ...results.env(), GITHUB_WORKSPACE: folder }
      const names = ['a', 'b', 'c']
      for (const name of names) await step({ name, output: 'r', script: `echo ${name} > r`, detach: 'true' }, env)
      await step({ name: 'still', output: 'r', script: 'sleep 600', detach: 'true' }, env)
      const over = async (name: string): Promise<boolean> => (await step({ command: 'status', name })).outputs['outcome'] === 'success'
      await until('all have ended', async () => (await over('a')) && (await over('b')) && (await over('c')))
      const end = await step(
        { command: 'collect', finished: 'true', to: 'here', artifact: 'mine', 'artifact-log': 'true' },
        { ...env, GITHUB_RUN_ID: '8' },
      )
      expect(end.code).toBe(0)
      expect([...results.artifacts.keys()].sort()).toEqual(names.flatMap((name) => [`mine-${name}`, `mine-${name}.log`]))
      for (const name of names) {
        expect(
          unzip(results.artifacts.get(`mine-${name}`)?.bytes ?? Buffer.alloc(0))
            .get('r')
            ?.toString(),
        ).toBe(`${name}\n`)
        expect(readFileSync(join(folder, 'here', name, 'r'), 'utf8')).toBe(`${name}\n`)
      }
      expect(end.annotations.filter(({ level }) => level === 'warning')).toEqual([])
      expect((await step({ command: 'status', name: 'still' })).outputs['outcome']).toBe('running')
      await step({ command: 'destroy', name: 'still', discard: 'true' })
      expect(await leaks(home())).toEqual([])
    } finally {
      await results.close()
    }
  })
})

test('a server without artifacts: a warning with a step that uploads them, and the outcome unchanged', async () => {
  // Like Gitea and GitHub Enterprise Server: a token and an address, but not the service that the official client uses.
  const env = { GITHUB_SERVER_URL: 'https://git.example.org', ACTIONS_RUNTIME_TOKEN: 'x', ACTIONS_RESULTS_URL: 'https://git.example.org/' }
  mkdirSync(join(folder, 'work'))
  const end = await step(
    { name: 'fit', workdir: 'work', output: 'r/**', script: 'mkdir r; echo 1 > r/a', 'artifact-retention-days': '3' },
    env,
  )
  expect([end.code, end.outputs['outcome'], end.outputs['artifact-id']]).toEqual([0, 'success', undefined])
  const [warning, ...others] = end.annotations
  expect(others).toEqual([])
  expect(warning?.level).toBe('warning')
  const [, ready = ''] = warning?.message.split(/this step uploads them:\n/) ?? []
  expect(parse(ready)).toEqual([
    {
      uses: 'actions/upload-artifact@v3',
      if: 'always()',
      with: { name: 'tpi-fit', path: `${join(folder, 'work/r/a')}\n`, 'retention-days': 3 },
    },
  ])
})
