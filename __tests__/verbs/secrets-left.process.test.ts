/** Secrets that are left because the process that closed the last slot could not remove them. */
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import type { OpenCloud } from '../../src/engine/find.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { layout } from '../../src/wire/layout.ts'
import { worldPer } from '../setup/world-per.ts'
import { DEAD, deathAt, dyingStore } from '../storm/dying.ts'

const w = worldPer('test')
const CANARY = 'canary-5f1d'

test('are removed when a command fetches the results, though the run is kept', async () => {
  const words = ['task', '--name', 'left', '--secret', 'KEY', '--output', 'x', '--script', 'echo 1 > x; exit 3']
  const ran = await w.tpi([...words, '--json'], { env: { KEY: CANARY } })
  expect([ran.code, await w.filesWith(CANARY)]).toEqual([3, []])
  const store = await openStore({ url: `dir://${join(w.home, 'store')}` })
  const current = await store.read(`${ran.facts.id}/current.json`)
  const { incarnation } = JSON.parse(Buffer.from(current?.bytes ?? '').toString()) as { incarnation: string }
  const { secrets } = layout(ran.facts.id, incarnation)
  await store.write(secrets, Buffer.from(JSON.stringify({ v: 2, env: { KEY: CANARY } })))
  expect(await w.filesWith(CANARY)).toHaveLength(1)
  await w.tpi('collect left')
  expect(await w.filesWith(CANARY)).toEqual([])
  await w.tpi('destroy left --discard')
})

const START = ['task', '--name', 'made', '--secret', 'KEY', '--workdir', 'none']
const withKey = { env: { KEY: CANARY } }

/** The starting command is killed once the secrets are stored, before a machine is requested. */
async function killedStart(words: readonly string[]): Promise<void> {
  const death = deathAt(1, true, (call) => /^write .*secrets\/env\.json$/.test(call))
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    engine: { ...context.engine, process: DEAD },
    access: async (place) => dyingStore(await context.access(place), death),
  })
  void w.tpi([...START, ...words], { ...withKey, given }).catch(() => undefined)
  await death.died
  expect(await w.filesWith(CANARY)).toHaveLength(1)
}

const SLEEPS = ['--script', 'sleep 600']

test.each(['stop made', 'destroy made --discard', 'destroy made', 'sweep --yes'])(
  'of a creation that was killed go with the next command that gives back: %s',
  async (words) => {
    await killedStart(SLEEPS)
    const ended = await w.tpi(words)
    expect(await w.filesWith(CANARY)).toEqual([])
    await w.deserted()
    expect(ended.code).toBe(0)
    const past = await w.tpi('status made --json')
    expect(past.facts).toMatchObject({ name: 'made', outcome: 'stopped', exitCode: 130, destroyed: true })
  },
)

test.each([
  [['collect', 'made']],
  [['pull', 'made', '--to', 'x']],
  [['interrupt', 'made']],
  [['exec', 'made', '--', 'true']],
  [['collect', '--mine']],
  [['collect', '--finished']],
  [['retry', 'made']],
])('and with one that only wanted something of it: tpi %j', async (words) => {
  await killedStart(SLEEPS)
  const { code, host } = await w.tpi(words)
  const named = words.includes('made') && words[0] !== 'retry'
  expect(code).toBe(named ? 64 : 0)
  if (named) expect(host.annotations.at(-1)?.message).toContain('run "made" was never complete: the command that started it was cut off')
  expect(await w.filesWith(CANARY)).toEqual([])
  expect([await w.alive(), await w.remains()]).toEqual([[], []])
})

const asBob = (context: VerbContext): VerbContext => ({
  ...context,
  owner: { ...context.owner, origin: { ...context.owner.origin, user: 'bob' } },
})

test('a command for other runs leaves somebody else’s start alone, and does not wait for it', async () => {
  await killedStart(SLEEPS)
  const { code, host } = await w.tpi('collect --finished', { given: asBob })
  expect([code, await w.filesWith(CANARY)]).toEqual([0, [expect.stringContaining('env.json')]])
  expect(host.lines.filter((line) => line.includes('signs of life'))).toEqual([])
  expect((await w.tpi('destroy made --discard')).code).toBe(0)
})

test('if its cloud refuses to remove it, the command has collected before and only warns; and the secrets are gone', async () => {
  const done = ['task', '--name', 'done', '--output', 'x', '--detach', '--script', 'echo 1 > x']
  expect((await w.tpi(done)).code).toBe(0)
  await w.deserted()
  await killedStart(SLEEPS)
  const collected: string[] = []
  const refuses = (one: OpenCloud): OpenCloud => {
    const end = one.cloud.end.bind(one.cloud)
    one.cloud.end = async (of) => {
      if (!of.id.includes('made')) return end(of)
      collected.push(await w.read('here/done/x').catch(() => 'nothing yet'))
      throw new AuthError('you may not scale')
    }
    return one
  }
  const given = (context: VerbContext): VerbContext => ({ ...context, clouds: async () => (await context.clouds()).map(refuses) })
  const { code, host } = await w.tpi('collect --finished --to here', { given })
  expect([code, await w.read('here/done/x'), await w.filesWith(CANARY)]).toEqual([0, '1\n', []])
  expect(host.lines).toContainEqual(expect.stringMatching(/^warn\w*: made: .*could not be removed/))
  expect(new Set(collected)).toEqual(new Set(['1\n']))
  expect((await w.tpi('destroy made --discard')).code).toBe(0)
})

test('the whole start is removed with them: the run that it was to replace is back, and is collected', async () => {
  const ran = await w.tpi([...START, '--output', 'x', '--detach', '--script', 'echo 1 > x; exit 3'], withKey)
  expect(ran.code).toBe(0)
  await w.deserted()
  await killedStart(['--output', 'x', '--resume', '--script', 'echo 1 > x; exit 3'])
  const ended = await w.tpi('collect made --to here')
  expect([ended.code, await w.read('here/x'), await w.filesWith(CANARY)]).toEqual([3, '1\n', []])
})

test('a start that is in progress is left alone: the command says so after one sign of life', async () => {
  let goOn: () => void = () => undefined
  let reached: () => void = () => undefined
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const there = new Promise<void>((resolve) => (reached = resolve))
  const through = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    if (/^write .*\/spec\.json$/.test(name)) {
      reached()
      await held
    }
    return act()
  }
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) => dyingStore(await context.access(place), { through }),
  })
  const env = { ...withKey.env, TPI_LEASE_TTL: '30s' }
  const starts = w.tpi([...START, '--script', `test "$KEY" = ${CANARY}`], { env, given })
  await there
  const pulled = await w.tpi('pull made --to x')
  expect([pulled.code, pulled.host.annotations.at(-1)?.message]).toEqual([
    76,
    expect.stringContaining('is being created, and not complete yet'),
  ])
  goOn()
  expect((await starts).code).toBe(0)
})
