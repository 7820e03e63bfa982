import { describe, expect, test } from '@jest/globals'
import { InputError } from '../../src/core/errors.ts'
import { faultsOf, run } from './world.ts'

const files = { '/repo/train.sh': '#!/bin/sh\necho hi', '/repo/train.py': 'import os' }

describe('the lines of the README', () => {
  test('a task from a file', async () => {
    const line = ['task', '--cloud', 'local', '--name', 'fit', '--workdir', './project', '--output', 'results/**', '--env', 'SEED=7']
    const { verb, values, program, environment, given } = await run([...line, '--secret', 'WANDB_API_KEY', '--script-file', 'train.sh'], {
      files,
      env: { WANDB_API_KEY: 'canary-canary' },
    })
    expect(verb).toBe('task')
    expect(values).toMatchObject({
      cloud: 'local',
      name: 'fit',
      workdir: './project',
      output: ['results/**'],
      parallelism: 1,
      timeout: 86_400,
    })
    expect(program).toEqual({ script: '#!/bin/sh\necho hi' })
    expect(environment).toEqual({ env: { SEED: '7' }, secrets: { WANDB_API_KEY: 'canary-canary' } })
    expect(given.get('secrets')).toEqual({ source: 'flag', as: '--secret' })
    expect(given.has('timeout')).toBe(false)
  })

  test.each([
    ['\uFEFF#!/bin/sh\r\necho hi\r\n', '#!/bin/sh\necho hi\n'],
    ['printf "a\r\nb"', 'printf "a\nb"'],
    ['# as it is\nprintf "a\r\nb"', '# as it is\nprintf "a\r\nb"'],
  ])('a script from Windows, %j', async (text, script) => {
    const { program } = await run(['task', '--script-file', 'train.sh'], { files: { '/repo/train.sh': text } })
    expect(program).toEqual({ script })
  })

  test('a task from a text', async () => {
    const { values, program } = await run(['task', '--name', 'hello', '--script', '#!/bin/sh\necho hi'])
    expect(values.cloud).toBe('local')
    expect(program).toEqual({ script: '#!/bin/sh\necho hi' })
  })

  test('everything after -- is the command', async () => {
    const { values, program } = await run([
      'task',
      '--name',
      'many',
      '--parallelism',
      '3',
      '--detach',
      '--',
      'python3',
      'train.py',
      '--epochs',
      '5',
      '--',
      '-h',
    ])
    expect(values).toMatchObject({ parallelism: 3, detach: true, wait: false })
    expect(program).toEqual({ argv: ['python3', 'train.py', '--epochs', '5', '--', '-h'] })
  })

  test.each([
    [['list'], 'list', {}],
    [['status', 'NAME', '--json'], 'status', { name: 'NAME', json: true }],
    [['--json', 'status', 'NAME'], 'status', { name: 'NAME', json: true }],
    [['logs', 'NAME', '--follow'], 'logs', { name: 'NAME', follow: true }],
    [['logs', '-f', '--slot=2', 'NAME'], 'logs', { name: 'NAME', follow: true, slot: 2 }],
    [['stop', 'NAME'], 'stop', { name: 'NAME' }],
    [['stop', '--mine'], 'stop', { mine: true }],
    [['collect', 'NAME', '--to', 'DIR'], 'collect', { name: 'NAME', to: 'DIR' }],
    [['collect', '--finished'], 'collect', { finished: true }],
    [['pull', 'NAME', 'a/**,b', '--to', 'DIR'], 'pull', { name: 'NAME', glob: ['a/**', 'b'], to: 'DIR' }],
    [['destroy', 'NAME', '--discard'], 'destroy', { name: 'NAME', discard: true }],
    [['sweep', '--yes'], 'sweep', { yes: true }],
    [['interrupt', 'NAME', '--slot', '0'], 'interrupt', { name: 'NAME', slot: 0 }],
    [['options'], 'options', {}],
    [['completion', 'bash'], 'completion', { shell: 'bash' }],
    [['help', 'task'], 'help', { topic: 'task' }],
  ])('tpi %j', async (argv, verb, values) => {
    const parsed = await run(argv)
    expect(parsed.verb).toBe(verb)
    expect(parsed.values).toMatchObject(values)
  })

  test('exec passes the command on unchanged', async () => {
    const { verb, values, command, program } = await run(['exec', 'fit', '--slot', '1', '--', 'ls', '--all'])
    expect([verb, values.name, values.slot, command, program]).toEqual(['exec', 'fit', 1, ['ls', '--all'], undefined])
  })
})

describe('help and version answer whatever else is on the line', () => {
  test.each([
    [[], 'help', undefined],
    [['--help'], 'help', undefined],
    [['-h'], 'help', undefined],
    [['help'], 'help', undefined],
    [['task', '--help', '--bogus', '--timeout', 'x'], 'help', 'task'],
    [['stop', '-h'], 'help', 'stop'],
    [['--version'], 'version', undefined],
    [['-v'], 'version', undefined],
    [['version', '--json'], 'version', undefined],
  ])('tpi %j', async (argv, verb, topic) => {
    const parsed = await run(argv)
    expect([parsed.verb, parsed.values.topic]).toEqual([verb, topic])
    expect(parsed.values.json).toBe(argv.includes('--json'))
  })

  test('a --help after -- belongs to the command', async () => {
    expect((await run(['task', '--', 'train', '--help'])).program).toEqual({ argv: ['train', '--help'] })
  })
})

describe('all faults at once, in plain words', () => {
  test('each names the option as written, quotes the value and says what to do', async () => {
    const line = [
      'task',
      '--spot',
      '0',
      '--timeout',
      '90',
      '--paralelism',
      '3',
      '--parallelism',
      '0',
      '--gpu',
      'x:y',
      '--max-attempts=many',
    ]
    expect(
      await faultsOf(run([...line, '--git', 'maybe', '--disk-size', '1 bathtub', '--script-file', 'none.sh', '--env', 'HERE'])),
    ).toEqual([
      '--paralelism: there is no such option (did you mean --parallelism?)',
      '--spot: "0" can be read in two ways: a spot machine at the market price (as in TPI) or off, as YAML and shells read it (write "spot: false", "spot: true" or "spot: prefer", and a price limit as "max-price")',
      '--timeout: "90" has no unit (write "90s" for seconds, or like "1h30m" or "2 days")',
      '--parallelism: "0" is too small (the minimum is "1")',
      '--gpu: "x:y" is not a GPU (write a kind, a kind and a count, or a count: "l4", "a100:4", "1")',
      '--max-attempts: "many" is not a whole number',
      '--git: "maybe" is not "auto", "true" or "false"',
      '--disk-size: "1 bathtub" is not a size (write it like "16GB" or "512MiB")',
      '--script-file: "none.sh" does not exist (looked for in /repo)',
      '--env: variable "HERE" is not set here (write HERE=value, or HERE? if it may be absent)',
    ])
  })

  test('the error is an InputError with exit code 64 and a fault per line', async () => {
    const error: unknown = await run(['task', '--timeout', 'x']).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(InputError)
    expect((error as InputError).exitCode).toBe(64)
    expect((error as InputError).faults.map(({ option }) => option)).toEqual(['--timeout', ''])
  })

  test.each([
    [['tsk'], '"tsk" is not a verb of tpi (did you mean "task"?)'],
    [['resume', 'fit'], '"resume" is not a verb of tpi (the same "tpi task" command with --resume goes on from the last checkpoint)'],
    [['cost'], '"cost" is not a verb of tpi ("tpi status NAME" and "tpi list" show what runs have cost, "tpi plan" what one would cost)'],
    [['constructor'], '"constructor" is not a verb of tpi (see "tpi help")'],
    [['task', '--count', '3', '--script', 'x'], '--count: "tpi task" does not take it (it belongs to runner; use --parallelism)'],
    [['runner', '--parallelism', '3'], '--parallelism: "tpi runner" does not take it (it belongs to task, plan, doctor; use --count)'],
    [['--name', 'x'], 'no verb was given (start with a verb, like "tpi task"; see "tpi help")'],
    [['--', 'x'], 'no verb was given (start with a verb, like "tpi task"; see "tpi help")'],
    [['status'], 'NAME: is missing (see "tpi status --help")'],
    [['stop'], 'NAME: is missing (or say --mine)'],
    [['collect'], 'NAME: is missing (or say --finished or --mine)'],
    [['status', 'a', 'b'], '"b" is not expected here (see "tpi status --help")'],
    [['status', 'a', '--gpu', '1'], '--gpu: "tpi status" does not take it (it belongs to task, plan, runner, doctor)'],
    [['status', 'a', '--', 'b'], '--: "tpi status" runs no command'],
    [
      ['status', '../etc'],
      'NAME: "../etc" is not a name of up to 100 letters, digits, ".", "_" and "-" that starts with a letter or digit',
    ],
    [['collect', 'x', '--finished'], '--finished: cannot be given together with NAME'],
    [['exec', 'fit'], 'the command is missing (write it after "--": tpi exec fit -- nvidia-smi)'],
    [['completion', 'csh'], 'SHELL: "csh" is not "bash", "zsh" or "fish"'],
    [['completion'], 'SHELL: is missing (see "tpi completion --help")'],
    [['help', 'tusk'], '"tusk" is neither a verb, an option nor a subject of tpi (did you mean "task"?)'],
    [['logs', 'x', '--slot', '-1'], '--slot: "-1" is too small (the minimum is "0")'],
    // The file could contain the command that is missing.
    [['task', '--config', 'none.yaml'], 'configuration file "none.yaml" does not exist'],
    [['list', '--config', 'none.yaml'], 'configuration file "none.yaml" does not exist'],
    [['list', '--quiet', '--verbose'], '--quiet: cannot be given together with --verbose'],
    [['list', '--name'], '--name: needs a value'],
    [['list', '-x'], '-x: there is no such option (see "tpi list --help")'],
  ])('tpi %j', async (argv, message) => {
    const found = await faultsOf(run(argv))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  test.each([
    [[], 'there is nothing to run (give --script TEXT, --script-file FILE or a command after "--")'],
    [['train.py'], '"train.py" is not expected here (a command follows "--": tpi task … -- train.py)'],
    [['--'], '--: a command must follow'],
    [['--script', ' \n'], '--script: is empty'],
    [['--script', 'x', '--script-file', 'train.sh'], '--script: cannot be given together with --script-file'],
    [['--script', 'x', '--', 'y'], '--script: cannot be given together with a command after "--"'],
    [['--script', 'x', '--setup', 'a', '--setup-file', 'train.sh'], '--setup: cannot be given together with --setup-file'],
    [
      ['--script-file', 'train.py'],
      '--script-file: "train.py" names no interpreter, and so would run as a shell script (start it with a command',
    ],
    [['--script-file', 'folder'], '--script-file: "folder" is a folder'],
    [['--script', 'x', '--spot', '-1'], '--spot: "-1" can be read in two ways: an on-demand machine (as in TPI)'],
    [['--script', 'x', '--spot', '0.3'], '--spot: "0.3" is a price, not true, false or prefer (write "spot: true" and "max-price: 0.3")'],
    [['--script', 'x', '--max-price', '1'], '--max-price: is only for spot machines (add "spot: true" or "spot: prefer")'],
    [['--script', 'x', '--retry-on', '1'], '--retry-on: needs "retries" of at least 1'],
    [['--script', 'x', '--retries', '1', '--retry-on', '0,oom,256'], '--retry-on: "0" is not an exit code from 1 to 255, or oom'],
    [['--script', 'x', '--storage-region', 'eu'], '--storage-region: needs "storage" too'],
    [
      ['--script', 'x', '--storage', 'bucket'],
      '--storage: "bucket" is not s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://ACCOUNT/CONTAINER/PREFIX or a folder',
    ],
    [['--script', 'x', '--rehearse-seed', '1'], '--rehearse-seed: needs "rehearse" too'],
    [['--script', 'x', '--cloud', 'sky', '--rehearse', '10s'], '--rehearse: cloud "sky" cannot do that'],
    [['--script', 'x', '--cloud', 'sky', '--keep-on-failure'], '--keep-on-failure: cloud "sky" cannot do that'],
    [['--script', 'x', '--sky-subnet', 'a'], '--sky-subnet: is not for cloud "local" (it belongs to sky)'],
    [['--script', 'x', '--cloud', 'skye'], '--cloud: "skye" is not "local" or "sky" (did you mean "sky"?)'],
    [['--script', 'x', '--wait', '10', '--detach'], '--wait: "10" has no unit'],
    [['--script', 'x', '--wait', '10s', '--detach'], '--detach: cannot be given together with --wait'],
    [
      ['--script', 'x', '--timeout', 'never'],
      '--timeout: "never" is not possible (write a time like "90s" or "2 days"; the longest is "365d")',
    ],
    [['--script', 'x', '--timeout', '0'], '--timeout: "0s" is too small (the minimum is "1s")'],
    [['--script', 'x', '--timeout', '1h', '--timeout', '2h'], '--timeout: given more than once: "1h" and "2h"'],
    [['--script', 'x', '--name', ''], '--name: is empty'],
    [['--script', 'x', '--tags', 'a'], '--tags: "a" has no value (write KEY=VALUE)'],
    [['--script', 'x', '--tags', 'a=1', '--tags', 'a=2'], '--tags: "a" is given twice'],
    [['--script', 'x', '--working-directory', '../up'], '--working-directory: "../up" is not a folder inside the work directory'],
    [['--script', 'x', '--working-directory', '/abs'], '--working-directory: "/abs" is not a folder inside the work directory'],
    [['--script', 'x', '--yes=1'], '--yes: "1" is neither true nor false'],
    [['--script', 'x', '--no-gang=true'], '--no-gang: takes no value'],
    [['--script', 'x', '--workdir', '--json'], '--workdir: needs a value (write a value that starts with "-" as --workdir=-…)'],
    [['--script', 'x', '--no-name'], '--no-name: there is no such option (did you mean --name?)'],
  ])('tpi task %j', async (argv, message) => {
    const found = await faultsOf(run(['task', ...argv], { files, folders: ['/repo/folder'] }))
    expect(found.some((line) => line.includes(message))).toBe(true)
  })

  test('a reserve in which nothing can be saved is refused', async () => {
    const found = await faultsOf(run(['task', '--script', 'x'], { files, env: { TPI_RESERVE: '500ms' } }))
    expect(found.join()).toContain('TPI_RESERVE: "500ms" is too small (the minimum is "1s")')
  })

  test('an invalid option causes no further faults', async () => {
    expect(await faultsOf(run(['task', '--script', 'x', '--spot', '0', '--max-price', '1']))).toHaveLength(1)
    expect(await faultsOf(run(['task', '--script', 'x', '--retries', 'a', '--retry-on', '1']))).toHaveLength(1)
    expect(await faultsOf(run(['task', '--script', 'x', '--cloud', 'skye', '--rehearse', '1s']))).toHaveLength(1)
  })
})

describe('options that a cloud ignores', () => {
  test('are reported in one line, and are no error: the same command must run on other clouds', async () => {
    const line = ['task', '--script', 'x', '--cloud', 'sky']
    const { warnings } = await run([...line, '--spot=prefer', '--cloud-spot-price', '0.5'])
    expect(warnings).toEqual(['--spot, --cloud-spot-price: no effect, cloud "sky" has no spot machines to ask for'])
    expect((await run([...line, '--spot=false'])).warnings).toEqual([])
    expect((await run(['task', '--script', 'x', '--cloud', 'local', '--spot'])).warnings).toEqual([])
  })
})

describe('shapes of flags', () => {
  test.each([
    [['--spot'], { spot: 'true' }],
    [['--spot', 'prefer'], { spot: 'prefer' }],
    [['--spot=False'], { spot: 'false' }],
    [['--no-spot'], { spot: 'false' }],
    [['--wait', '2h'], { wait: 7200 }],
    [['--wait'], { wait: true }],
    [['--no-wait'], { wait: false }],
    [['--wait=false'], { wait: false }],
    [['--gang'], { gang: true }],
    [['--no-gang'], { gang: false }],
    [['--gang', 'false'], { gang: false }],
    [['--gang=TRUE'], { gang: true }],
    [['-qdy'], { quiet: true, detach: true, yes: true }],
    [['-e', 'A=1', '-eB=2', '-e=C=3'], { env: ['A=1', 'B=2', 'C=3'] }],
    [['--disk_size', '100'], { 'disk-size': 100e9 }],
    [['--disk-size', '-1'], { 'disk-size': undefined }],
    [['--cloud-hdd-size', '35'], { 'disk-size': 35e9 }],
    [['--memory', '16GiB'], { memory: 16 * 2 ** 30 }],
    [['--cloud', 'heaven'], { cloud: 'sky' }],
    [['--cloud-gpu', 'nogpu'], { gpu: { count: 0 } }],
    [['--gpu', 'a100:4'], { gpu: { kind: 'a100', count: 4 } }],
    [['--gpu', '2'], { gpu: { count: 2 } }],
    [['--cloud-spot', '--cloud-spot-price', '-1'], { spot: 'true', 'max-price': undefined }],
    [['--output', 'a,b', '--output', '"c,d"', '--output', 'e/{f,g}'], { output: ['a', 'b', 'c,d', 'e/{f,g}'] }],
    [['--output', ''], { output: [] }],
    [['--tags', 'a=1,b=x=y'], { tags: { a: '1', b: 'x=y' } }],
    [['--retries', '2', '--retry-on', '75,oom'], { retries: 2, 'retry-on': ['75', 'oom'] }],
    [['--timeout', '1h', '--timeout', '1h'], { timeout: 3600 }],
    [['--permission_set', 'arn:x'], { 'permission-set': 'arn:x' }],
  ])('%j', async (argv, values) => {
    expect((await run(['task', '--script', 'x', ...argv])).values).toMatchObject(values)
  })

  test('a value of an environment may hold commas, equals signs and line feeds', async () => {
    const { environment } = await run(['task', '--script', 'x', '--env', 'A=1,B=2', '--env', 'PEM=one\ntwo\nX=3', '--env', 'E='])
    expect(environment.env).toEqual({ A: '1,B=2', PEM: 'one\ntwo\nX=3', E: '' })
  })

  test('a key with the name of an object’s built-in property is only a key', async () => {
    const { values } = await run(['task', '--script', 'x', '--tags', '__proto__=1,constructor=2'])
    expect(Object.entries(values.tags)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })
})
