import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { changeRecord } from '../../src/engine/change-record.ts'
import { findMarked } from '../../src/lib/process.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'
import { shell, world } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

const state = async (name: string): Promise<string> => (await w.tpi(`status ${name} --json`)).facts.state
const runs = (name: string): Promise<void> => until(`${name} runs`, async () => (await state(name)) === 'running')

describe('detached', () => {
  test('returns at once with 0, keeps running, is listed, and is collected later', async () => {
    await w.write('p/x', 'x')
    const started = await w.tpi(shell('task --name later --detach --workdir p --output r --json', 'sleep 1; echo 42 > r'))
    expect(started.code).toBe(0)
    expect(started.facts).toMatchObject({ outcome: 'running', exitCode: null })
    expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'later', collected: false }])
    await until('it has ended', async () => (await state('later')) === 'succeeded')
    await expect(w.read('p/r')).rejects.toThrow(/ENOENT/)
    const collected = await w.tpi('collect later --json')
    expect(collected.code).toBe(0)
    expect(collected.facts).toMatchObject({ outcome: 'success', destroyed: true })
    expect(await w.read('p/r')).toBe('42\n')
    expect(await w.remains()).toEqual([])
  })

  test('a wait that ends is exit 75, and says how to attach again', async () => {
    const ran = await w.tpi(['task', '--name', 'long', '--wait', '1s', '--', 'sleep', '600'], { env: { TPI_LEASE_TTL: '30s' } })
    expect(ran.code).toBe(75)
    expect(ran.host.lines.join('\n')).toContain('tpi logs long --follow')
    expect((await w.tpi('stop long')).code).toBe(0)
    expect(await state('long')).toBe('stopped')
  })

  test('collect of a running task fetches what is there, says that it is still running, and stops nothing', async () => {
    await w.write('p/x', 'x')
    const script = 'echo 1 > r; while [ ! -f go ]; do sleep 0.1; done; echo 2 > r'
    await w.tpi(shell('task --name mid --detach --workdir p --output r --checkpoint-interval 1s', script))
    await until('something came', async () => {
      const { code, host } = await w.tpi('collect mid')
      expect([code, host.printed.at(-1)]).toEqual([75, expect.stringMatching(/^mid is still running; .*\noutcome: running, exit code 75$/)])
      return (await w.read('p/r').catch(() => '')) === '1\n'
    })
    expect(await w.tpi('pull mid r')).toMatchObject({ code: 0 })
    expect(await state('mid')).toBe('running')
    expect((await w.tpi(['exec', 'mid', '--', 'touch', 'go'])).code).toBe(0)
    await until('it has ended', async () => (await state('mid')) === 'succeeded')
    for (const words of [
      ['exec', 'mid', '--', 'true'],
      ['interrupt', 'mid', '--slot', '0'],
    ]) {
      const late = await w.tpi(words)
      const message = expect.stringContaining(`${words[0]}: slot 0 of "mid" has ended: exit code 0`)
      expect([late.code, late.host.annotations.at(-1)?.message]).toEqual([64, message])
    }
    expect((await w.tpi('interrupt mid')).host.annotations.at(-1)?.message).toContain('no machine is at work on "mid"')
    expect((await w.tpi('collect mid')).code).toBe(0)
    expect(await w.read('p/r')).toBe('2\n')
  })
})

describe('a storage folder that is away', () => {
  test('does not lead to a report that everything was removed', async () => {
    await w.tpi(['task', '--name', 'mounted', '--detach', '--storage', `${w.work}/disk`, '--script', 'true'])
    await until('it has ended', async () => (await state('mounted')) === 'succeeded')
    await rename(`${w.work}/disk`, `${w.work}/away`)
    const refused = await w.tpi('destroy mounted')
    expect(refused.code).toBe(64)
    expect(refused.host.annotations.at(-1)?.message).toMatch(/"mounted": nothing of it was found at dir:.*\/disk .*bring it back first/)
    await rename(`${w.work}/away`, `${w.work}/disk`)
    expect((await w.tpi('destroy mounted')).code).toBe(0)
    expect(await w.remains()).toEqual([])
  })
})

test('a history that cannot be written, on a full disk for example, stops nothing: results come, and machines are given back', async () => {
  await mkdir(w.home, { recursive: true })
  for (const name of ['history', 'delivered']) await writeFile(join(w.home, name), '')
  const ran = await w.tpi(shell('task --name blank --output r --output-dir here', 'echo 1 > r'))
  expect([ran.code, await w.read('here/r')]).toEqual([0, '1\n'])
  const warnings = ran.host.lines.filter((line) => line.startsWith('warn'))
  expect(warnings.join('\n')).toMatch(/blank: the history in \S+ cannot be written: /)
  expect(warnings.join('\n')).toMatch(/blank: where its results are cannot be noted in /)
  await w.tpi(['task', '--name', 'blank', '--detach', '--', 'sleep', '600'])
  expect((await w.tpi('destroy blank --discard')).code).toBe(0)
  expect([await w.alive(), (await w.tpi('list --json')).facts]).toEqual([[], []])
})

describe('the same command again', () => {
  const words = shell('task --name twice --json', 'echo ran; sleep 2')

  test('attaches while it runs, and two controllers at once make one deployment', async () => {
    // Neither counts as dead if this process stands still for a moment.
    const env = { TPI_LEASE_TTL: '30s' }
    const [one, two] = await Promise.all([w.tpi(words, { env }), w.tpi(words, { env })])
    expect([one.code, two.code]).toEqual([0, 0])
    expect([one.facts.attached, two.facts.attached].sort()).toEqual([false, true])
    for (const ran of [one, two]) expect(ran.host.scriptText()).toBe('ran\n')
    expect(await w.remains()).toEqual([])
  })

  test('with something different is an error that names it; if-exists: replace starts a new run', async () => {
    await w.tpi(['task', '--name', 'twice', '--detach', '--', 'sleep', '600'])
    await runs('twice')
    const other = await w.tpi(['task', '--name', 'twice', '--timeout', '1h', '--', 'sleep', '61'])
    expect(other.code).toBe(64)
    expect(other.host.annotations).toMatchObject([{ level: 'error', message: expect.stringMatching(/differs in: script, timeout/) }])
    const replaced = await w.tpi(['task', '--name', 'twice', '--if-exists', 'replace', '--script', 'echo new'])
    expect(replaced).toMatchObject({ code: 0 })
    expect(replaced.host.scriptText()).toBe('new\n')
    await w.deserted()
  })

  test('starts over after a failure, and says what of the failed run is lost by that', async () => {
    await w.write('over/go', '')
    const command = shell('task --name over --workdir over', 'echo 3 > checkpoint; exit 9')
    expect((await w.tpi(command)).code).toBe(9)
    const again = await w.tpi(command)
    expect(again.code).toBe(9)
    expect(again.host.lines.join('\n')).toMatch(
      /over: the last run did not succeed; .* checkpoint of that run \(20\S+Z\) is removed.*resume/,
    )
    const resumed = await w.tpi([...command.slice(0, 5), '--resume', ...command.slice(5)])
    expect(resumed.host.lines.join('\n')).not.toMatch(/is removed/)
    await w.tpi('destroy over')
  })

  test('attaches while only the work directory differs, and says so; files from tpi pull are no difference', async () => {
    await w.write('p/x', 'one')
    const command = shell('task --name dir --workdir p --output made', 'echo 1 > made; sleep 600')
    const again = async () => w.tpi([...command.slice(0, 3), '--wait', '100ms', ...command.slice(3)])
    await w.tpi([...command.slice(0, 3), '--detach', ...command.slice(3)])
    await until('something came', async () => {
      await w.tpi('pull dir made')
      return (await w.read('p/made').catch(() => '')) === '1\n'
    })
    await w.tpi(['pull', 'dir', 'made', '--to', `${w.work}/p/elsewhere/deep`])
    expect(await w.read('p/elsewhere/deep/made')).toBe('1\n')
    const unedited = await again()
    expect(unedited.code).toBe(75)
    expect(unedited.host.lines.join('\n')).not.toMatch(/has changed/)
    await w.write('p/x', 'two')
    const edited = await again()
    expect(edited.code).toBe(75)
    expect(edited.host.outputs).toMatchObject({ attached: 'true' })
    expect(edited.host.lines).toContainEqual(
      expect.stringMatching(/^warn: dir: ".*p" has changed since its upload; the run continues with the files/),
    )
    await w.tpi('destroy dir --discard')
  })

  test('resume starts from the last checkpoint of a failed run', async () => {
    const script = 'n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n; echo now $n; [ $n -ge 2 ]'
    const first = await w.tpi(shell('task --name again', script))
    expect(first.code).toBe(1)
    const second = await w.tpi(shell('task --name again --resume --json', script))
    expect(second.code).toBe(0)
    expect(second.host.scriptText()).toBe('now 2\n')
    expect(await w.remains()).toEqual([])
  })

  /** Who notices, and how the object is damaged. */
  const DAMAGE: readonly (readonly [string, RegExp, (bytes: Buffer) => Buffer])[] = [
    [
      'the machine',
      /snapshot .* is damaged: .*; taking the one before/,
      (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('x')]),
    ],
    ['the command', /its checkpoint of 20\S+Z is damaged \(.*\): going on from that of 20/, () => Buffer.alloc(0)],
  ]
  test.each(DAMAGE)('a damaged checkpoint gives way to the one before it if it is resumed: %s says so', async (_who, says, damaged) => {
    const script = `if [ -e n ]; then echo from $(cat n); exit 0; fi
      echo one > n; while [ ! -e "${w.home}/go" ]; do sleep 0.1; done; echo two > n; exit 1`
    const packs = async (): Promise<string[]> => (await w.remains()).filter((path) => path.includes('/slots/0/snap/p-'))
    await w.tpi(shell('task --name torn --checkpoint-interval 1s --detach', script))
    await until('it has saved', async () => (await w.tpi('status torn --json')).facts.slots[0].savedAt !== null)
    const before = await packs()
    await writeFile(join(w.home, 'go'), '')
    await until('it has ended', async () => (await state('torn')) === 'failed')
    const [pack = ''] = (await packs()).filter((one) => !before.includes(one))
    await writeFile(join(w.home, pack), damaged(await readFile(join(w.home, pack))))
    const second = await w.tpi(shell('task --name torn --resume', script))
    expect([second.code, second.host.scriptText()]).toEqual([0, expect.stringContaining('from one\n')])
    expect(`${second.host.lines.join('\n')}${second.host.scriptText()}`).toMatch(says)
  })
})

describe('resuming after an edit', () => {
  const words = ['task', '--name', 'edited', '--workdir', 'p', '--output', '**', '--', 'sh', 'train.sh']
  const v1 = 'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; echo "v1 at $(cat n)"; echo run > conf; exit 1'
  const v2 = 'echo "v2 at $(cat n)"; cat conf; cat conf~'

  test('runs the edited files over the last snapshot, and says so; edited files here are never overwritten', async () => {
    await w.write('p/train.sh', v1)
    await w.write('p/conf', 'one')
    expect((await w.tpi(words)).code).toBe(1)
    expect([await w.read('p/n'), await w.read('p/conf')]).toEqual(['1\n', 'run\n'])
    await w.write('p/train.sh', v2)
    await w.write('p/conf', 'mine\n')
    const again = await w.tpi([...words.slice(0, 3), '--resume', ...words.slice(3)])
    expect(again.host.scriptText()).toBe('v2 at 1\nmine\nrun\n')
    expect(again.code).toBe(0)
    expect(again.host.lines.join('\n')).toMatch(
      /goes on from its checkpoint of 20.*\n.*changed here since the last upload.*"conf", "train\.sh"/,
    )
    expect(again.host.lines).toContainEqual(expect.stringMatching(/^warn: conf was changed here and by the run/))
    expect([await w.read('p/train.sh'), await w.read('p/conf'), await w.read('p/conf~')]).toEqual([v2, 'mine\n', 'run\n'])
    expect(await w.remains()).toEqual([])
  })
})

describe('stop and destroy', () => {
  test('stop ends the script in order and keeps what it saved', async () => {
    await w.write('p/x', 'x')
    const script = 'trap "echo bye > r; exit 0" TERM; echo started; while :; do sleep 0.1; done'
    await w.tpi(shell('task --name halt --detach --workdir p --output r', script))
    await until('it has started', async () => (await w.tpi('logs halt')).host.scriptText().includes('started'))
    const stopped = await w.tpi('stop halt --json')
    expect(stopped.facts).toMatchObject({ state: 'stopped', outcome: 'stopped', exitCode: 130 })
    await w.deserted()
    expect((await w.tpi('collect halt')).code).toBe(130)
    expect(await w.read('p/r')).toBe('bye\n')
  })

  test('destroy refuses a run that is running or was not collected; --discard does not', async () => {
    await w.write('p/x', 'x')
    await w.tpi(shell('task --name gone --detach --workdir p --output r', 'echo 1 > r; sleep 1'))
    expect(await w.tpi('destroy gone')).toMatchObject({ code: 64 })
    await until('it has ended', async () => (await state('gone')) === 'succeeded')
    const refused = await w.tpi('destroy gone')
    expect(refused.code).toBe(64)
    expect(refused.host.lines.join('\n')).toContain('nobody collected')
    expect((await w.tpi('destroy gone --discard')).code).toBe(0)
    expect(await w.remains()).toEqual([])
    expect((await w.tpi('destroy gone')).host.printed).toEqual(['gone: was already given back; its record and log stay in the history'])
    expect((await w.tpi('status gone --json')).facts).toMatchObject({ outcome: 'success', destroyed: true })
  })

  /** As a command that was killed leaves it. */
  const beginRemoval = async (id: string): Promise<void> => {
    const store = await openStore({ url: `dir:${w.home}/store` })
    await changeRecord(CURRENT, store, currentKey(id), (now) => now && { ...now, state: 'destroying' as const })
  }

  test('the same command continues a removal that was begun', async () => {
    await w.tpi(['task', '--name', 'begun', '--detach', '--', 'sleep', '600'])
    await runs('begun')
    const { id } = (await w.tpi('status begun --json')).facts
    await beginRemoval(id)
    expect((await w.tpi('status begun --json')).facts).toMatchObject({ state: 'destroying', outcome: 'running' })
    expect((await w.tpi(`destroy ${id}`)).code).toBe(0)
    expect(await w.remains()).toEqual([])
  })

  test('of a run that has ended, and whose removal was begun, nothing is said to be kept', async () => {
    const { code, facts } = await w.tpi(['task', '--name', 'half', '--workdir', 'none', '--json', '--script', 'echo 1 > r; exit 3'])
    await beginRemoval(facts.id)
    expect([code, (await w.tpi('status half --json')).facts]).toMatchObject([3, { state: 'destroying', outcome: 'script-failed' }])
    expect((await w.tpi('list')).host.printed.join()).toMatch(/half .* destroying /)
    const planned = await w.tpi('plan --name half --workdir none --script true')
    expect(planned.host.printed.join()).toContain('it is being removed: the task would wait for that')
    const said = 'half: its removal has begun, and tpi destroy half completes it'
    expect((await w.tpi('stop half')).host.printed).toEqual([said])
    expect((await w.tpi('destroy half')).code).toBe(0)
  })

  test('the command that a stop names removes the run, and discards no results by itself', async () => {
    await w.tpi(['task', '--name', 'ended', '--detach', '--workdir', 'none', '--script', 'echo 1 > r; sleep 600'])
    await runs('ended')
    const said = (await w.tpi('stop ended')).host.printed.join()
    expect(said).toMatch(/tpi destroy ended removes/)
    expect((await w.tpi('destroy ended')).code).toBe(0)
  })

  test('a run that has ended is not stopped, but reported as ended', async () => {
    expect((await w.tpi(['task', '--name', 'over', '--workdir', 'none', '--script', 'exit 3'])).code).toBe(3)
    const stopped = await w.tpi('stop over')
    expect(stopped.code).toBe(0)
    expect(stopped.host.printed.join()).toMatch(/^over has ended already: failed; .*tpi destroy over removes them$/)
    expect(stopped.host.lines.join('\n')).not.toMatch(/asked|waiting/)
  })

  test('the deadline ends it, with its results', async () => {
    await w.write('p/x', 'x')
    const words = shell('task --name late --timeout 30s --grace 1s --workdir p --output r --json', 'echo 1 > r; sleep 600')
    const ran = await w.tpi(words, { env: { TPI_RESERVE: '30s' } })
    expect(ran.code).toBe(124)
    expect(ran.facts).toMatchObject({ state: 'timed-out', outcome: 'timed-out' })
    expect(await w.read('p/r')).toBe('1\n')
    await w.deserted()
  })

  test('an unknown name is reported', async () => {
    expect(await w.tpi('status nobody')).toMatchObject({ code: 64 })
    expect((await w.tpi('status nobody --json')).facts).toMatchObject({ outcome: 'invalid', exitCode: 64 })
  })

  test('two homes never see each other', async () => {
    const other = await world()
    try {
      await w.tpi(['task', '--name', 'mine', '--detach', '--', 'sleep', '600'])
      expect((await other.tpi('list --json')).facts).toEqual([])
      expect((await other.tpi('stop mine')).code).toBe(64)
      await runs('mine')
      await w.tpi('destroy mine --discard')
    } finally {
      await other.end()
    }
  })
  test('keep-on-failure leaves the folder of the failed machine; otherwise it is removed', async () => {
    for (const [flag, left] of [
      ['--keep-on-failure', 1],
      ['--no-keep-on-failure', 0],
    ] as const) {
      const { host } = await w.tpi(['task', '--name', 'look', flag, '--script', 'echo traces > made-by-it; exit 3'])
      const reported = host.lines.flatMap((line) => /kept for you to look at: (.*)/.exec(line)?.[1] ?? [])
      const found = async (): Promise<number> => (await w.filesWith('traces')).filter((path) => path.endsWith('/work/made-by-it')).length
      await until(`${left} folders are left`, async () => (await found()) === left)
      expect(await found()).toBe(left)
      expect((await w.filesWith('traces')).filter((path) => reported.some((folder) => path === `${folder}/made-by-it`))).toHaveLength(left)
      expect(reported).toHaveLength(left)
      await w.tpi('destroy look --discard')
      expect(await w.remains()).toEqual([])
    }
  })
})

describe('secrets', () => {
  test('a canary is in no log, specification, argument or output, and gone from the store at the end', async () => {
    const canary = 'canary-7f3a9b2c'
    const script = `echo "it is $KEY"; echo "k=$KEY" >> $TPI_OUTPUT; while [ ! -e "${w.home}/go" ]; do sleep 0.1; done`
    const run = w.tpi(['task', '--name', 'quiet', '--secret', 'KEY', '--json', '--script', script], { env: { KEY: canary } })
    await runs('quiet')
    const machine = (await w.tpi('status quiet --json')).facts.slots[0].machine
    expect(findMarked('TPI_MACHINE', machine).length).toBeGreaterThan(0)
    for (const line of await w.alive()) expect(line).not.toContain(canary)
    // Besides the script's own files on its machine, only the record that agents read contains it.
    const holding = (await w.filesWith(canary)).filter((path) => !path.includes('/machines/'))
    expect(holding.map((path) => path.replace(/.*\/store\/[^/]+\/[^/]+\//, ''))).toEqual([expect.stringMatching(/^secrets\/env\.json/)])
    await writeFile(join(w.home, 'go'), '')
    const ran = await run
    expect(ran.code).toBe(0)
    expect(ran.host.scriptText()).toBe('it is ***\n')
    expect(JSON.stringify(ran.facts)).not.toContain(canary)
    expect(ran.host.lines.join('\n')).not.toContain(canary)
    expect(await w.filesWith(canary)).toEqual([])
  })

  test('sweep finds what was kept too long, shows it, and removes it with --yes', async () => {
    await w.tpi(['task', '--name', 'old', '--retention', '1s', '--script', 'exit 1'])
    await pause(1200)
    const found = await w.tpi('sweep --json')
    expect(found.code).toBe(1)
    expect(found.facts).toMatchObject([{ name: 'old', removed: false }])
    expect((await w.tpi('sweep --yes --json')).facts).toMatchObject([{ name: 'old', removed: true }])
    expect(await w.remains()).toEqual([])
    const none = await w.tpi('sweep')
    expect(none.code).toBe(0)
    expect(none.host.printed.join('\n')).toContain(
      'nothing is past its time on local; not checked: k8s, aws, gcp, az (choose one with `cloud`)',
    )
  })

  test('a forge that refuses the token does not keep a sweep from removing runs', async () => {
    const forge = await new GithubDouble().start()
    try {
      await w.tpi(['task', '--name', 'old', '--retention', '1s', '--script', 'exit 1'])
      await pause(1200)
      const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'expired' }
      const swept = await w.tpi('sweep --yes --json --repository octo/hello', { env })
      expect(swept).toMatchObject({ code: 77, facts: [{ name: 'old', removed: true }] })
      expect(swept.host.lines.join('\n')).toContain('registrations without a machine: ')
      expect(await w.remains()).toEqual([])
    } finally {
      await forge.stop()
    }
  })
})
