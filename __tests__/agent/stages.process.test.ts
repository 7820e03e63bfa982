import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../src/wire/machine.ts'
import { deadMount } from '../setup/dead-mount.ts'
import { smallDisk } from '../setup/small-disk.ts'
import { until } from '../setup/wait.ts'
import { faulty } from './faulty.ts'
import { Deployment, nap, sha256 } from './kit.ts'

describe('set-up', () => {
  test.concurrent('runs before the script, once per machine, with a separate log', async () => {
    await using task = await Deployment.make({
      setup: { script: 'echo preparing; echo tool > tool' },
      script: 'cat tool; [ "$TPI_ATTEMPT" = 2 ] || exit 9',
      retry: { retries: 1 },
    })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.log('setup')).toBe('preparing\n')
    expect(await task.log('script')).toBe('tool\ntool\n')
    expect(await task.slot()).toMatchObject({ state: 'succeeded', epoch: 2, retried: 1 })
  })

  test.concurrent('that fails ends the slot, and the script never starts', async () => {
    await using task = await Deployment.make({ setup: { script: 'exit 4' }, script: 'echo never', retry: { retries: 3 } })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'setup', exitCode: 4, reason: 'setup: exit code 4' })
    expect(await task.log('script')).toBe('')
  })
})

describe('a script', () => {
  test.concurrent('with a shebang is run by its interpreter; argv unchanged, in the working directory', async () => {
    await using one = await Deployment.make({ script: '#!/bin/sh\nfalse\necho "$0" | sed s,.*/,,' })
    await one.inProcess().ended
    expect(await one.log('script')).toBe('script\n')
    await using two = await Deployment.make({
      program: { argv: ['printf', '%s|', 'a b', '$HOME', '*'] },
      files: { 'sub/x': '' },
      workingDirectory: 'sub',
    })
    await two.inProcess().ended
    expect(await two.log('script')).toBe('a b|$HOME|*|')
  })

  test('with a shebang also runs where the file system lets nothing be executed', async () => {
    await using task = await Deployment.make({ script: '#!/bin/sh -e\necho "$0" | sed s,.*/,,\nfalse\necho never' })
    const disk = join(task.root, 'disk')
    await mkdir(disk)
    const unmount = smallDisk(disk, '20m,noexec')
    if (unmount === undefined) return
    try {
      await task.inProcess({ disk }).ended
    } finally {
      unmount()
    }
    expect([await task.log('script'), await task.slot()]).toMatchObject(['script\n', { exitCode: 1 }])
  })

  test.concurrent.each([
    [{ argv: ['no-such-program'] }, '.', 127],
    [{ argv: ['/etc/passwd'] }, '.', 126],
    [{ script: 'true' }, 'missing', 127],
    [{ script: '#!/no/such/interpreter\n' }, '.', 127],
  ])('that cannot start ends as in a shell: %j in %s', async (program, workingDirectory, code) => {
    await using task = await Deployment.make({ program, workingDirectory })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'exit', exitCode: code })
    expect(await task.log('script')).toMatch(/^tpi: .*(?:not found|no folder|not executable|not on this machine)/)
  })

  test.concurrent('gets its own environment: nothing of the caller, nothing of the agent', async () => {
    process.env['CALLERS_OWN'] = 'x'
    await using task = await Deployment.make({
      script: 'env -0 | sort -z',
      env: { PLAIN: 'with "quotes"\nand lines', LANG: 'de_DE.UTF-8' },
      secrets: { TOKEN: 'canary-5f1d' },
      origin: { commit: 'abc', ref: 'refs/heads/main', repository: 'o/r', runUrl: 'https://x/1' },
      count: 2,
    })
    const agent = task.inProcess()
    expect(await agent.ended).toBe(AGENT_DONE)
    delete process.env['CALLERS_OWN']
    const lines = (await task.log('script')).split('\0').filter((line) => line !== '')
    const env = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
    const allowed = [
      'PATH',
      'HOME',
      'USER',
      'LOGNAME',
      'SHELL',
      'TZ',
      'LANG',
      'TMPDIR',
      'PYTHONUNBUFFERED',
      'PLAIN',
      'TOKEN',
      'PWD',
      'SHLVL',
      '_',
      'OLDPWD',
    ]
    expect([...env.keys()].filter((name) => !allowed.includes(name) && !name.startsWith('TPI_'))).toEqual([])
    expect(Object.fromEntries(env)).toMatchObject({
      PLAIN: 'with "quotes"\nand lines',
      LANG: 'de_DE.UTF-8',
      TOKEN: '***',
      TPI_INDEX: '0',
      TPI_COUNT: '2',
      TPI_ATTEMPT: '1',
      TPI_MACHINE: agent.name,
      TPI_PEERS: '127.0.0.1,',
      TPI_COMMIT: 'abc',
      TPI_REF: 'refs/heads/main',
      TPI_REPOSITORY: 'o/r',
      TPI_RUN_URL: 'https://x/1',
      TMPDIR: join(agent.home, 'tmp'),
    })
  })
})

describe('the log', () => {
  test.concurrent('is byte-exact: stdout and stderr in one order, \\r, binary, no newline at the end, /dev/stderr by name', async () => {
    await using task = await Deployment.make({
      script: `for i in 1 2 3; do echo out $i; echo err $i >&2; echo name $i > /dev/stderr; done; printf '10%%\\r20%%\\r'; head -c 300000 /dev/urandom | tee copy; printf end`,
    })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    const log = await task.log('script')
    const begin = `${[1, 2, 3].map((i) => `out ${i}\nerr ${i}\nname ${i}\n`).join('')}10%\r20%\r`
    expect(log.slice(0, begin.length)).toBe(begin)
    expect(log.slice(-3)).toBe('end')
    expect(sha256(log.slice(begin.length, -3))).toBe(await headSum(task, 'copy'))
  })

  test.concurrent('of 64 MB arrives whole', async () => {
    await using task = await Deployment.make({
      script: 'yes "0123456789012345678901234567890123456789012345678901234567890" | head -c 64000000',
    })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    const log = await task.log('script')
    expect(log.length).toBe(64_000_000)
    expect(sha256(log)).toBe(
      sha256('0123456789012345678901234567890123456789012345678901234567890\n'.repeat(1_040_000).slice(0, 64_000_000)),
    )
  })
})

describe('a secret', () => {
  test.concurrent('is in no log, output, summary, record or snapshot name, however it is cut', async () => {
    const canary = 'canary-7c9e2f41b8'
    await using task = await Deployment.make({
      secrets: { API_KEY: canary },
      script: `printf %s "\${API_KEY:0:7}"; sleep 1.2; printf '%s\\n' "\${API_KEY:7}"; echo "got=<$API_KEY>" >> $TPI_OUTPUT; echo "$API_KEY" >> $TPI_SUMMARY`,
    })
    const agent = await task.agent()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.log('script')).toBe('***\n')
    expect(await task.slot()).toMatchObject({ state: 'succeeded', outputs: { got: '<***>' }, summary: '***\n' })
    for await (const entry of task.store.list(''))
      expect(String(Buffer.from((await task.store.read(entry.key))!.bytes))).not.toContain(canary)
  })
})

describe('retries', () => {
  test.concurrent('run the script again in place for the requested exit codes, and only then', async () => {
    await using task = await Deployment.make({
      script: 'echo x >> tries; echo "n=$TPI_ATTEMPT" >> $TPI_OUTPUT; [ $(wc -l < tries) -lt 3 ] && exit 75; exit 6',
      retry: { retries: 5, retryOn: ['75'] },
    })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'failed', exitCode: 6, retried: 2, epoch: 3, outputs: { n: '3' } })
    expect(record.attempts.map(({ exitCode, cause }) => [exitCode, cause])).toEqual([
      [75, 'exit'],
      [75, 'exit'],
      [6, 'exit'],
    ])
  })
})

describe('files in the folder before a retry', () => {
  test.concurrent.each(['stopped', 'interrupted'] as const)('is saved when the slot is %s before the script runs again', async (state) => {
    await using task = await Deployment.make({
      script: 'echo "of attempt $TPI_ATTEMPT" > work; exit 75',
      retry: { retries: 5 },
      checkpoint: { interval: 60 },
    })
    const store = faulty(task.store, async ({ verb, key, body }) => {
      const begins = verb === 'write' && key === task.keys.slot(0).record && String(Buffer.from(body!)).includes('"epoch":2')
      if (!begins || store.calls.some((call) => call.key === 'gap')) return undefined
      store.calls.push({ verb: 'read', key: 'gap' })
      if (state === 'stopped') await task.stop()
      else agent.reclaim()
      const looks = (): number => store.calls.filter((call) => call.key === task.keys.control).length
      for (const before = looks(); looks() < before + 2; ) await nap(10)
      return undefined
    })
    const agent = task.inProcess({}, store)
    expect(await agent.ended).toBe(state === 'stopped' ? AGENT_DONE : AGENT_REPLACE)
    expect(await task.slot()).toMatchObject({ state, epoch: 2 })
    expect(await task.head()).toEqual({ work: 'of attempt 1\n' })
  })
})

describe('a script that removes its own folder', () => {
  const script = 'echo done >> ../tries; rm -rf "$PWD"; exit 3'
  const tries = async (home: string): Promise<number> => (await readFile(join(home, 'tries'), 'utf8')).split('\n').length - 1

  test.concurrent('keeps its exit code, and is not run again', async () => {
    await using task = await Deployment.make({ script, files: { kept: 'as it was' } })
    const agent = task.inProcess()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'exit', exitCode: 3, reason: 'exit code 3' })
    expect(await tries(agent.home)).toBe(1)
    expect(agent.lines.join('\n')).toContain('the work directory was removed by the program that ran in it: none of it was saved')
  })

  test.concurrent('does not succeed, because its results are missing', async () => {
    await using task = await Deployment.make({ script: 'rm -rf "$PWD"', output: ['**'] })
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    const reason = 'results not saved: the work directory was removed by the program that ran in it'
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'results-not-saved', reason })
  })

  test.concurrent('finds the last saved folder when it is run again', async () => {
    await using task = await Deployment.make({ script: `cat kept; ${script}`, files: { kept: 'as it was' }, retry: { retries: 1 } })
    const agent = task.inProcess()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', exitCode: 3, epoch: 2 })
    expect(await task.log('script')).toBe('as it wasas it was')
    expect(await tries(agent.home)).toBe(2)
  })
})

test('a script whose outputs cannot be read does not succeed, and all others are saved', async () => {
  const script = 'mkdir -p out/bucket; echo 1 > out/kept; until test -e ../go; do sleep 0.05; done'
  await using task = await Deployment.make({ script, output: ['out/kept', 'out/bucket/*.csv'] })
  const agent = task.inProcess()
  await until('the script runs', async () => existsSync(join(agent.home, 'work/out/kept')))
  const unmount = deadMount(join(agent.home, 'work/out/bucket'))
  await writeFile(join(agent.home, 'go'), '')
  expect(await agent.ended).toBe(AGENT_DONE)
  if (unmount === undefined) return
  unmount()
  const { state, cause, reason, head } = await task.slot()
  expect({ state, cause, reason, files: head?.files }).toEqual({
    state: 'failed',
    cause: 'results-not-saved',
    reason: 'not all results saved: could not be read: "out/bucket"',
    files: 1,
  })
})

describe('a user without a home', () => {
  test.concurrent('gets the machine’s own folder as one', async () => {
    await using task = await Deployment.make({ script: 'touch ~/a-file && echo $HOME' })
    const agent = task.inProcess({}, task.store, { HOME: '/proc/no-such-home' })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(await task.log('script')).toBe(`${agent.home}\n`)
  })
})

describe('several slots', () => {
  test.concurrent('a gang does not start if one slot never had a machine', async () => {
    await using task = await Deployment.make({ count: 2, gang: true, script: 'echo never' })
    const record = await task.slot(1)
    await task.put(task.keys.slot(1).record, { ...record, epoch: 1, state: 'failed', cause: 'no-start', reason: 'machine does not start' })
    expect(await task.inProcess({ index: 0 }).ended).toBe(AGENT_DONE)
    const reason = 'stopped: slot 1 of its gang never started (machine does not start)'
    expect(await task.slot()).toMatchObject({ state: 'stopped', cause: 'sibling', reason })
    expect(await task.log('script')).toBe('')
  })

  test.concurrent('a gang in which one fails starts again when all are there; one for whom another is lost for good does not', async () => {
    // Slot 1 fails for good only once slot 0 is at its second attempt, too.
    const script =
      'echo $TPI_ATTEMPT; [ $TPI_ATTEMPT = 1 ] && exit 1; [ $TPI_INDEX = 1 ] && { until [ -e ../../second ]; do sleep 0.05; done; exit 2; }; : > ../../second; sleep 600'
    await using task = await Deployment.make({ count: 2, gang: true, retry: { retries: 1 }, script })
    const agents = [task.inProcess({ index: 0 }), task.inProcess({ index: 1 })]
    expect(await agents[1]!.ended).toBe(AGENT_DONE)
    expect(await task.slot(1)).toMatchObject({ state: 'failed', exitCode: 2, retried: 1 })
    await task.until((record) => record.phase === 'script' && record.retried === 1)
    agents[0]!.reclaim()
    await agents[0]!.ended
    expect(await task.inProcess({ index: 0 }).ended).toBe(AGENT_DONE)
    const reason = 'stopped: slot 1 of its gang has failed (exit code 2)'
    expect(await task.slot()).toMatchObject({ state: 'stopped', cause: 'sibling', reason })
    expect([await task.log('script', 0), await task.log('script', 1)]).toEqual(['1\n2\n', '1\n2\n'])
  })

  test.concurrent('a gang starts when all are there, and sees all addresses', async () => {
    await using task = await Deployment.make({ count: 3, gang: true, script: 'echo $TPI_PEERS; cat $TPI_PEERS_FILE' })
    const first = [task.inProcess({ index: 0, address: '10.0.0.1' }), task.inProcess({ index: 1, address: '10.0.0.2' })]
    await task.until((record) => record.phase === 'gang')
    await nap(500)
    expect((await task.slot()).phase).toBe('gang')
    const last = task.inProcess({ index: 2, address: '10.0.0.3' })
    expect(await Promise.all([...first, last].map(async (agent) => agent.ended))).toEqual([AGENT_DONE, AGENT_DONE, AGENT_DONE])
    for (const index of [0, 1, 2])
      expect(await task.log('script', index)).toBe('10.0.0.1,10.0.0.2,10.0.0.3\n10.0.0.1\n10.0.0.2\n10.0.0.3\n')
  })

  test.concurrent('unnumbered machines take free slots, then silent ones; a spare machine leaves', async () => {
    await using task = await Deployment.make({ count: 2, script: '[ "$TPI_ATTEMPT" = 2 ] || sleep 600' })
    const first = await task.agent({ index: 'free' })
    const second = task.inProcess({ index: 'free' })
    const [one, two] = await Promise.all([0, 1].map(async (index) => task.until((record) => record.phase === 'script', index)))
    expect(new Set([one!.holder, two!.holder])).toEqual(new Set([first.name, second.name]))
    expect(await task.inProcess({ index: 'free' }).ended).toBe(AGENT_DONE)
    first.child.kill('SIGKILL')
    await first.ended
    expect(await task.inProcess({ index: 'free' }).ended).toBe(AGENT_DONE)
    const index = one!.holder === first.name ? 0 : 1
    expect(await task.slot(index)).toMatchObject({ state: 'succeeded', epoch: 2 })
    expect(await task.slot(1 - index)).toMatchObject({ state: 'running', epoch: 1, holder: second.name })
    await task.stop()
    expect(await second.ended).toBe(AGENT_DONE)
  })

  test.concurrent('an unnumbered machine leaves at once after the only slot, without preparing for another one', async () => {
    await using task = await Deployment.make({ script: 'echo done > f' })
    const only = task.inProcess({ index: 'free' })
    expect(await only.ended).toBe(AGENT_DONE)
    expect(await readFile(join(task.root, only.name, 'work', 'f'), 'utf8')).toBe('done\n')
    expect(only.lines.join()).not.toContain('no slot')
  })

  test.concurrent('the secrets are removed with the last slot; with fail-fast, a failing slot stops its siblings', async () => {
    await using task = await Deployment.make({
      count: 2,
      failFast: true,
      secrets: { TOKEN: 'canary-5f1d' },
      script: '[ $TPI_INDEX = 0 ] && sleep 600; exit 5',
    })
    const long = task.inProcess({ index: 0 })
    await task.until((record) => record.phase === 'script')
    expect(await task.inProcess({ index: 1 }).ended).toBe(AGENT_DONE)
    expect(await long.ended).toBe(AGENT_DONE)
    expect(await task.slot(1)).toMatchObject({ state: 'failed', exitCode: 5 })
    expect(await task.slot(0)).toMatchObject({ state: 'stopped', cause: 'sibling' })
    expect(await task.store.read(task.keys.secrets)).toBeUndefined()
  })

  test.concurrent('the secrets are also removed if a machine closes the last slot without running it', async () => {
    await using task = await Deployment.make({ count: 2, secrets: { TOKEN: 'canary-5f1d' }, script: 'sleep 600' })
    await task.stop()
    expect(await task.inProcess({ index: 0 }).ended).toBe(AGENT_DONE)
    expect(await task.store.read(task.keys.secrets)).toBeDefined()
    expect(await task.inProcess({ index: 1 }).ended).toBe(AGENT_DONE)
    expect([await task.slot(0), await task.slot(1)]).toMatchObject([{ state: 'stopped' }, { state: 'stopped' }])
    expect(await task.store.read(task.keys.secrets)).toBeUndefined()
  })

  test.concurrent('so are unused registrations of a runner, if a machine closes its slot without serving it', async () => {
    await using task = await Deployment.make({ script: 'sleep 600' })
    const { program: _program, workingDirectory: _at, output: _output, checkpoint: _checkpoint, delivery: _delivery, ...common } = task.spec
    const machine = { archive: { digest: 'a'.repeat(64), bytes: 1, parts: 1, version: '1' }, argv: ['run'], env: {}, files: [] }
    const program = { ...machine, idleClock: 'agent', jobsPerStart: 1, signals: { abort: 'SIGTERM' }, exits: {} }
    const work = { forge: 'github', scope: {}, labels: [], label: 'x', jobs: 2, idle: null, enrolled: [], supply: 2, relaunch: {} }
    await task.put(task.keys.spec, { ...common, mode: 'runner', runner: { ...work, machine: program } })
    for (const k of [0, 1]) await task.store.write(task.keys.once(0, k), Buffer.from('jit'))
    await task.stop()
    expect(await task.inProcess({ index: 0 }).ended).toBe(AGENT_DONE)
    expect(await task.slot(0)).toMatchObject({ state: 'stopped' })
    expect(await Promise.all([0, 1].map((k) => task.store.read(task.keys.once(0, k))))).toEqual([undefined, undefined])
  })
})

async function headSum(task: Deployment, name: string): Promise<string> {
  const { head } = await task.slot()
  const folder = join(task.root, 'sum')
  await restore({ store: task.store, root: task.keys.root, refs: [head!], folder, warn: () => undefined })
  return sha256(await readFile(join(folder, name), 'latin1'))
}
