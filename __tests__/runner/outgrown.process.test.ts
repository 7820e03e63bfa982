/** Jobs that need more memory or disk than their machine has, so that the whole machine ends: they have failed on their own, and are not re-run. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { Notice } from '../../src/wire/machine-side.ts'
import { until } from '../setup/wait.ts'
import type { World } from '../setup/world.ts'
import { signal } from '../storm/processes.ts'
import { onGithub, onStage, stages } from './stages.ts'

/** The cloud notices that the machine holds too much. */
function evict({ home }: World): void {
  const notice: Notice = { kind: 'reclaim', seconds: 20, diskFull: 'more was written than this machine has' }
  const all = readdirSync(join(home, 'local'), { recursive: true, encoding: 'utf8' })
  for (const path of all.filter((one) => /^[^/]+\/[^/]+\/machines\/[^/]+$/.test(one)))
    writeFileSync(join(home, 'local', path, 'notice.json'), JSON.stringify(notice))
}

/** The same cloud, which knows that this machine died for lack of memory. */
function knowing(cloud: Cloud, id: string): Cloud {
  const observe: Cloud['observe'] = async (of) => {
    const seen = await cloud.observe(of)
    const others = seen.machines.filter((one) => one.id !== id)
    return { ...seen, machines: [...others, { id, state: 'gone', cause: 'out-of-memory' }] }
  }
  const bound = (value: unknown): unknown => (typeof value === 'function' ? (value.bind(cloud) as unknown) : value)
  return new Proxy(cloud, { get: (_, name) => (name === 'observe' ? observe : bound(Reflect.get(cloud, name, cloud))) })
}

describe.each(Object.keys(stages))('at %s, the cloud takes a machine away because a job has written too much', (id) => {
  const on = onStage(id)

  test('the job is not re-run, and another machine serves the next one', async () => {
    const jobs = id === 'gitlab' ? '--jobs unlimited' : '--jobs 2'
    const job = on.stage.push(['gpu'], 'sleep 600')
    expect(await on.launch(`--labels gpu --idle-timeout 3s ${jobs}`)).toMatchObject({ code: 0 })
    await until('the job runs', () => ['in_progress', 'running'].includes(job() ?? ''), 30_000)
    if (id === 'github') await until('it is on record', async () => (await status()).slots[0].jobs?.length === 1)
    const next = on.stage.push(['gpu'], 'true')
    evict(on.w)
    await until('the job has failed', () => ['failure', 'failed'].includes(job() ?? ''), 30_000)
    await until('the next job is served', () => next() === 'success', 30_000)
    await until('the runners have ended', async () => (await status()).outcome !== 'running', 30_000)
    const attempts = [{ cause: 'disk-full', reason: 'a job has filled the disk of its machine' }, { cause: 'exit' }]
    expect((await status()).slots).toMatchObject([{ state: 'succeeded', attempts }])
    expect((await on.tpi('retry --json')).facts).toMatchObject([{ runs: [], waiting: 0 }])
    await on.tpi('destroy r --discard')
  })

  // biome-ignore lint/suspicious/noExplicitAny: facts are read by the test that knows them
  const status = async (): Promise<any> => (await on.tpi('status r --json')).facts
})

describe('at github', () => {
  const at = onGithub()

  test('a job that fills the disk is the last one of its launch: nothing is left to do for another machine', async () => {
    const { facts } = await at.online()
    const run = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
    await until('it is on record', async () => (await at.status()).slots[0].jobs?.length === 1)
    evict(at.w)
    await at.over()
    expect(run.jobs[0]).toMatchObject({ conclusion: 'failure' })
    expect((await at.status()).slots).toMatchObject([{ state: 'succeeded', reason: 'served 1 job', attempt: 1 }])
    await at.tpi('destroy r --discard')
  })

  test('its memory ran out, and its whole machine died with it: only the cloud knows why', async () => {
    const { facts } = await at.online('--jobs 2')
    const run = at.forge.push([{ labels: facts.runsOn, script: 'sleep 600' }])
    await until('it is on record', async () => (await at.status()).slots[0].jobs?.length === 1)
    const [{ holder = '' } = {}] = (await at.status()).slots[0].attempts
    for (const line of (await at.w.alive()).filter((one) => /agent\.mjs run|Runner\./.test(one)))
      signal(Number(line.split(' ')[0]), 'SIGKILL')
    await until('another machine is there', async () => (await at.status()).slots[0].attempt === 2, 30_000)
    const [job] = run.jobs
    if (job?.status === 'in_progress') at.forge.end(job, 'failure')
    const given = (context: VerbContext): VerbContext => ({
      ...context,
      clouds: async () => (await context.clouds()).map((one) => ({ ...one, cloud: knowing(one.cloud, holder) })),
    })
    const ran = await at.w.tpi('retry --json', { env: at.env(), given })
    expect(ran).toMatchObject({ code: 0, facts: [{ runs: [], alive: 1 }] })
    // Without that, it would look as if its machine was taken away.
    expect((await at.tpi('retry --json')).facts).toMatchObject([{ runs: [{ how: 'rerun' }] }])
    await at.tpi('destroy r --discard')
  })
})
