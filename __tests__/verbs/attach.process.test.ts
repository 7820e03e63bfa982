import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { until } from '../setup/wait.ts'
import { type World } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'
import { dyingStore } from '../storm/dying.ts'

const w = worldPer('file')

const facts = async (name: string) => (await w.tpi(`status ${name} --json`)).facts
const notices = (ran: Awaited<ReturnType<World['tpi']>>): string => ran.host.annotations.map(({ message }) => message).join('\n')

/** `first` runs before each call of a command to its store. */
const before =
  (first: (call: string) => unknown) =>
  (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) =>
      dyingStore(await context.access(place), {
        async through(name, act) {
          await first(name)
          return act()
        },
      }),
  })

test('a run that ends while a command detaches from it counts as left running: its results are still to be collected', async () => {
  const host = memoryHost()
  const isLeft = (): boolean => host.lines.some((line) => line.includes('brief runs on its own now'))
  let ended: Promise<void> | undefined
  const given = before(async () => {
    if (isLeft()) await (ended ??= until('it has ended', async () => (await facts('brief')).outcome === 'success'))
  })
  const ran = await w.tpi(
    ['task', '--name', 'brief', '--output', 'r', '--output-dir', 'brief', '--detach', '--json', '--script', 'echo 1 > r'],
    { given, host },
  )
  expect([ran.code, ran.facts]).toMatchObject([0, { state: 'running', outcome: 'running', exitCode: null, endedAt: null }])
  expect(ran.host.outputs).toMatchObject({ outcome: 'running' })
  expect(ended).toBeDefined()
  expect((await w.tpi('collect brief')).code).toBe(0)
})

describe('resuming', () => {
  test('with fewer machines is refused as long as another one has saved something', async () => {
    const words = ['task', '--name', 'part', '--workdir', 'none', '--script', 'echo $TPI_INDEX > n; sleep 600']
    await w.tpi([...words, '--parallelism', '2', '--detach'])
    const saved = async (): Promise<boolean> =>
      (await facts('part')).slots.every((slot: { savedAt: string | null }) => slot.savedAt !== null)
    await until('both have saved', saved)
    await w.tpi('stop part')
    await until('both have stopped', async () => (await facts('part')).state === 'stopped')
    const fewer = await w.tpi([...words, '--resume', '--parallelism', '1', '--detach'])
    expect([fewer.code, fewer.host.annotations.at(-1)?.message]).toEqual([
      64,
      expect.stringMatching(/^parallelism: 1 is too small: slot 1 of "part"/),
    ])
    expect((await facts('part')).slots).toHaveLength(2)
    expect((await w.tpi('destroy part --discard')).code).toBe(0)
  })
})

describe('replacing', () => {
  test('keeps the results of the old run with the CI run, under a name of their own, before the old run counts as collected', async () => {
    const words = (script: string) => ['task', '--name', 'old', '--workdir', 'none', '--output', 'r', '--script', script]
    await w.tpi([...words('echo made > r'), '--detach'])
    await until('it has ended', async () => (await facts('old')).outcome === 'success')
    const kept: unknown[] = []
    const given = (context: VerbContext): VerbContext => ({
      ...context,
      ciJob: {
        ...context.ciJob,
        artifact: async (name, { folder }, paths, label) => {
          kept.push([name, readFileSync(join(folder, paths[0] ?? ''), 'utf8'), label])
          return undefined
        },
      },
    })
    expect((await w.tpi([...words('echo new > r'), '--if-exists', 'replace'], { given })).code).toBe(0)
    expect(kept).toEqual([
      ['old', 'made\n', 'old-replaced'],
      ['old', 'new\n', undefined],
    ])
  })
})

describe('attaching', () => {
  test('with --detach to a task that has ended meanwhile, as when last night’s was not collected, delivers its results', async () => {
    const words = ['task', '--name', 'nightly', '--workdir', 'none', '--output', 'r', '--detach', '--script', 'echo made > r']
    expect((await w.tpi(words)).host.outputs).toMatchObject({ outcome: 'running' })
    await until('it has ended', async () => (await facts('nightly')).outcome === 'success')
    const again = await w.tpi(words)
    expect([again.code, await w.read('tpi-nightly/r')]).toEqual([0, 'made\n'])
    expect(again.host.outputs).toMatchObject({ attached: 'true', outcome: 'success' })
  })

  test('is reported, keeps the deadline, and brings new secrets; another script is recognized as such', async () => {
    const words = ['task', '--name', 'same', '--timeout', '1h', '--secret', 'KEY', '--env', 'A=1']
    const script = ['--script', 'while [ ! -f go ]; do sleep 0.1; done']
    await w.tpi([...words, '--detach', ...script], { env: { KEY: 'first-canary-1' } })
    const { createdAt, deadline } = await facts('same')

    const again = await w.tpi([...words, '--wait', '1ms', ...script], { env: { KEY: 'second-canary-2' } })
    expect(again.code).toBe(75)
    expect(again.host.outputs).toMatchObject({ attached: 'true', 'started-at': createdAt, outcome: 'running' })
    expect(notices(again)).toContain(`attached to same, which was started at ${createdAt}`)
    expect(await facts('same')).toMatchObject({ createdAt, deadline })
    expect((await w.filesWith('second-canary-2')).filter((path) => !path.includes('/machines/'))).toEqual([
      expect.stringMatching(/\/secrets\/env\.json/),
    ])

    const other = ['--name', 'same', '--script', 'echo other']
    const refused = await w.tpi(['task', ...other])
    expect(refused.code).toBe(64)
    // Only names: the value of a secret or variable must not be printed.
    expect(notices(refused)).toMatch(/differs in: env A, script, secrets, timeout .*if-exists/)
    expect((await w.tpi([...words, '--if-exists', 'fail', ...script], { env: { KEY: 'k' } })).code).toBe(64)
    expect((await w.tpi(['task', ...other, '--if-exists', 'attach', '--wait', '1ms'])).code).toBe(75)
    expect((await facts('same')).slots[0].attempt).toBeLessThan(2)
    // An attach without secrets removes none for later attempts.
    expect((await w.filesWith('second-canary-2')).filter((path) => path.includes('/secrets/'))).toHaveLength(1)
    await w.tpi('destroy same --discard')
  })

  test('to a run that has ended delivers it; after that the same command is a new run', async () => {
    const words = ['task', '--name', 'late', '--output', 'r', '--json', '--script', 'echo $TPI_ATTEMPT >> r']
    await w.tpi([...words, '--detach'])
    await until('it has ended', async () => (await facts('late')).outcome === 'success')
    const delivered = await w.tpi(words)
    expect(delivered).toMatchObject({ code: 0, facts: { attached: true, destroyed: true } })
    expect(await w.read('r')).toBe('1\n')
    const anew = await w.tpi(words)
    expect(anew).toMatchObject({ code: 0, facts: { attached: false } })
    expect(anew.facts.id).toBe(delivered.facts.id)
    expect(anew.facts.createdAt > delivered.facts.createdAt).toBe(true)
  })
})

test('a run that could not be read a moment ago, and has changed since, is looked at again, not removed', async () => {
  const words = ['task', '--name', 'back', '--workdir', 'none', '--wait', '1ms', '--script', 'sleep 600']
  await w.tpi(words)
  const { id, createdAt } = await facts('back')
  const store = await openStore({ url: `dir://${join(w.home, 'store')}` })
  const record = JSON.parse(Buffer.from((await store.read(currentKey(id)))!.bytes).toString()) as CurrentRecord
  const { spec } = layout(id, record.incarnation)
  let hidden = true
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) => {
      const open = await context.access(place)
      return {
        ...dyingStore(open, { through: async (_name, act) => act() }),
        async read(key, range, signal) {
          if (key !== spec || !hidden) return open.read(key, range, signal)
          hidden = false
          await store.write(currentKey(id), Buffer.from(JSON.stringify({ ...record, nonce: 'renewed' })))
          return undefined
        },
      }
    },
  })
  const again = await w.tpi(words, { given })
  expect([again.code, again.host.outputs['started-at'], hidden]).toEqual([75, createdAt, false])
  await w.tpi('destroy back --discard')
})

test('from another home with the same storage: a running run is followed to its end, and never ended', async () => {
  const shared = join(w.home, '..', 'shared')
  await w.write('r', 'as uploaded')
  const words = [
    'task',
    '--name',
    'far',
    '--storage',
    shared,
    '--output',
    'r',
    '--timeout',
    '1h',
    '--script',
    'while [ ! -f go ]; do sleep 0.1; done; echo made > r',
  ]
  const patient = { TPI_LEASE_TTL: '30s' }
  const other = { env: { ...patient, TPI_HOME: join(w.home, '..', 'other') } }
  await w.tpi([...words, '--detach'], { env: patient })
  await until('it runs', async () => (await facts('far')).slots[0].phase === 'script')

  const looked = await w.tpi([...words, '--wait', '1ms'], other)
  expect(looked.code).toBe(75)
  expect(looked.host.lines.join('\n')).toContain('its machines cannot be seen from here')
  expect(notices(looked)).toContain('attached to far')
  expect(await facts('far')).toMatchObject({ outcome: 'running', slots: [{ attempt: 1 }] })

  const followed = w.tpi([...words, '--json'], other)
  await w.tpi(['exec', 'far', '--', 'touch', 'go'])
  expect(await followed).toMatchObject({ code: 0, facts: { attached: true, outcome: 'success' } })
  // Only the home that started it knows which files may be replaced.
  expect([await w.read('r'), await w.read('r~')]).toEqual(['as uploaded', 'made\n'])
  await w.tpi('destroy far --discard')
})

describe('several commands on one deployment', () => {
  test('one that follows the log sees its last line, though another one ends the run and removes everything', async () => {
    const task = w.tpi(['task', '--name', 'seen', '--script', 'echo up; while [ ! -f go ]; do sleep 0.1; done; echo last'])
    await until('it is up', async () => (await w.tpi('logs seen').catch(() => undefined))?.host.scriptText() === 'up\n')
    const reader = memoryHost()
    const logs = w.tpi('logs seen --follow', { host: reader })
    await until('it is read', () => reader.scriptText() === 'up\n')
    await w.tpi(['exec', 'seen', '--', 'touch', 'go'])
    const [followed, ran] = await Promise.all([logs, task])
    expect(followed).toMatchObject({ code: 0 })
    expect(followed.host.scriptText()).toBe('up\nlast\n')
    expect(ran.code).toBe(0)
  })

  test('a follower of a run that another command destroys ends with what is recorded', async () => {
    const task = w.tpi(['task', '--name', 'taken', '--script', 'echo up; sleep 600'])
    await until('it is up', async () => (await w.tpi('logs taken')).host.scriptText() === 'up\n')
    const reader = memoryHost()
    const logs = w.tpi('logs taken --follow', { host: reader })
    await until('it is read', () => reader.scriptText() === 'up\n')
    expect((await w.tpi('destroy taken --discard')).code).toBe(0)
    const { code, host } = await task
    // It may see the end before the removal: then it has concluded the run itself, and reports it.
    const last = host.lines
      .at(-1)
      ?.split('\n')
      .at(-1)
      ?.replace(/^info: /, '')
    expect([code, host.outputs['outcome'], last]).toEqual([130, 'stopped', 'outcome: stopped, exit code 130'])
    expect((await logs).code).toBe(0)
  })
})

test('attaching to a run that another command is just removing ends with what is recorded', async () => {
  const words = ['task', '--name', 'late', '--workdir', 'none', '--json', '--script', 'sleep 600']
  await w.tpi([...words, '--detach'])
  let removed: ReturnType<World['tpi']> | undefined
  const given = before(async (name) => {
    if (/^write \S+\/controllers\//.test(name)) await (removed ??= w.tpi('destroy late --discard'))
  })
  expect(await w.tpi(words, { given })).toMatchObject({ code: 130, facts: { attached: true, outcome: 'stopped', destroyed: true } })
  expect((await removed)?.code).toBe(0)
})

test('stopping a run that another command is just replacing names no command that would end the new one', async () => {
  const words = ['task', '--name', 'former', '--workdir', 'none', '--detach', '--if-exists', 'replace', '--script']
  await w.tpi([...words, 'sleep 600'])
  let asked = false
  let replaced: ReturnType<World['tpi']> | undefined
  const given = before(async (name) => {
    if (asked && name.endsWith('/collected.json')) await (replaced ??= w.tpi([...words, 'sleep 61']))
    asked ||= /^write \S+\/control/.test(name)
  })
  const { code, host } = await w.tpi('stop former', { given })
  expect([code, (await replaced)?.code]).toEqual([0, 0])
  expect(host.printed.join()).toMatch(/^former: another command has replaced it, and removes it; tpi status former shows the new run$/)
  expect((await w.tpi('destroy former --discard')).code).toBe(0)
})

test('a name that had to be changed is reported, and found as it was given, also when the run is gone', async () => {
  const ran = await w.tpi(['task', '--name', 'My_Run.1', '--script', 'true'])
  const { name } = ran.host.outputs
  expect(name).toMatch(/^my-run-1-[0-9a-f]{6}$/)
  expect(ran.host.lines[0]).toContain(`"My_Run.1" was changed to "${name}"`)
  for (const written of ['My_Run.1', String(name), String(ran.host.outputs['id'])])
    expect((await w.tpi(['status', written, '--json'])).facts).toMatchObject({ name, outcome: 'success' })
})

test('replacing stops the running run, fetches its results, and starts a new one', async () => {
  const words = ['task', '--name', 'next', '--output', 'r-*', '--output-dir', 'results']
  await w.tpi([...words, '--detach', '--script', 'echo 1 > r-one; echo made; sleep 600'])
  await until('it made something', async () => (await w.tpi('logs next')).host.scriptText().includes('made'))
  const ran = await w.tpi([...words, '--if-exists', 'replace', '--script', 'echo 2 > r-two'])
  expect(ran.code).toBe(0)
  expect([await w.read('results/r-one'), await w.read('results/r-two')]).toEqual(['1\n', '2\n'])
})

test('a removal waits for a command that replaces the run and is fetching its results', async () => {
  const words = ['task', '--name', 'both', '--workdir', 'none', '--if-exists', 'replace', '--script']
  // Neither counts as dead if this process stands still for a moment.
  const env = { TPI_LEASE_TTL: '30s' }
  await w.tpi([...words, 'sleep 600', '--detach'], { env })
  let removed: ReturnType<World['tpi']> | undefined
  let looks = 0
  const removal = async (): Promise<unknown> => {
    removed = w.tpi('destroy both', { env, given: before((name) => /^list \S+\/controllers\//.test(name) && looks++) })
    // It has either seen the other command, and looks again, or seen nobody, and is finished.
    return Promise.race([removed, until('it waits', async () => looks > 1)])
  }
  const ran = await w.tpi([...words, 'true'], {
    env,
    given: before((name) => !removed && name.endsWith('/collected.json') && name.startsWith('write') && removal()),
  })
  expect([ran.code, (await removed)?.code, looks > 1]).toEqual([0, 0, true])
  expect(await w.remains()).toEqual([])
})

test('replacing ends with an error if the results cannot be written here, even though another command removes the run at that moment', async () => {
  const words = ['task', '--name', 'full', '--workdir', 'none', '--output', 'r-*', '--output-dir', 'full', '--if-exists', 'replace']
  await w.tpi([...words, '--detach', '--script', 'echo 1 > r-one; echo made; sleep 600'])
  await until('it made something', async () => (await w.tpi('logs full')).host.scriptText().includes('made'))
  let removed: ReturnType<World['tpi']> | undefined
  let [marked, held] = [false, false]
  const ended = Promise.withResolvers<void>()
  const removal = async (): Promise<unknown> => {
    await w.write('full', 'a file in the place of the folder, which nobody could see before')
    removed = w.tpi('destroy full --discard', {
      given: before(async (name) => {
        held = marked
        if (held) await ended.promise
        marked ||= /^write \S+\/current\.json/.test(name)
      }),
    })
    return until('it is marked as going, and nothing is removed', async () => held)
  }
  const ran = w.tpi([...words, '--script', 'echo 2 > r-two'], {
    given: before((name) => !removed && /^read \S+\/m-/.test(name) && removal()),
  })
  expect(await ran.finally(ended.resolve)).toMatchObject({ code: 76 })
  expect(notices(await ran)).toMatch(/cannot write to \S+full: EEXIST/)
  expect((await removed)?.code).toBe(0)
  expect(await w.remains()).toEqual([])
})

test('without a name each run has its own, readable and reported', async () => {
  const ran = await Promise.all([w.tpi('task --json --script true'), w.tpi('task --json --script true')])
  const names = ran.map(({ facts: { name } }) => name)
  expect(new Set(names).size).toBe(2)
  for (const [at, name] of names.entries()) {
    expect(name).toMatch(/^[a-z]+-[a-z]+-\d+$/)
    expect(ran[at]?.host.lines.join('\n')).toContain(name)
    expect((await facts(name)).outcome).toBe('success')
  }
})
