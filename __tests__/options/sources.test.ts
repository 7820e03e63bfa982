/** Every option gives the same result from every source, and which source takes precedence. */
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Kind, OptionSource, Row } from '../../src/core/option.ts'
import type { Parsed } from '../../src/options/parse.ts'
import { takes, variableOf } from '../../src/options/rows/table.ts'
import { isVerb, verbOf } from '../../src/options/rows/verbs.ts'
import { isInput } from '../../src/options/sources/inputs.ts'
import { faultsOf, run, runInputs, table, type World } from './world.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)

/** Texts that every source can carry, and that are valid for the row. */
function texts(name: string, row: Row): fc.Arbitrary<string> {
  const special: Readonly<Record<string, fc.Arbitrary<string>>> = {
    storage: fc.constantFrom('s3://bucket/prefix', './store'),
    'storage-endpoint': fc.constant('http://localhost:9000'),
    'retry-on': fc.constantFrom('75', 'oom', '1,75,oom'),
    'max-price': fc.constantFrom('0.5', '12'),
    'max-cost': fc.constantFrom('0.5', '12'),
    'spot-wait': fc.constantFrom('2m', '1h'),
    'script-file': fc.constant('train.sh'),
    'setup-file': fc.constant('train.sh'),
    'setup-after-file': fc.constant('train.sh'),
    'docker-volumes': fc.constantFrom('/cache', '/cache,/data:/data:ro'),
    'env-file': fc.constant('vars.env'),
    'secrets-file': fc.constant('vars.env'),
    config: fc.constant('tpi.yaml'),
    jobs: fc.constantFrom('1', '50', 'single', 'unlimited'),
    'runner-version': fc.constantFrom('latest', '2.336.0', 'v19.1.0'),
    'forge-url': fc.constant('https://gitlab.com'),
    'lease-ttl': fc.constantFrom('40s', '2m'),
    'lease-beat': fc.constantFrom('20s', '500ms'),
  }
  if (special[name]) return special[name]
  if (row.oneOf) return fc.constantFrom(...row.oneOf)
  const kinds: Readonly<Record<Exclude<Kind, 'choice'>, fc.Arbitrary<string>>> = {
    string: word,
    path: word,
    file: word,
    int: fc
      .integer({ min: Math.max(row.kind === 'int' ? (row.min ?? 0) : 0, 0), max: row.kind === 'int' ? Math.min(row.max ?? 999, 999) : 999 })
      .map(String),
    number: fc.integer({ min: 1, max: 64 }).map(String),
    bool: fc.constantFrom('true', 'false'),
    duration: fc
      .constantFrom('20s', '1h', '1h30m', '2 hours', 'PT30M')
      .filter((text) => row.max === undefined || row.max > 7200 || text === '20s'),
    size: fc.constantFrom('16GB', '512MiB', '1TB'),
    list: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(',')),
    paths: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(',')),
    map: fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 }).map((map) =>
      Object.entries(map)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
    ),
    wait: fc.constantFrom('true', 'false', '2h'),
    gpu: fc.constantFrom('l4', 'a100:4', '2', 'none'),
    env: fc.constantFrom('SEED=7', 'A=1, 2', 'SHELL, HOMELY?', 'FOO_*'),
    'secret-list': fc.constantFrom('TOKEN', 'TOKEN, ABSENT?'),
  }
  return kinds[row.kind as Exclude<Kind, 'choice'>]
}

/** Options that are invalid without another one. */
const COMPANY: Readonly<Record<string, readonly string[]>> = {
  'max-price': ['spot'],
  'spot-wait': ['spot'],
  'storage-region': ['storage'],
  'storage-insecure': ['storage'],
  'storage-endpoint': ['storage'],
  'retry-on': ['retries'],
  'docker-volumes': ['docker-image'],
  'rehearse-seed': ['rehearse'],
  'sky-subnet': ['cloud'],
}
const COMPANIONS: Readonly<Record<string, string>> = {
  spot: 'prefer',
  storage: 's3://bucket',
  retries: '1',
  'docker-image': 'debian:13',
  rehearse: '10s',
  cloud: 'sky',
}

const WORLD: World = {
  env: { SHELL: '/bin/sh', FOO_A: '1', TOKEN: 'canary-canary' },
  files: { '/repo/train.sh': 'echo', '/repo/vars.env': 'B=2', '/repo/tpi.yaml': '' },
}

interface Way {
  readonly argv: string[]
  readonly inputs: Record<string, string>
  readonly variables: Record<string, string>
  readonly file: string[]
}

async function give(name: string, row: Row, text: string, source: OptionSource): Promise<Parsed> {
  const verb = row.verbs.find((one) => isVerb(one) && (source !== 'input' || name !== 'glob')) ?? ''
  const way: Way = { argv: [], inputs: {}, variables: {}, file: [] }
  const add = (option: string, value: string) => {
    if (source === 'flag') way.argv.push(`--${option}=${value}`)
    if (source === 'input') way.inputs[option] = value
    if (source === 'variable') way.variables[variableOf(option)] = value
    if (source === 'file') way.file.push(`${option}: ${JSON.stringify(value)}`)
  }
  add(name, text)
  for (const companion of COMPANY[name] ?? []) add(companion, COMPANIONS[companion] ?? '')
  if (isVerb(verb) && verbOf(verb).command === 'program' && !['script', 'script-file'].includes(name)) add('script', 'x')
  const config = name === 'config' ? '' : way.file.join('\n')
  const world: World = { ...WORLD, env: { ...WORLD.env, ...way.variables }, files: { ...WORLD.files, '/repo/tpi.yaml': config } }
  const needsName = isVerb(verb) && verbOf(verb).arguments.some(({ option, required }) => option === 'name' && required)
  const excused = isVerb(verb) && verbOf(verb).arguments.some(({ unless }) => unless?.includes(name) && text === 'true')
  if (source === 'input') {
    const command = verb === 'task' || verb === 'runner' ? 'run' : verb
    const mode = verb === 'runner' ? { mode: 'runner' } : {}
    const own = needsName && name !== 'name' && !excused ? { name: 'fit' } : {}
    return await runInputs({ ...(name === 'command' ? {} : { command }), ...mode, ...own, ...way.inputs }, world)
  }
  const words = needsName && name !== 'name' && !excused ? [verb, 'fit'] : [verb]
  const command = isVerb(verb) && verbOf(verb).command === 'required' ? ['--', 'ls'] : []
  return await run([...words, ...way.argv, ...command], world)
}

/** `command` and `mode` exist only in the action, and change the meaning of the rest. */
const rows = Object.entries(table.rows).filter(([name, row]) => row.sources?.length !== 0 && name !== 'command' && name !== 'mode')

function sourcesOf(name: string, row: Row): readonly OptionSource[] {
  return (['flag', 'input', 'variable', 'file'] as const).filter(
    (source) => takes(row, source) && (source !== 'input' || isInput(table, name)),
  )
}

describe('every option means the same from every source', () => {
  test.each(rows)('%s', async (name, row) => {
    const sources = sourcesOf(name, row)
    expect(sources.length).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(texts(name, row), async (text) => {
        const seen = await Promise.all(sources.map(async (source) => ({ source, parsed: await give(name, row, text, source) })))
        for (const { source, parsed } of seen) {
          expect(parsed.given.get(name)?.source).toBe(source)
          const { values, environment, program } = seen[0]?.parsed ?? parsed
          expect((parsed.values as Record<string, unknown>)[name]).toEqual((values as Record<string, unknown>)[name])
          expect([parsed.environment, parsed.program]).toEqual([environment, program])
        }
      }),
      { numRuns: 12 },
    )
  })
})

describe('every alias means its option', () => {
  const aliases = rows.flatMap(([name, row]) => (row.aliases ?? []).map((alias) => [alias, name, row] as const))
  test.each(aliases)('%s is %s', async (alias, name, row) => {
    const [text = ''] = fc.sample(texts(name, row), { numRuns: 1, seed: 1 })
    const company = (COMPANY[name] ?? []).map((other) => `--${other}=${COMPANIONS[other]}`)
    const words = row.verbs.includes('task') ? ['task', '--script', 'x'] : [row.verbs[0] ?? '']
    const line = (as: string, value: string) => run([...words, ...company, `--${as}=${value}`], WORLD)
    const means = row.switches?.[alias]
    const encoded = row.base64?.includes(alias) === true ? Buffer.from(text).toString('base64') : text
    const [plain, other] = await Promise.all([line(name, means ?? text), line(alias, means === undefined ? encoded : 'true')])
    expect(other.values).toEqual(plain.values)
    expect(other.given.get(name)?.as).toBe(`--${alias}`)
  })
})

describe('the strongest source wins, whole', () => {
  const world = (extra: Partial<World> = {}): World => ({
    ...WORLD,
    files: { ...WORLD.files, '/repo/tpi.yaml': 'timeout: 3h\noutput: [a, b]\n' },
    ...extra,
  })

  test('flag, variable, file, default', async () => {
    const env = { TPI_TIMEOUT: '2h' }
    const line = ['task', '--script', 'x']
    expect((await run([...line, '--timeout', '1h'], world({ env }))).values.timeout).toBe(3600)
    expect((await run(line, world({ env }))).values.timeout).toBe(7200)
    expect((await run(line, world())).values.timeout).toBe(10_800)
    expect((await run(line)).values.timeout).toBe(86_400)
    expect((await run([...line, '--output', 'c'], world())).values.output).toEqual(['c'])
  })

  test('input, variable, file', async () => {
    const env = { TPI_TIMEOUT: '2h' }
    expect((await runInputs({ script: 'x', timeout: '1h' }, world({ env }))).values.timeout).toBe(3600)
    expect((await runInputs({ script: 'x', timeout: '' }, world({ env }))).values.timeout).toBe(7200)
    expect((await runInputs({ script: 'x' }, world())).values.timeout).toBe(10_800)
  })

  test('an old variable is weaker than the new one, and an unset one sets nothing', async () => {
    const line = ['task', '--script', 'x']
    expect((await run(line, { env: { CML_RUNNER_CLOUD_TYPE: 'l' } })).values.machine).toBe('l')
    expect((await run(line, { env: { CML_RUNNER_CLOUD_TYPE: 'l', TPI_MACHINE: 's' } })).values.machine).toBe('s')
    expect((await run(line, { env: { CML_RUNNER_CLOUD_HDD_SIZE: '35' } })).values['disk-size']).toBe(35e9)
    expect((await run(line, { env: { TPI_MACHINE: '' } })).values.machine).toBeUndefined()
  })

  test('of options that exclude each other, the one from the weaker source is dropped', async () => {
    const files = { '/repo/tpi.yaml': 'script-file: gone.sh\nwait: 1h\nname: fit\n' }
    const parsed = await run(['task', '--detach', '--', 'ls'], { files })
    expect(parsed.values).toMatchObject({ wait: false, detach: true, name: 'fit' })
    expect(parsed.program).toEqual({ argv: ['ls'] })
    expect(parsed.given.has('script-file')).toBe(false)
    expect((await run(['stop', '--mine'], { files })).values.name).toBeUndefined()
  })

  test('a wrong value of a weaker source does not matter', async () => {
    const parsed = await run(['task', '--script', 'x', '--timeout', '1h'], { env: { TPI_TIMEOUT: 'soon' } })
    expect(parsed.values.timeout).toBe(3600)
  })

  test('on a machine of a run, variables that tell the program where it is are not options', async () => {
    const env = { TPI_OUTPUT: '/tmp/out', TPI_MACHINE: 'm-1', TPI_INDEX: '0', TPI_ATTEMPT: '1' }
    const { values, given } = await run(['task', '--script', 'x'], { env })
    expect([values.output, values.machine, given.has('output')]).toEqual([[], undefined, false])
  })

  test('in a job on a machine of a runner, variables that tell where it is are not options, and others are', async () => {
    const machine = { TPI_ID: 'tpi-gpu-0123456789', TPI_NAME: '42-gpu', TPI_MACHINE: 'tpi-gpu-0', TPI_INDEX: '0' }
    const { values } = await run(['task', '--script', 'x'], { env: { ...machine, TPI_TIMEOUT: '1h', TPI_OUTPUT: 'models/**' } })
    expect([values.name, values.machine, values.timeout, values.output]).toEqual([undefined, undefined, 3600, ['models/**']])
  })

  test('a misspelled variable is mentioned', async () => {
    const { warnings } = await run(['task', '--script', 'x'], { env: { TPI_TIMEOT: '1h', TPI_HOME: '/x', TPI_TEST_SLOW: '1' } })
    expect(warnings).toEqual(['variable TPI_TIMEOT is not an option; did you mean "TPI_TIMEOUT"?'])
    expect((await run(['list'], { env: { TPI_TIMEOT: '1h' } })).warnings).toEqual([])
  })

  test('a fault in a variable’s value names the variable', async () => {
    expect(await faultsOf(run(['list'], { env: { TPI_QUIET: '1' } }))).toEqual(['TPI_QUIET: "1" is neither true nor false'])
  })
})
