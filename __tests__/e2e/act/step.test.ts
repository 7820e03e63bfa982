/** The built action as single steps: what they show, which files they leave, and what a killed step leaves for its post step. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { apiDouble } from '../../lab/github-api.ts'
import { leaks } from '../../lab/leaks.ts'
import { resultsDouble } from '../../lab/results-service.ts'
import { DIST, type StepEnd, type StepOptions, startStep, succeeded } from '../../lab/step-runner.ts'
import { unzip } from '../../lab/unzip.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-step-'))
  mkdirSync(join(folder, 'work'))
  writeFileSync(join(folder, 'work', 'data.txt'), 'data\n')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const FAST = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '3s', TPI_RESERVE: '5s' }

function step(inputs: Record<string, string>, env: Record<string, string> = {}): StepOptions {
  return { folder, inputs: { mode: 'task', workdir: 'work', ...inputs }, env: { ...FAST, ...env } }
}

async function main(inputs: Record<string, string>, env: Record<string, string> = {}): Promise<StepEnd> {
  return startStep('main', step(inputs, env)).end
}

const errors = (end: StepEnd): string[] => end.annotations.filter(({ level }) => level === 'error').map(({ message }) => message)

describe('a step', () => {
  test('that succeeds: outputs, state, page, groups, nothing left', async () => {
    const script =
      'mkdir results; echo 42 > results/answer; echo "accuracy=0.9" >> "$TPI_OUTPUT"; echo "**fine**" >> "$TPI_SUMMARY"; echo done'
    const end = await main({ output: 'results/**', script, setup: 'echo preparing' })
    expect([end.code, errors(end)]).toEqual([0, []])
    expect(end.outputs).toMatchObject({
      outcome: 'success',
      'exit-code': '0',
      accuracy: '0.9',
      result: '{"accuracy":"0.9"}',
      status: 'succeeded',
      attached: 'false',
    })
    expect(end.outputs['output-dir']).toBe(join(folder, 'work'))
    expect(end.state).toMatchObject({ id: end.outputs['id'], begun: 'created', ended: 'true' })
    expect(end.groups).toEqual(['Plan', 'Create (local)', 'Set-up', 'Collect'])
    expect(end.open).toEqual({ groups: 0, suspended: false })
    // The result first, then the summary of the program.
    expect(end.summary).toMatch(/^### ✅ [\s\S]*\n\*\*fine\*\*\n/)
    expect(readFileSync(join(folder, 'work/results/answer'), 'utf8')).toBe('42\n')
    expect(await leaks(join(folder, 'home'))).toEqual([])
    const post = await startStep('post', step({ output: 'results/**', script }), end.state).end
    expect([post.code, post.text]).toEqual([0, ''])
  })

  test('that fails has the exit code of the script, one error, its outputs and its log in the page', async () => {
    const end = await main({ output: 'r/**', script: 'mkdir r; echo 1 > r/a; echo "Traceback: boom"; exit 7' })
    expect(end.code).toBe(7)
    expect(errors(end)).toHaveLength(1)
    expect(errors(end)[0]).toContain('exit code 7')
    expect(end.outputs).toMatchObject({ outcome: 'script-failed', 'exit-code': '7' })
    expect(end.summary).toContain('Traceback: boom')
    expect(readFileSync(join(folder, 'work/r/a'), 'utf8')).toBe('1\n')
    expect((await leaks(join(folder, 'home'))).filter((line) => line.startsWith('process'))).toEqual([])
  })

  test('with wrong inputs creates nothing and names all faults in one error', async () => {
    const end = await main({ scrpt: 'x', gang: 'yes', timeout: '5' })
    expect(end.code).toBe(64)
    expect(errors(end)).toHaveLength(1)
    for (const word of ['did you mean "script"?', 'gang', 'timeout']) expect(errors(end)[0]).toContain(word)
    expect(end.outputs).toEqual({ outcome: 'invalid', 'exit-code': '64' })
    expect(end.summary).toContain('invalid')
    expect(await leaks(join(folder, 'home'))).toEqual([])
  })

  test('of a fork with rights of the repository is refused, unless that is wanted', async () => {
    const event = join(folder, 'event.json')
    writeFileSync(
      event,
      JSON.stringify({
        repository: { full_name: 'octo/repo', private: false },
        pull_request: { head: { repo: { full_name: 'evil/repo' } } },
      }),
    )
    const env = { GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_EVENT_PATH: event }
    expect((await main({ script: 'true' }, env)).outputs['outcome']).toBe('invalid')
    expect((await main({ script: 'true', 'allow-untrusted': 'true' }, env)).outputs['outcome']).toBe('success')
  })
})

describe('foreign text', () => {
  const HOSTILE = [
    '::error::e1',
    '  ::warning file=a.js,line=1::w1',
    '::set-output name=outcome::forged',
    '::save-state name=id::forged',
    '::add-mask::e',
    '::add-matcher::/tmp/x.json',
    '::stop-commands::mine',
    '::mine::',
    '##[error]old',
    'x ##[add-mask]a',
    '::endgroup::',
    '::group::fake',
    '::debug::d',
  ]

  test('changes nothing, whether the program prints it, redraws it, or returns it as a value', async () => {
    writeFileSync(join(folder, 'work/hostile'), HOSTILE.join('\n'))
    const script =
      'cat hostile; printf "\\npart"; printf "ial::error::x\\r::error::y\\n"; { echo "v<<E"; cat hostile; echo; echo E; } >> "$TPI_OUTPUT"; cat hostile >> "$TPI_SUMMARY"'
    const end = await main({ script })
    expect(end.code).toBe(0)
    expect(end.annotations).toEqual([])
    expect(end.masks).toEqual([])
    expect(end.groups).toEqual(['Plan', 'Create (local)', 'Collect'])
    expect(end.commands.filter((name) => !['group', 'endgroup'].includes(name))).toEqual([])
    expect(end.outputs).toMatchObject({ outcome: 'success', v: HOSTILE.join('\n') })
    for (const line of HOSTILE) expect(end.lines).toContain(line)
    expect(end.open).toEqual({ groups: 0, suspended: false })
  })

  test('log-commands lets through only commands that show something', async () => {
    writeFileSync(join(folder, 'work/hostile'), `${HOSTILE.join('\n')}\n`)
    const end = await main({ script: 'cat hostile', 'log-commands': 'true' })
    expect(end.annotations.map(({ message }) => message)).toEqual(['e1', 'w1'])
    expect(end.groups).toContain('fake')
    expect(end.masks).toEqual([])
    expect(end.outputs['outcome']).toBe('success')
  })
})

describe('secrets', () => {
  const CANARY = 'canary-7f3a9c1e5b'

  test('are masked for the runner and shown nowhere', async () => {
    const script = 'echo "key $KEY"; echo "v=$KEY" >> "$TPI_OUTPUT"; echo "page $KEY" >> "$TPI_SUMMARY"'
    const end = await main({ secrets: 'KEY', script }, { KEY: CANARY })
    expect(end.code).toBe(0)
    expect(end.masks).toContain(CANARY)
    const shown = [...end.lines, end.summary, JSON.stringify(end.outputs), JSON.stringify(end.state)].join('\n')
    expect(shown).not.toContain(CANARY)
    expect(shown).toContain('key ***')
  })
})

describe('artifacts', () => {
  test('hold every output, whole; a re-run replaces them; in a public repository there is a warning', async () => {
    const results = await resultsDouble()
    try {
      const event = join(folder, 'event.json')
      writeFileSync(event, JSON.stringify({ repository: { full_name: 'octo/repo', private: false } }))
      const env = { ...results.env(), GITHUB_EVENT_PATH: event, GITHUB_WORKSPACE: folder }
      const script = 'mkdir -p r/sub; head -c 3000000 /dev/urandom > r/sub/big; echo small > r/small'
      const end = await main({ name: 'fit', output: 'r/**', script, 'artifact-retention-days': '3' }, env)
      expect([end.code, errors(end)]).toEqual([0, []])
      const stored = results.artifacts.get('tpi-fit')
      const files = unzip(stored?.bytes ?? Buffer.alloc(0))
      expect([...files.keys()].sort()).toEqual(['r/small', 'r/sub/big'])
      expect(files.get('r/sub/big')?.equals(readFileSync(join(folder, 'work/r/sub/big')))).toBe(true)
      expect(stored?.expiresAt).toBeDefined()
      expect(end.outputs).toMatchObject({
        'artifact-id': '101',
        'artifact-url': 'https://github.com/octo/repo/actions/runs/7/artifacts/101',
      })
      expect(end.annotations.filter(({ level }) => level === 'notice').map(({ message }) => message)).toEqual([
        expect.stringContaining('anyone may download'),
      ])
      rmSync(join(folder, 'work/r'), { recursive: true })
      expect((await main({ name: 'fit', output: 'r/**', script: 'mkdir -p r; echo second > r/small' }, env)).code).toBe(0)
      expect(
        unzip(results.artifacts.get('tpi-fit')?.bytes ?? Buffer.alloc(0))
          .get('r/small')
          ?.toString(),
      ).toBe('second\n')
      const zeros = { name: 'fit', output: 'r/**', script: 'head -c 200000 /dev/zero > r/small' }
      const packed = async (level: string): Promise<number> => {
        rmSync(join(folder, 'work/r'), { recursive: true })
        mkdirSync(join(folder, 'work/r'))
        expect((await main({ ...zeros, 'artifact-compression': level }, env)).code).toBe(0)
        return results.artifacts.get('tpi-fit')?.bytes.length ?? 0
      }
      expect(await packed('0')).toBeGreaterThan(200_000)
      expect(await packed('9')).toBeLessThan(2000)
    } finally {
      await results.close()
    }
  })

  test('contain nothing of this computer; files that they cannot contain fail no step', async () => {
    const results = await resultsDouble()
    try {
      const env = { ...results.env(), GITHUB_WORKSPACE: folder, CANARY: 'canary-of-the-job' }
      const odd = 'echo 1 > a:b.log; echo 1 > "$(printf \'c\\nd\')"'
      const script = `mkdir r; cd r; echo good > good; ln -s good same; ln -s /proc/self/environ env; ln -s /etc/hostname host; ln -s none dangling; ${odd}`
      const end = await main({ name: 'fit', output: 'r/**', script }, env)
      expect([end.code, errors(end)]).toEqual([0, []])
      const files = unzip(results.artifacts.get('tpi-fit')?.bytes ?? Buffer.alloc(0))
      expect([...files].map(([path, bytes]) => [path, bytes.toString()]).sort()).toEqual([
        ['r/good', 'good\n'],
        ['r/same', 'good\n'],
      ])
      expect(readFileSync(join(folder, 'work/r/a:b.log'), 'utf8')).toBe('1\n')
      const warned = end.annotations.filter(({ level }) => level === 'warning').map(({ message }) => message)
      for (const name of ['r/env', 'r/host', 'r/dangling', 'r/a:b.log']) expect(warned.join('\n')).toContain(name)
    } finally {
      await results.close()
    }
  })

  test('that cannot be uploaded: exit 76, everything kept; the same step again delivers', async () => {
    const results = await resultsDouble()
    try {
      const env = { ...results.env(), GITHUB_WORKSPACE: folder }
      results.fail('CreateArtifact', 400, 1)
      const inputs = { name: 'fit', output: 'r/**', script: 'mkdir -p r; echo 1 > r/a' }
      const first = await main(inputs, env)
      expect([first.code, first.outputs['outcome'], errors(first).length]).toEqual([76, 'remote-error', 1])
      expect((await leaks(join(folder, 'home'))).filter((line) => line.startsWith('process'))).toEqual([])
      rmSync(join(folder, 'work/r'), { recursive: true })
      const second = await main(inputs, env)
      expect([second.code, second.outputs['attached'], [...results.artifacts.keys()]]).toEqual([0, 'true', ['tpi-fit']])
      expect(await leaks(join(folder, 'home'))).toEqual([])
    } finally {
      await results.close()
    }
  })

  test('contain the whole log and the record too, if that is requested: elsewhere, "tpi logs" and "tpi status" answer from them', async () => {
    const results = await resultsDouble()
    try {
      const env = { ...results.env(), GITHUB_WORKSPACE: folder, KEY: 'canary-7f3a9c1e5b' }
      const end = await main({ name: 'fit', 'artifact-log': 'true', secrets: 'KEY', script: 'seq 1000; echo "key $KEY"; exit 3' }, env)
      expect([end.code, [...results.artifacts.keys()]]).toEqual([3, ['tpi-fit.log']])
      expect(end.summary).toContain('[tpi-fit.log](https://github.com/octo/repo/actions/runs/7/artifacts/101)')
      const history = join(folder, 'elsewhere/history')
      mkdirSync(history, { recursive: true })
      const files = unzip(results.artifacts.get('tpi-fit.log')?.bytes ?? Buffer.alloc(0))
      for (const [path, bytes] of files) writeFileSync(join(history, path), bytes)
      const tpi = (...words: string[]): string =>
        execFileSync(process.execPath, [join(DIST, 'cli.js'), ...words], {
          env: { PATH: process.env['PATH'], HOME: folder, TPI_HOME: join(folder, 'elsewhere') },
          encoding: 'utf8',
        })
      expect(tpi('logs', 'fit')).toBe(`${[...Array.from({ length: 1000 }, (_, n) => n + 1), 'key ***'].join('\n')}\n`)
      expect(JSON.parse(tpi('status', 'fit', '--json'))).toMatchObject({ name: 'fit', outcome: 'script-failed', exitCode: 3 })
    } finally {
      await results.close()
    }
  })

  test('of a private repository contain the log by default: masked are secrets, longer values of env, and tokens in the script', async () => {
    const results = await resultsDouble()
    try {
      const token = 'ghx_1234567890abcdefghij'
      const payload = join(folder, 'event.json')
      const env = {
        ...results.env(),
        GITHUB_WORKSPACE: folder,
        GITHUB_EVENT_NAME: 'push',
        GITHUB_EVENT_PATH: payload,
        KEY: 'canary-7f3a9c1e5b',
      }
      const inputs = {
        name: 'fit',
        secrets: 'KEY',
        env: 'PASS=longer-than-seven\nSEED=7',
        script: `echo "key $KEY pass $PASS seed $SEED"; printf longer-; sleep 1; echo than-seven; echo ${token}; echo data/train/set-2/part-00017`,
      }
      const kept = async (visible: object, more: object = {}): Promise<string[]> => {
        writeFileSync(payload, JSON.stringify({ repository: visible }))
        results.artifacts.clear()
        expect((await main({ ...inputs, ...more, 'if-exists': 'replace' }, env)).code).toBe(0)
        return [...results.artifacts.keys()]
      }
      expect(await kept({ private: false })).toEqual([])
      expect(await kept({})).toEqual([])
      expect(await kept({ private: true }, { 'artifact-log': 'false' })).toEqual([])
      expect(await kept({ private: true })).toEqual(['tpi-fit.log'])
      const files = unzip(results.artifacts.get('tpi-fit.log')?.bytes ?? Buffer.alloc(0))
      const log = [...files].flatMap(([path, bytes]) => (path.endsWith('.log.gz') ? [gunzipSync(bytes).toString()] : [])).join('')
      expect(log.split('\n').filter((line) => !/^\{|takes slot|^succeeded/.test(line))).toEqual([
        'key *** pass *** seed 7',
        '***',
        '***',
        'data/train/set-2/part-00017',
        '',
      ])
    } finally {
      await results.close()
    }
  })

  test('that cannot contain the log: a warning, and the outcome unchanged', async () => {
    const results = await resultsDouble()
    try {
      results.fail('CreateArtifact', 400, 1)
      const end = await main({ name: 'fit', 'artifact-log': 'true', script: 'echo 1' }, { ...results.env(), GITHUB_WORKSPACE: folder })
      expect([end.code, end.outputs['outcome'], errors(end)]).toEqual([0, 'success', []])
      expect(end.text).toMatch(/warning.*artifact "tpi-fit\.log": could not be uploaded: /)
    } finally {
      await results.close()
    }
  })

  test('none, if none is wanted or no file matched', async () => {
    const results = await resultsDouble()
    try {
      const env = { ...results.env(), GITHUB_WORKSPACE: folder }
      expect((await main({ output: 'r/**', script: 'mkdir r; echo > r/a', artifact: 'false' }, env)).code).toBe(0)
      expect((await main({ name: 'b', output: 'q/**', script: 'true' }, env)).annotations[0]?.message).toMatch(/no file.* match/)
      expect((await main({ name: 'c', output: 'q/**', script: 'true', 'if-no-files-found': 'error' }, env)).code).toBe(76)
      expect(results.calls).toEqual([])
    } finally {
      await results.close()
    }
  })
})

describe('detach and collect', () => {
  test('the step that collects has the outputs; the commit shows both', async () => {
    const api = await apiDouble()
    try {
      const env = { GITHUB_API_URL: api.url }
      const script = 'mkdir -p r; echo late > r/a; echo "v=1" >> "$TPI_OUTPUT"'
      const left = await main({ name: 'nightly', output: 'r/**', script, wait: 'false', 'github-token': 'ghs_token-token' }, env)
      expect([left.code, left.outputs['outcome'], left.state['ended']]).toEqual([0, 'running', 'true'])
      expect(left.summary).toContain('command: collect')
      await succeeded(join(folder, 'home'), 'nightly')
      const next = { ...env, GITHUB_RUN_ID: '8', GITHUB_JOB: 'collect', GITHUB_ACTION: 'c' }
      const end = await startStep('main', {
        folder,
        inputs: { command: 'collect', finished: 'true', 'github-token': 'ghs_token-token' },
        env: { ...FAST, ...next },
      }).end
      expect([end.code, end.outputs['outcome'], end.outputs['v']]).toEqual([0, 'success', '1'])
      expect(readFileSync(join(folder, 'work/nightly/r/a'), 'utf8')).toBe('late\n')
      expect(api.statuses.map(({ path, body }) => [path, body['state'], body['context']])).toEqual([
        [`/repos/octo/repo/statuses/${'a'.repeat(40)}`, 'pending', 'tpi/nightly'],
        [`/repos/octo/repo/statuses/${'a'.repeat(40)}`, 'success', 'tpi/nightly'],
      ])
      expect(await leaks(join(folder, 'home'))).toEqual([])
    } finally {
      await api.close()
    }
  })

  test('a run that no step leaves marks nothing, in no attempt of its job; but it replaces a mark that is there', async () => {
    const api = await apiDouble()
    try {
      const env = { GITHUB_API_URL: api.url }
      const inputs = { name: 'marked', 'github-token': 'ghs_token-token' }
      expect((await main({ ...inputs, script: 'true' }, env)).code).toBe(0)
      expect((await main({ ...inputs, script: 'true' }, { ...env, GITHUB_RUN_ATTEMPT: '2' })).code).toBe(0)
      expect(api.statuses).toEqual([])
      expect((await main({ ...inputs, script: 'sleep 600', wait: 'false' }, env)).code).toBe(0)
      expect((await main({ ...inputs, script: 'true', 'if-exists': 'replace' }, { ...env, GITHUB_RUN_ID: '8' })).code).toBe(0)
      expect(api.statuses.map(({ body }) => body['state'])).toEqual(['pending', 'success'])
    } finally {
      await api.close()
    }
  })

  test('a token without "statuses: write" changes nothing except that the commit status is missing', async () => {
    const api = await apiDouble()
    try {
      api.answer = 403
      const inputs = { name: 'unmarked', 'github-token': 'ghs_token-token' }
      const script = 'sleep 1; echo "v=1" >> "$TPI_OUTPUT"; exit 3'
      const left = await main({ ...inputs, script, wait: 'false' }, { GITHUB_API_URL: api.url })
      expect([left.code, left.outputs['outcome']]).toEqual([0, 'running'])
      const end = await main({ ...inputs, script }, { GITHUB_API_URL: api.url })
      expect([end.code, end.outputs['attached'], end.outputs['outcome'], end.outputs['v']]).toEqual([3, 'true', 'script-failed', '1'])
      expect(errors(end)).toEqual([expect.stringContaining('exit code 3')])
      expect([...left.annotations, ...end.annotations].filter(({ message }) => /token|commit status/.test(message))).toEqual([])
      expect(api.statuses.map(({ body }) => body['state'])).toEqual(['pending', 'failure'])
    } finally {
      await api.close()
    }
  })

  test('the end of the job is known in advance', async () => {
    const started = new Date(Date.now() - 2000).toISOString()
    const inputs = { name: 'long', script: 'sleep 600' }
    const end = await main(inputs, { CI_JOB_STARTED_AT: started, CI_JOB_TIMEOUT: '6' })
    expect([end.code, end.outputs['outcome'], end.outputs['exit-code']]).toEqual([75, 'running', undefined])
    expect(errors(end)[0]).toContain('is still running')
    const gone = await startStep('main', { folder, inputs: { command: 'destroy', name: 'long', discard: 'true' }, env: FAST }).end
    expect([gone.code, await leaks(join(folder, 'home'))]).toEqual([0, []])
  })
})

describe('a cancelled step', () => {
  const LOOP = 'i=0; while :; do i=$((i+1)); echo $i > next; mv next count; echo "tick $i"; sleep 0.2; done'
  const inputs = { name: 'loop', script: LOOP, output: 'count' }

  test('stops what it started within the time a runner gives, and keeps what was saved', async () => {
    const running = startStep('main', step({ ...inputs, 'checkpoint-interval': '500ms' }))
    await running.saw(/tick 8/)
    const end = await running.cancel()
    expect(end.code === 130 || end.signal === 'SIGKILL').toBe(true)
    expect(end.state['ended']).toBeUndefined()
    const post = await startStep('post', step(inputs), end.state).end
    expect(post.code).toBe(0)
    expect((await leaks(join(folder, 'home'))).filter((line) => line.startsWith('process'))).toEqual([])
    const resumed = await main({ ...inputs, script: 'cat count', resume: 'true' })
    expect(resumed.code).toBe(0)
    expect(Number(/^(\d+)$/m.exec(resumed.lines.join('\n'))?.[1])).toBeGreaterThan(0)
    expect(await leaks(join(folder, 'home'))).toEqual([])
  })

  test('on-cancel: detach leaves it running, and the post step too', async () => {
    const running = startStep('main', step({ ...inputs, 'on-cancel': 'detach' }))
    await running.saw(/tick 2/)
    const end = await running.cancel()
    expect(end.code).toBe(75)
    await startStep('post', step({ ...inputs, 'on-cancel': 'detach' }), end.state).end
    const status = await startStep('main', { folder, inputs: { command: 'destroy', name: 'loop', discard: 'true' }, env: FAST }).end
    expect([status.code, await leaks(join(folder, 'home'))]).toEqual([0, []])
  })

  test('that had only attached records a stop and removes nothing', async () => {
    expect((await main({ ...inputs, wait: 'false' })).code).toBe(0)
    const running = startStep('main', step(inputs))
    await running.saw(/tick \d/)
    running.child.kill('SIGKILL')
    const end = await running.end
    expect(end.state['begun']).toBe('attached')
    const post = await startStep('post', step(inputs), end.state).end
    expect(post.text).toContain('request to stop it is recorded')
    const stopped = await startStep('main', { folder, inputs: { command: 'collect', name: 'loop' }, env: FAST }).end
    expect(['stopped', 'running']).toContain(stopped.outputs['outcome'])
    await startStep('main', { folder, inputs: { command: 'destroy', name: 'loop', discard: 'true' }, env: FAST }).end
    expect(await leaks(join(folder, 'home'))).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('by %s at any moment: the post step leaves nothing that runs', async (signal) => {
    for (const wait of [0, 60, 120, 180, 240, 300, 400, 500, 650, 800, 1000, 1400]) {
      const running = startStep('main', step(inputs))
      await new Promise((resolve) => setTimeout(resolve, wait))
      running.child.kill(signal)
      const killer = setTimeout(() => running.child.kill('SIGKILL'), 10_000)
      const end = await running.end
      clearTimeout(killer)
      const post = await startStep('post', step(inputs), end.state).end
      expect({ wait, code: post.code }).toEqual({ wait, code: 0 })
      const left = await leaks(join(folder, 'home'))
      expect({ wait, left: left.filter((line) => line.startsWith('process')) }).toEqual({ wait, left: [] })
      if (left.length > 0) await startStep('main', { folder, inputs: { command: 'destroy', name: 'loop', discard: 'true' }, env: FAST }).end
      expect({ wait, left: await leaks(join(folder, 'home')) }).toEqual({ wait, left: [] })
    }
  })
})
