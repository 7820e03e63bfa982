/** Runners on a real cluster, long after their last job: what stays of them, for how long, and that re-run jobs get them back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { Ended } from './command-line.ts'
import { type DoubleJob, GithubDouble } from './github/double.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { beyondDeadline, jobOf } from './k8s/jobs.ts'
import { needed } from './k8s/needed.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const WITHIN = 12 * 60_000
/** In seconds; a store that nobody needs is kept for ten times as long. */
const TTL = 3
const BRIEF = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: `${TTL * 1000}ms`, REPO_TOKEN: 'good' }
/** In seconds: nothing waits for its end, before which a busy machine must have come to the last look. */
const RETENTION = 300
/** The longest name that is allowed. */
const LONGEST = 'back-from-where-nobody-expected-it-to-be'
const ON = ['--image', 'lab.test/bare:1', '--labels', 'gpu', '--repository', 'octo/hello', '--idle-timeout', '90s'] as const

const ended = (job: DoubleJob | undefined): true | undefined => (job?.status === 'completed' ? true : undefined)

interface Scene {
  readonly room: Room
  readonly forge: GithubDouble
  tpi(...args: readonly string[]): Promise<Ended>
  /** Starts runners, and resolves to the labels for their jobs. */
  start(name: string, ...more: readonly string[]): Promise<string[]>
  /** Everything of these kinds, by name. */
  there(kinds: string): Promise<string[]>
}

function scene(name: string, body: (scene: Scene) => Promise<void>): void {
  test.concurrent(
    name,
    async () => {
      if (!cluster) return
      const space = name.toLowerCase().split(/\W+/, 3).join('-')
      await inRoom(cluster, space, async (room) => enact(room, body), BRIEF)
    },
    WITHIN,
  )
}

async function enact(room: Room, body: (scene: Scene) => Promise<void>): Promise<void> {
  const forge = await new GithubDouble().start(room.cluster.host)
  const tpi = async (...args: readonly string[]): Promise<Ended> => room.tpi.with({ GITHUB_API_URL: forge.url }).run(...args)
  try {
    await body({
      room,
      forge,
      tpi,
      async start(name, ...more) {
        const launched = await tpi('runner', '--name', name, ...ON, ...more, '--json')
        expect(launched).toMatchObject({ code: 0 })
        return (JSON.parse(launched.out) as { runsOn: string[] }).runsOn
      },
      async there(kinds) {
        const out = await room.kubectl('get', kinds, '-l', 'tpi.iterative.ai/id', '-o', 'name')
        return out.split('\n').filter((line) => line !== '')
      },
    })
    expect(forge.breaches).toEqual([])
  } finally {
    await forge.stop()
  }
}

const COSTLY = 'pods,persistentvolumeclaims,services,configmaps'

/** Waits, without any command, until only things are left that cost nothing. */
async function untilLeft({ there }: Scene): Promise<void> {
  await until('machines, store and claim to be gone', 300, async () => ((await there(COSTLY)).length === 0 ? true : undefined))
}

describe('runners that have left', () => {
  needed(cluster)

  scene('leave no machine, store or claim, and re-run failed jobs get them back from the record that stays', async (all) => {
    const { start, tpi, there, forge } = all
    expect(LONGEST).toHaveLength(40)
    const labels = await start(LONGEST, '--timeout', '20m')
    const first = forge.push([{ labels, script: 'exit 1' }])
    await until('the job', 90, async () => ended(first.jobs[0]))
    await until('the machine to leave', 90, async () => ((await tpi('status', LONGEST)).out.includes('succeeded') ? true : undefined))
    expect((await tpi('logs', LONGEST)).code).toBe(0)
    await untilLeft(all)
    // The cluster's collector may take the pods first.
    await until(
      'only the record to be left',
      60,
      async () => (await there('jobs,secrets')).every((name) => name.endsWith('-kept')) || undefined,
    )
    expect(await there('jobs,secrets')).toEqual([expect.stringMatching(/^job.*-kept$/), expect.stringMatching(/^secret.*-kept$/)])
    expect(JSON.parse((await tpi('list', '--json')).out)).toEqual([])
    expect(JSON.parse((await tpi('retry', '--json')).out)).toMatchObject([{ waiting: 0, relaunched: false }])
    // "Re-run failed jobs": the start job has succeeded and is skipped.
    const again = forge.push([{ labels, script: 'true' }])
    expect(JSON.parse((await tpi('retry', LONGEST, '--json')).out)).toMatchObject([{ waiting: 1, relaunched: true }])
    await until('the job that waited', 90, async () => ended(again.jobs[0]))
    expect(again.jobs[0]).toMatchObject({ conclusion: 'success' })
    await untilLeft(all)
    expect(await tpi('destroy', LONGEST)).toMatchObject({ code: 0 })
    expect(await there(`${COSTLY},jobs,secrets`)).toEqual([])
    expect(forge.runners.size).toBe(0)
  })

  scene('whose job was cut off keep their store until it has run again, and leave only a record that the cluster removes', async (all) => {
    const { room, start, tpi, there, forge } = all
    const labels = await start('cut', '--timeout', '10m', '--grace', '1s', '--retention', `${RETENTION}s`)
    const run = forge.push([{ labels, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120' }])
    await until('the job to be on record', 150, async () =>
      (await tpi('status', 'cut', '--json')).out.includes('"jobs"') ? true : undefined,
    )
    await tpi('interrupt', 'cut')
    await until('the job to fail', 60, async () => ended(run.jobs[0]))
    await until('the slot to end', 90, async () => ((await tpi('status', 'cut', '--json')).out.includes('"failed"') ? true : undefined))
    // After a launch without trouble, the store would be gone by now.
    await sleep((10 * TTL + 10) * 1000)
    await room.pod('store')
    expect(await there('persistentvolumeclaims')).toHaveLength(1)
    expect(JSON.parse((await tpi('retry', 'cut', '--json')).out)).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: true }])
    await until('the second attempt', 90, async () => ended(run.jobs[0]))
    expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
    await untilLeft(all)
    // That the cluster does remove records is tested where starts are killed (`k8s-killed`).
    const record = await jobOf(room, 'record')
    expect(Math.abs(beyondDeadline(record) - RETENTION)).toBeLessThan(15)
    expect(record.spec).toMatchObject({ ttlSecondsAfterFinished: 10 })
    expect(await tpi('destroy', 'cut')).toMatchObject({ code: 0 })
    expect(await there(`${COSTLY},jobs,secrets`)).toEqual([])
  })
})
