import { describe, expect, test } from '@jest/globals'
import { publicForges } from '../../src/forges/registry.ts'
import { faultsOf, run, runInputs, type World } from './world.ts'

const line = ['task', '--script', 'x']

function withFile(text: string, extra: Partial<World> = {}): World {
  return { files: { '/repo/tpi.yaml': text }, ...extra }
}

describe('tpi.yaml', () => {
  test.each([
    ['http://minio.example.com:9000', true],
    ['http://127.0.0.1.example.com', true],
    ['http://localhost:9000', false],
    ['http://127.0.0.1:9000', false],
    ['http://[::1]:9000', false],
    ['https://minio.example.com', false],
  ])('does not by itself send unencrypted credentials to %s: %s', async (address, refused) => {
    const text = `storage: s3://bucket/x\nstorage-endpoint: ${address}\n`
    const faults = await faultsOf(run(line, withFile(text)))
    expect(faults).toEqual(
      refused ? [expect.stringMatching(/^tpi\.yaml:2 storage-endpoint: .* would expose credentials to the network/)] : [],
    )
    expect(await faultsOf(run([...line, '--storage', 's3://bucket/x', '--storage-endpoint', address]))).toEqual([])
  })

  test.each([
    ['gs', 'https://storage.googleapis.com', false],
    ['gs', 'https://storage-mine.p.googleapis.com', false],
    ['gs', 'http://localhost:4443', false],
    ['gs', 'https://evil.example', true],
    ['gs', 'https://googleapis.com.evil.example', true],
    ['gs', 'https://evilgoogleapis.com', true],
    ['az', 'https://lab.blob.core.windows.net', false],
    ['az', 'https://lab.blob.core.usgovcloudapi.net', false],
    ['az', 'http://127.0.0.1:10000/lab', false],
    ['az', 'https://lab.blob.core.evil.example', true],
    ['az', 'https://storage.googleapis.com', true],
    ['s3', 'https://minio.example', false],
  ])('a file alone does not send a token that opens %s to %s', async (scheme, address, refused) => {
    const storage = { s3: 's3://bucket/x', gs: 'gs://bucket/x', az: 'az://lab/box/x' }[scheme] ?? ''
    const faults = await faultsOf(run(line, withFile(`storage: ${storage}\nstorage-endpoint: ${address}\n`)))
    expect(faults).toEqual(refused ? [expect.stringMatching(/^tpi\.yaml:2 storage-endpoint: .* would get the token/)] : [])
    expect(await faultsOf(run([...line, '--storage', storage], withFile(`storage-endpoint: ${address}\n`)))).toHaveLength(refused ? 1 : 0)
    expect(await faultsOf(run([...line, '--storage', storage, '--storage-endpoint', address]))).toEqual([])
  })

  const GITLAB_JOB = { GITLAB_CI: 'true', CI_SERVER_URL: 'https://git.corp.example:8443' }
  const GITHUB_JOB = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://ghe.corp.example',
    GITHUB_API_URL: 'https://api.corp.example/v3',
  }

  test.each<[string, Readonly<Record<string, string>>, 'sent' | 'elsewhere' | 'readable']>([
    ['https://github.com', {}, 'sent'],
    ['https://api.github.com/', {}, 'sent'],
    ['https://gitlab.com', {}, 'sent'],
    ['https://gitlab.com', GITHUB_JOB, 'sent'],
    ['http://localhost:3000', {}, 'sent'],
    ['http://127.0.0.1:3000/api/v3', {}, 'sent'],
    ['https://git.corp.example:8443/api/v4', GITLAB_JOB, 'sent'],
    ['https://ghe.corp.example', GITHUB_JOB, 'sent'],
    ['https://api.corp.example', GITHUB_JOB, 'sent'],
    ['http://git.corp.example', { GITLAB_CI: 'true', CI_SERVER_URL: 'http://git.corp.example' }, 'sent'],
    ['https://git.corp.example', GITLAB_JOB, 'elsewhere'],
    ['https://git.corp.example:8443', {}, 'elsewhere'],
    ['https://git.corp.example:8443', GITHUB_JOB, 'elsewhere'],
    ['https://git.corp.example:8443', { CI_SERVER_URL: 'https://git.corp.example:8443' }, 'sent'],
    ['https://github.com.evil.example', {}, 'elsewhere'],
    ['https://github.com@evil.example', {}, 'elsewhere'],
    ['https://github.com:444', {}, 'elsewhere'],
    ['http://github.com', {}, 'readable'],
    ['http://collector.example', GITHUB_JOB, 'readable'],
    ['http://git.corp.example:8443', GITLAB_JOB, 'readable'],
    ['http://127.0.0.1.evil.example', {}, 'readable'],
  ])('a file alone does not send the token of a forge anywhere: %s %j', async (address, env, fate) => {
    const expected = {
      sent: [],
      elsewhere: [expect.stringMatching(/would get your token for the forge, and only this file says so \(a file may name/)],
      readable: [expect.stringMatching(/would expose your token for the forge to the network \(write https:\/\/.*TPI_FORGE_URL/)],
    }[fate]
    for (const words of [['runner'], ['retry', 'x'], [...line, '--comment'], ['comment', 'report.md']]) {
      const text = `\nforge-url: ${address}\n`
      const faults = await faultsOf(run(words, withFile(text, { env })))
      expect(faults).toEqual(expected)
      for (const fault of faults) expect(fault).toContain('tpi.yaml:2 forge-url: "')
      expect(await faultsOf(run([...words, '--forge-url', address], withFile(text, { env })))).toEqual([])
      expect(await faultsOf(run(words, withFile(text, { env: { ...env, TPI_FORGE_URL: address } })))).toEqual([])
    }
    expect(await faultsOf(runInputs({ mode: 'runner', 'forge-url': address }, withFile(`forge-url: ${address}`, { env })))).toEqual([])
  })

  test('does not hold up what ends or brings home a run, nor a task that sends no token', async () => {
    const file = withFile('forge-url: https://git.corp.example\n')
    for (const words of [['stop', 'x'], ['destroy', 'x'], ['sweep'], ['collect', 'x']]) {
      const { values, warnings } = await run(words, file)
      expect([words, values['forge-url'], warnings]).toEqual([
        words,
        undefined,
        [expect.stringMatching(/only this file says so: it is ignored; .*TPI_FORGE_URL/)],
      ])
    }
    expect((await run(line, file)).warnings).toEqual([])
  })

  test('says what a user of a server of their own does', async () => {
    expect(await faultsOf(run(['runner'], withFile('forge-url: https://git.corp.example\n')))).toEqual([
      `tpi.yaml:1 forge-url: "https://git.corp.example" would get your token for the forge, and only this file says so (a file may name ${publicForges.join(', ')} and the forge of the CI job; if that is your forge, set TPI_FORGE_URL=https://git.corp.example, or give --forge-url or the input "forge-url")`,
    ])
    expect(await faultsOf(run(['runner'], withFile('repository: http://git.corp.example/a/b\n')))).toEqual([
      'tpi.yaml:1 repository: "http://git.corp.example/a/b" would expose your token for the forge to the network (write https://, or if plain http is intended, set TPI_FORGE_URL=http://git.corp.example, or give --forge-url or the input "forge-url")',
    ])
  })

  test.each(['repository', 'organization', 'enterprise'])('an address of %s in a file does not send it either', async (option) => {
    const fate = async (text: string, words: readonly string[] = [], env = {}) =>
      faultsOf(run(['runner', ...words], withFile(text, { env })))
    const elsewhere = `${option}: https://evil.example/octo/hello`
    expect(await fate(elsewhere)).toEqual([expect.stringMatching(`^tpi.yaml:1 ${option}: .* would get your token`)])
    expect(await fate(`${option}: HTTP://evil.example/o`)).toEqual([
      expect.stringMatching(`^tpi.yaml:1 ${option}: .* would expose your token`),
    ])
    for (const text of ['https://github.com/octo/hello', 'octo/hello', 'git@evil.example:octo/hello'])
      expect(await fate(`${option}: ${text}`)).toEqual([])
    expect(await fate(elsewhere, [`--${option}`, 'https://evil.example/octo/hello'])).toEqual([])
    // That address wins.
    expect(await fate(elsewhere, ['--forge-url', 'https://evil.example'])).toEqual([])
    expect(await fate(elsewhere, [], { TPI_FORGE_URL: 'https://github.com' })).toEqual([])
  })

  test('cannot allow plain http to another host', async () => {
    const faults = await faultsOf(run(line, withFile('storage: http://store.example.com\nstorage-insecure: true\n')))
    expect(faults.join('\n')).toMatch(/storage-insecure/)
    expect(await faultsOf(run([...line, '--storage-insecure'], withFile('storage: http://store.example.com\n')))).toEqual([])
  })

  test('is named with the options that it set, without those that a stronger source set', async () => {
    const text = 'parallelism: 3\nsetup: id\nname: x\n'
    const { config } = await run([...line, '--name', 'y'], withFile(text, { env: { TPI_PARALLELISM: '2' } }))
    expect(config).toEqual({ file: 'tpi.yaml', sets: ['setup'] })
    expect((await run([...line, '--name', 'y'], withFile('name: x'))).config).toBeUndefined()
    expect((await run(line, withFile('storage: s3://bucket', { cwd: '/repo/deep' }))).config).toEqual({
      file: '../tpi.yaml',
      sets: ['storage'],
    })
  })

  test('names at the top level, values as YAML has them', async () => {
    const text = `
parallelism: 3
gang: true
spot: prefer
max-price: 0.50
disk_size: 100
memory: 16GB
output:
  - results/**
  - "a, b"
exclude: x, y
tags: { team: vision, cost: 007 }
env:
  SEED: 7
  FLAG: yes
  TEXT: "a, b"
  HOME_TOWN:
retry-on: [75, oom]
retries: 1
wait: 90m
git: false
`
    const { values, environment } = await run(line, withFile(text, { env: { HOME_TOWN: 'Ulm' } }))
    expect(values).toMatchObject({
      parallelism: 3,
      gang: true,
      spot: 'prefer',
      'max-price': 0.5,
      'disk-size': 100e9,
      memory: 16e9,
      output: ['results/**', 'a, b'],
      exclude: ['x', 'y'],
      tags: { team: 'vision', cost: '007' },
      'retry-on': ['75', 'oom'],
      wait: 5400,
      git: 'false',
    })
    expect(environment.env).toEqual({ SEED: '7', FLAG: 'yes', TEXT: 'a, b', HOME_TOWN: 'Ulm' })
  })

  test("TPI's own shape", async () => {
    const text = 'storage:\n  workdir: data\n  output: results\n  exclude: [tmp]\nenvironment: {SEED: "", A: 1}\npermission_set: arn:x\n'
    const { values, environment } = await run(line, withFile(text, { env: { SEED: '7' } }))
    expect(values).toMatchObject({ workdir: 'data', output: ['results'], exclude: ['tmp'], 'permission-set': 'arn:x', storage: undefined })
    expect(environment.env).toEqual({ SEED: '7', A: '1' })
  })

  test.each([
    ['timeout: 90', 'tpi.yaml:1 timeout: "90" has no unit (write "90s" for seconds, or like "1h30m" or "2 days")'],
    ['a: 1\n\nparalelism: 3', 'tpi.yaml:3 paralelism: there is no such option (did you mean "parallelism"?)'],
    ['gang: yes', 'tpi.yaml:1 gang: "yes" is neither true nor false'],
    ['gang: 1', 'tpi.yaml:1 gang: "1" is neither true nor false'],
    ['spot: -1', 'tpi.yaml:1 spot: "-1" can be read in two ways'],
    ['spot: 0', 'tpi.yaml:1 spot: "0" can be read in two ways'],
    ['timeout: [1h]', 'tpi.yaml:1 timeout: takes one value, not a list'],
    ['timeout: {a: 1}', 'tpi.yaml:1 timeout: takes one value, not a map'],
    ['output: {a: 1}', 'tpi.yaml:1 output: takes a list, not a map'],
    ['output: [[a]]', 'tpi.yaml:1 output: takes a list of plain values'],
    ['env: {A: [1]}', 'tpi.yaml:1 env: the value of "A" must be a plain value'],
    ['env: {A: , B: 1}', 'tpi.yaml:1 env: variable "A" is not set here'],
    ['secrets: {A: canary}', 'tpi.yaml:1 secrets: takes a list, not a map'],
    ['tags: {A: }', 'tpi.yaml:1 tags: "A" has no value'],
    ['json: true', 'tpi.yaml:1 json: cannot be set in a file'],
    ['discard: true', 'tpi.yaml:1 discard: cannot be set in a file'],
    ['config: other.yaml', 'tpi.yaml:1 config: cannot be set in a file'],
    ['command: stop', 'tpi.yaml:1 command: cannot be set in a file'],
    ['storage: {workdir: a, bucket: b}', 'tpi.yaml:1 storage.bucket: there is no such option'],
    ['disk-size: 1GB\ndisk_size: 2GB', 'tpi.yaml:2 disk_size: is given twice, also as tpi.yaml:1 disk-size'],
    ['timeout: 1h\ntimeout: 2h', 'tpi.yaml:2: is not YAML: Map keys must be unique'],
    ['timeout: [', 'tpi.yaml:1: is not YAML'],
    ['- a', 'tpi.yaml: is not a map of options (write "option: value" lines)'],
    ['just text', 'tpi.yaml: is not a map of options'],
    ['a: &x 1\ntimeout: *x', 'tpi.yaml:2 timeout: aliases are not supported here'],
    ['? [a]\n: 1', 'there is no such option'],
  ])('%j', async (text, message) => {
    const found = await faultsOf(run(line, withFile(text)))
    expect(found.some((fault) => fault.includes(message))).toBe(true)
    expect(found.join()).not.toContain('canary')
  })

  test.each(['', '# nothing', 'timeout:', 'timeout: ~', 'output: []', '{}'])('%j sets nothing', async (text) => {
    const { values } = await run(line, withFile(text))
    expect([values.timeout, values.output]).toEqual([86_400, []])
  })

  test('unknown names are an error only for verbs that describe a task', async () => {
    const { verb, warnings } = await run(['stop', 'fit'], withFile('paralelism: 3\ntimeout: 90'))
    expect(verb).toBe('stop')
    expect(warnings).toEqual(['tpi.yaml:1 paralelism: there is no such option (did you mean "parallelism"?)'])
    expect((await run(['help', 'task'], withFile('['))).warnings).toEqual([])
  })
})

describe('which file', () => {
  const files = { '/repo/tpi.yaml': 'timeout: 1h', '/repo/deep/er/x': '', '/other.yaml': 'timeout: 2h', '/tpi.yaml': 'timeout: 3h' }

  test('the nearest one, up to the root of the repository or the home folder', async () => {
    expect((await run(line, { files, cwd: '/repo/deep/er' })).values.timeout).toBe(3600)
    expect((await run(line, { files, cwd: '/repo/deep/er', folders: ['/repo/deep/.git'] })).values.timeout).toBe(86_400)
    expect((await run(line, { files, cwd: '/repo/deep/er', env: { HOME: '/repo/deep' } })).values.timeout).toBe(86_400)
    expect((await run(line, { files, cwd: '/elsewhere' })).values.timeout).toBe(10_800)
  })

  describe('above the current folder', () => {
    const shared = { files: { '/scratch/tpi.yaml': 'timeout: 1h\nname: theirs', '/tpi.yaml': 'timeout: 3h' }, cwd: '/scratch/me/job' }
    const asked = async (world: World) => {
      const { values, config, warnings } = await run(line, { ...shared, ...world })
      return { timeout: values.timeout, file: config?.file, warnings }
    }
    const theirs = { '/scratch/tpi.yaml': [1001] }
    const ignored = {
      timeout: 10_800,
      file: '../../../tpi.yaml',
      warnings: [
        'configuration file "../../tpi.yaml" is ignored: it belongs neither to you nor to root, nor to whoever the current folder belongs to (if you trust it, give `config: ../../tpi.yaml`)',
      ],
    }
    const used = { timeout: 3600, file: '../../tpi.yaml', warnings: [] }

    test('that of another user is ignored, with a warning, also if it calls its folder a repository', async () => {
      expect(await asked({ owners: theirs })).toEqual(ignored)
      expect(await asked({ owners: theirs, user: 0 })).toEqual(ignored)
      expect(await asked({ owners: theirs, folders: ['/scratch/.git'] })).toEqual({ ...ignored, timeout: 86_400, file: undefined })
    })

    test('a link counts as its owner’s, and as that of what it leads to', async () => {
      expect(await asked({ owners: { '/scratch/tpi.yaml': [1001, 1000] } })).toEqual(ignored)
      expect(await asked({ owners: { '/scratch/tpi.yaml': [1000, 1001] } })).toEqual(ignored)
      expect(await asked({ owners: { '/scratch/tpi.yaml': [0, 1000] } })).toEqual(used)
    })

    test('that of root is used, and of whom sudo acts for, and of whoever could as well put it into the current folder', async () => {
      expect(await asked({ owners: { '/scratch/tpi.yaml': [0] } })).toEqual(used)
      expect(await asked({ owners: theirs, user: 0, env: { SUDO_UID: '1001' } })).toEqual(used)
      expect(await asked({ owners: theirs, env: { SUDO_UID: '1001' } })).toEqual(ignored)
      expect(await asked({ owners: { ...theirs, '/scratch/me/job': [1001] } })).toEqual(used)
    })

    test('if it is named, or in the current folder, it is used', async () => {
      expect(await asked({ owners: theirs, env: { TPI_CONFIG: '../../tpi.yaml' } })).toEqual(used)
      expect(await asked({ owners: theirs, cwd: '/scratch' })).toEqual({ ...used, file: 'tpi.yaml' })
    })

    test('errors for what is missing now name it too', async () => {
      const files = { '/scratch/tpi.yaml': 'script: x' }
      const found = await faultsOf(run(['task'], { ...shared, files, owners: theirs }))
      expect(found).toEqual([expect.stringContaining('script'), ignored.warnings[0]])
    })
  })

  test('the named one', async () => {
    expect((await run([...line, '--config', '/other.yaml'], { files })).values.timeout).toBe(7200)
    expect((await run([...line, '--config', '../other.yaml'], { files })).values.timeout).toBe(7200)
    expect((await run(line, { files, env: { TPI_CONFIG: '/other.yaml' } })).values.timeout).toBe(7200)
    expect((await run([...line, '--config', '/other.yaml'], { files, env: { TPI_CONFIG: '/gone.yaml' } })).values.timeout).toBe(7200)
  })

  test('an unreadable one is reported, not skipped', async () => {
    expect(await faultsOf(run(line, { files, folders: ['/repo/tpi.yaml'] }))).toEqual(['configuration file "tpi.yaml" is a folder'])
  })

  test('paths in it are relative to its folder', async () => {
    const text = 'workdir: .\nscript-file: run.sh\nenv-file: [a.env, /b.env]\noutput: results/**\noutput-dir: out\n'
    const world = { files: { '/repo/tpi.yaml': text, '/repo/run.sh': 'echo run', '/repo/a.env': 'A=1', '/b.env': 'B=2' } }
    const below = await run(['task'], { ...world, cwd: '/repo/deep/er' })
    expect(below.values).toMatchObject({ workdir: '../..', 'output-dir': '../../out', output: ['results/**'] })
    expect(below.program).toEqual({ script: 'echo run' })
    expect(below.environment.env).toEqual({ A: '1', B: '2' })
    expect((await run(['task'], { ...world, cwd: '/repo' })).values).toMatchObject({ workdir: '.', 'output-dir': 'out' })
  })

  test('a list of paths is also relative to its folder if it is plain text', async () => {
    const text = 'env-file: a.env, /b.env\nsecrets-file: .env\nscript: echo\n'
    const files = { '/repo/tpi.yaml': text, '/repo/a.env': 'A=1', '/b.env': 'B=2', '/repo/.env': 'S=right', '/repo/sub/.env': 'S=wrong' }
    const below = await run(['task'], { files, cwd: '/repo/sub' })
    expect(below.values).toMatchObject({ 'env-file': ['../a.env', '/b.env'], 'secrets-file': ['../.env'] })
    expect(below.environment).toMatchObject({ env: { A: '1', B: '2' }, secrets: { S: 'right' } })
  })
})
