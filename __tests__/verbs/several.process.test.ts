/** Stores that cannot be read or written: of one of several deployments, or of the requested one. */
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { AuthError } from '../../src/core/errors.ts'
import type { OpenCloud } from '../../src/engine/find.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { StoreError } from '../../src/wire/store.ts'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'
import { type Death, dyingStore } from '../storm/dying.ts'

const w = worldPer('test')

/** The deployments have stores in folders of these names; the first one's is refused. */
const given = (context: VerbContext): VerbContext => ({
  ...context,
  async access(place) {
    if (place.url.endsWith('/bad')) throw new StoreError('denied', 'bad: access denied')
    return context.access(place)
  },
})

/** Every store opens, but each of its calls fails with this error. */
function answering(error: StoreError): (context: VerbContext) => VerbContext {
  const through = async (): Promise<never> => {
    throw error
  }
  return (context) => ({ ...context, access: async (place) => dyingStore(await context.access(place), { through }) })
}

async function three(script: string): Promise<void> {
  for (const name of ['bad', 'one', 'two'])
    expect((await w.tpi(['task', '--name', name, '--storage', `../${name}`, '--output', 'r', '--detach', '--script', script])).code).toBe(0)
}

const said = (ran: Awaited<ReturnType<typeof w.tpi>>): string => ran.host.lines.join('\n')

test('ended runs are collected from all others, and the exit code is that of the failed one', async () => {
  await three('echo result > r')
  for (const name of ['bad', 'one', 'two'])
    await until('it has ended', async () => (await w.tpi(`status ${name} --json`)).facts.outcome === 'success')
  const ran = await w.tpi('collect --finished', { given })
  expect(ran.code).toBe(77)
  expect(said(ran)).toContain('error: bad: access denied')
  expect([await w.read('one/r'), await w.read('two/r')]).toEqual(['result\n', 'result\n'])
})

test('two that collect what has finished, as by schedules that overlap: what the other one has fetched meanwhile is no failure', async () => {
  await three('echo result > r')
  for (const name of ['bad', 'one', 'two'])
    await until('it has ended', async () => (await w.tpi(`status ${name} --json`)).facts.outcome === 'success')
  let other: Promise<Awaited<ReturnType<typeof w.tpi>>> | undefined
  // It begins once this one has its list, and is faster.
  const through: Death['through'] = async (call, act) => {
    if (call.includes('controllers/')) await (other ??= w.tpi('collect --finished --to there'))
    return act()
  }
  const slow = (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) => dyingStore(await context.access(place), { through }),
  })
  const ran = await w.tpi('collect --finished --to here', { given: slow })
  expect([(await other)?.code, ran.code]).toEqual([0, 0])
  expect(said(ran)).toMatch(/info: one was given back by another command before this one could deliver it/)
  expect(await w.read('there/two/r')).toBe('result\n')
})

test('all others are stopped, and then removed', async () => {
  await three('echo up; sleep 600')
  // A run that is stopped before a machine works on it has nothing to collect, and is removed at once.
  for (const name of ['bad', 'one', 'two'])
    await until('it runs', async () => (await w.tpi(`logs ${name}`)).host.scriptText().includes('up'))
  const stopped = await w.tpi('stop --mine --json', { given })
  expect([stopped.code, stopped.host.jsonFacts.flat()]).toEqual([
    77,
    [expect.objectContaining({ name: 'one', state: 'stopped' }), expect.objectContaining({ name: 'two', state: 'stopped' })],
  ])
  const destroyed = await w.tpi('destroy --mine --discard --json', { given })
  expect([destroyed.code, destroyed.host.jsonFacts.flat()]).toEqual([
    77,
    [expect.objectContaining({ name: 'one', destroyed: true }), expect.objectContaining({ name: 'two', destroyed: true })],
  ])
  expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'bad', state: 'running' }])
})

async function allEnded(): Promise<void> {
  for (const name of ['bad', 'one', 'two'])
    await until('it has ended', async () => (await w.tpi(`status ${name} --json`)).facts.outcome === 'success')
}

test('a sweep removes what is past its time though one store refuses everything, also with a token', async () => {
  await three('true')
  await allEnded()
  const later = (context: VerbContext): VerbContext => {
    const { clock } = context.engine
    const month = 30 * 86_400_000
    return { ...given(context), engine: { ...context.engine, clock: { ...clock, date: () => new Date(clock.date().getTime() + month) } } }
  }
  const ran = await w.tpi('sweep --yes --json --token good', { given: later })
  expect(ran.code).not.toBe(0)
  const rows = ran.host.jsonFacts.flat() as { name: string; removed: boolean }[]
  expect(rows.map(({ name, removed }) => [name, removed]).sort()).toEqual([
    ['bad', false],
    ['one', true],
    ['two', true],
  ])
})

test('a cloud that cannot be looked at does not hide the others, and is reported', async () => {
  await three('true')
  await allEnded()
  const gone: OpenCloud = {
    id: 'gone',
    cloud: {
      list: async () => {
        throw new AuthError('gone: the login has run out')
      },
    } as unknown as Cloud,
  }
  const alsoGone = (context: VerbContext): VerbContext => ({ ...context, clouds: async () => [...(await context.clouds()), gone] })
  const listed = await w.tpi('list --json', { given: alsoGone })
  expect(listed.code).toBe(77)
  expect(said(listed)).toContain('error: gone: the login has run out')
  expect((listed.facts as { name: string }[]).map(({ name }) => name)).toEqual(['two', 'one', 'bad'])
  const none = await w.tpi('list --mine', { given: (context) => ({ ...context, clouds: async () => [gone] }) })
  expect(said(none)).not.toContain('no runs')
  const swept = await w.tpi('sweep --json', { given: alsoGone })
  expect([swept.code, swept.host.jsonFacts.flat()]).toEqual([77, []])
  const stopped = await w.tpi('stop --mine --json', { given: alsoGone })
  expect([stopped.code, (stopped.host.jsonFacts.flat() as { name: string }[]).map(({ name }) => name)]).toEqual([77, ['bad', 'one', 'two']])
})

test('a deployment whose bucket is gone is removed all the same, once its results are discarded', async () => {
  expect((await w.tpi(['task', '--name', 'bad', '--storage', '../bad', '--output', 'r', '--detach', '--', 'sleep', '600'])).code).toBe(0)
  await until('it runs', async () => (await w.alive()).length > 0)
  const away = answering(new StoreError('gone', 'bad: NoSuchBucket'))
  const refused = await w.tpi('destroy bad', { given: away })
  expect([refused.code, (await w.alive()).length > 0]).toEqual([76, true])
  const given = await w.tpi('destroy bad --discard', { given: away })
  expect([given.code, said(given)]).toEqual([
    0,
    expect.stringMatching(/bad does not exist: if it comes back, remove "tpi-bad-\w+\/" in it by hand/),
  ])
  await w.deserted()
  expect((await w.tpi('list --json')).facts).toEqual([])
})

test('a run that cannot be marked as being destroyed stays on record, but its machines end', async () => {
  expect((await w.tpi('task --name bad --storage ../bad --detach -- sleep 600')).code).toBe(0)
  await until('it runs', async () => (await w.alive()).length > 0)
  const refusing = answering(new StoreError('denied', 'bad: access denied'))
  expect((await w.tpi('destroy bad --discard', { given: refusing })).code).toBe(77)
  await w.deserted()
  expect((await w.tpi('destroy bad --discard')).code).toBe(0)
  expect(await w.remains()).toEqual([])
})

test('replacing succeeds though the former run’s objects cannot be removed', async () => {
  const words = ['task', '--name', 'left', '--output', 'r-*', '--output-dir', 'left']
  await w.tpi([...words, '--detach', '--script', 'sleep 600'])
  let refused = 0
  const refusing = (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) =>
      dyingStore(await context.access(place), {
        async through(name, act) {
          if (name.startsWith('clear ') && refused++ === 0) throw new StoreError('denied', 'may not list uploads')
          return act()
        },
      }),
  })
  const ran = await w.tpi([...words, '--if-exists', 'replace', '--script', 'echo 2 > r-two'], { given: refusing })
  expect([ran.code, refused > 0]).toEqual([0, true])
  expect(said(ran)).toMatch(/warn: left: what its previous run has left \(\w+\) was not removed: may not list uploads/)
  expect(await w.read('left/r-two')).toBe('2\n')
})

test('the status of an incomplete run shows what is on record', async () => {
  const store = await openStore({ url: `dir://${w.home}/store` })
  const origin = { user: 'ann@box' }
  const base = { v: 2, nonce: 'n', incarnation: 'i', createdAt: '2029-12-31T12:00:00.000Z', origin, state: 'making' }
  const registry = { forge: 'github', scope: {} }
  for (const [id, more] of Object.entries({ 'tpi-t-0123456789': {}, 'tpi-r-0123456789': { registry } }))
    await store.write(`${id}/current.json`, Buffer.from(JSON.stringify({ ...base, id, name: id, ...more })))
  const status = { createdAt: base.createdAt, origin, state: 'creating' }
  expect((await w.tpi('status tpi-t-0123456789 --json')).facts).toMatchObject({ ...status, mode: 'task' })
  expect((await w.tpi('status tpi-r-0123456789 --json')).facts).toMatchObject({ ...status, mode: 'runner' })
  expect((await w.tpi('status tpi-r-0123456789')).code).toBe(0)
})
