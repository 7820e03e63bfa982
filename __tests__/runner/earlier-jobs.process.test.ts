/** Jobs that were cut off, and cannot be re-run yet when their runners start again: they are not lost. */
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { recordBytes } from '../../src/wire/parse.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { type RunnerSpec, SPEC } from '../../src/wire/spec.ts'
import { readRecord } from '../../src/wire/swap.ts'
import type { DoubleRun } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'
import { deathAt, dyingStore } from '../storm/dying.ts'
import { onGithub } from './stages.ts'

const at = onGithub()
const { env, tpi, online, status, over } = at

const legs = ({ jobs }: DoubleRun): unknown[] => jobs.map(({ conclusion, attempt }) => [conclusion, attempt])

test('two legs that lost their machines, beside one that failed by itself: both run again, also if the command was killed in between', async () => {
  const { facts } = await online('--count 3 --idle-timeout 8s')
  const scripts = ['exit 1', ...[2, 3].map(() => '[ "$GITHUB_RUN_ATTEMPT" != 1 ] || sleep 600')]
  const run = at.forge.push(scripts.map((script, leg) => ({ labels: facts.runsOn, script, name: `leg-${leg + 1}` })))
  const cutOff = async (): Promise<number> => (await status()).slots.filter(({ phase }: { phase?: string }) => phase === 'job').length
  await until('the legs run', async () => run.jobs[0]?.conclusion === 'failure' && (await cutOff()) === 2, 30_000)
  await tpi('interrupt r')
  await over()
  expect(legs(run)).toEqual([1, 2, 3].map(() => ['failure', 1]))
  // Killed when it has recorded that it starts them again, and has removed the records of the jobs.
  const death = deathAt(1, true, (call) => call.startsWith('clear '))
  const dies = (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) => dyingStore(await context.access(place), death),
  })
  void at.w.tpi('retry', { env: env(), given: dies }).catch(() => undefined)
  await death.died
  expect(run.attempt).toBe(2)
  // GitHub re-runs one at a time, because the first leg is left alone: the other one has to wait for its end.
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'waiting' }], relaunched: true }])
  await over()
  expect(legs(run)).toEqual([
    ['failure', 1],
    ['success', 2],
    ['failure', 1],
  ])
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }], waiting: 1, relaunched: true }])
  await over()
  expect(legs(run)).toEqual([
    ['failure', 1],
    ['success', 2],
    ['success', 3],
  ])
  expect((await tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'refused' }], waiting: 0, relaunched: false }])
  expect(at.forge.calls('POST', /rerun/)).toHaveLength(2)
  await tpi('destroy r --discard')
})

test('a job that was cut off, whose run goes on when the same command starts its runners anew: it runs again on those', async () => {
  const first = await online()
  const run = at.forge.push([
    { labels: first.facts.runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" != 1 ] || sleep 600' },
    { labels: ['elsewhere'], script: '' },
  ])
  await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
  await tpi('interrupt r')
  await over()
  // A request that cannot be met removes nothing of what is left to decide.
  expect(await at.launch('--machine m5.large')).toMatchObject({ code: 64 })
  const { facts } = await online('--idle-timeout never')
  expect([facts.attached, facts.runsOn]).toEqual([false, first.facts.runsOn])
  expect(await tpi('retry --json')).toMatchObject({ code: 75, facts: [{ runs: [{ how: 'waiting' }], relaunched: false }] })
  at.forge.end(run.jobs[1]!, 'success')
  expect(await tpi('retry --json')).toMatchObject({ code: 0, facts: [{ runs: [{ how: 'rerun' }], alive: 1 }] })
  await over()
  expect(legs(run)).toEqual([
    ['success', 2],
    ['success', 1],
  ])
  await tpi('destroy r --discard')
  // A launch after which nothing is left to decide has a label of its own.
  expect((await online()).facts.label).not.toBe(facts.label)
  await tpi('destroy r --discard')
})

test('labels that the machines of the earlier launch could have written themselves are not kept', async () => {
  const { facts } = await online()
  at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
  await until('the job is on record', async () => (await status()).slots[0].jobs?.length === 1)
  await tpi('interrupt r')
  await over()
  const store = await openStore({ url: `dir://${join(at.w.home, 'store')}` })
  const { incarnation } = (await readRecord(CURRENT, store, currentKey(facts.id)))?.value ?? {}
  const key = layout(facts.id, incarnation ?? '').spec
  const spec = (await readRecord(SPEC, store, key))?.value as RunnerSpec
  const runner = { ...spec.runner, label: 'production', labels: ['production'] }
  await store.write(key, recordBytes(SPEC, { ...spec, runner }))
  await online()
  expect([...at.forge.runners.values()].map(({ labels }) => labels[0])).toEqual([expect.stringMatching(/^tpi-[0-9a-f]{16}$/)])
  expect([...at.forge.runners.values()][0]?.labels).not.toContain(facts.label)
  await tpi('destroy r --discard')
})
