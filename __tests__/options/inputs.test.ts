import { describe, expect, test } from '@jest/globals'
import { faultsOf, runInputs } from './world.ts'

describe('inputs of the action', () => {
  test('a step as a workflow writes it', async () => {
    const step = {
      mode: 'task',
      cloud: 'local',
      output: 'results/**',
      env: 'SEED=7',
      secrets: 'WANDB_API_KEY',
      setup: 'pip install -r requirements.txt',
      script: 'python train.py',
      timeout: '',
      matrix: '{"seed":1}',
    }
    const { verb, values, program, setup, environment, given } = await runInputs(step, { env: { WANDB_API_KEY: 'canary-canary' } })
    expect(verb).toBe('task')
    expect(values).toMatchObject({ output: ['results/**'], matrix: '{"seed":1}', timeout: 86_400 })
    expect([program, setup]).toEqual([{ script: 'python train.py' }, { script: 'pip install -r requirements.txt' }])
    expect(environment).toEqual({ env: { SEED: '7' }, secrets: { WANDB_API_KEY: 'canary-canary' } })
    expect(given.get('output')).toEqual({ source: 'input', as: 'output' })
    expect(given.has('timeout')).toBe(false)
  })

  test.each([
    ['run', 'task', { script: 'x' }],
    ['plan', 'plan', { script: 'x' }],
    ['collect', 'collect', { finished: 'true' }],
    ['status', 'status', { name: 'fit' }],
    ['logs', 'logs', { name: 'fit', follow: 'true' }],
    ['stop', 'stop', { mine: 'true' }],
    ['destroy', 'destroy', { name: 'fit', discard: 'true' }],
    ['sweep', 'sweep', { yes: 'true' }],
    ['list', 'list', {}],
  ])('command: %s', async (command, verb, more) => {
    expect((await runInputs({ command, matrix: 'null', ...more })).verb).toBe(verb)
  })

  test.each([
    [{ script: 'x', paralelism: '3' }, 'paralelism: there is no such input (did you mean "parallelism"?)'],
    [{ script: 'x', 'max price': '3' }, 'max-price: is only for spot machines'],
    [{ script: 'x', glob: 'a' }, 'glob: there is no such input'],
    [{ script: 'x', json: 'true' }, 'json: there is no such input'],
    [{ script: 'x', 'secrets-stdin': 'true' }, 'secrets-stdin: there is no such input'],
    [{ script: 'x', gang: 'yes' }, 'gang: "yes" is neither true nor false'],
    [{ script: 'x', command: 'colect' }, 'command: "colect" is not "run", "collect"'],
    [{ script: 'x', mode: 'tusk' }, 'mode: "tusk" is not "task" or "runner" (did you mean "task"?)'],
    [{ command: 'collect' }, 'name: is missing (or say "finished: true" or "mine: true")'],
    [{ command: 'collect', name: 'fit', script: 'x' }, 'script: "command: collect" does not take it (it belongs to run, plan)'],
    [{ script: 'x', count: '3' }, 'count: "command: run" does not take it (it belongs to run with mode: runner; use "parallelism")'],
    [{}, 'there is nothing to run (give "script" or "script-file")'],
    [{ script: 'x', 'disk-size': '1GB', disk_size: '2GB' }, 'is given twice, also as disk-size'],
  ])('%j', async (given, message) => {
    const found = await faultsOf(runInputs(given))
    expect(found.some((line) => line.includes(message))).toBe(true)
  })

  test('for a misspelled command there is no other complaint', async () => {
    expect(await faultsOf(runInputs({ command: 'statsu', name: 'fit' }))).toEqual([expect.stringContaining('did you mean "status"?')])
  })

  test('planning runners is refused as for tasks only, without complaints about what a task would need', async () => {
    const found = await faultsOf(runInputs({ command: 'plan', mode: 'runner', labels: 'gpu', 'idle-timeout': '5m', paralelism: '3' }))
    expect(found).toEqual([
      expect.stringMatching(/^paralelism: /),
      expect.stringMatching(/^mode: "command: plan" is for tasks, not for runners/),
    ])
  })

  test('old names are inputs too', async () => {
    const { values } = await runInputs({ script: 'x', permission_set: 'arn:x', 'storage.workdir': 'src', 'cloud-hdd-size': '35' })
    expect(values).toMatchObject({ 'permission-set': 'arn:x', workdir: 'src', 'disk-size': 35e9 })
  })
})
