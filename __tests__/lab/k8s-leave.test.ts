/** Runners on a real cluster, long after their last job: what stays of them, for how long, and that re-run jobs get them back. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { type DoubleJob, GithubDouble } from './github/double.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import type { Ended } from './k8s/command.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const WITHIN = 12 * 60_000
/** A store that nobody needs is kept for ten of these. */
const BRIEF = { TPI_LEASE_BEAT: '1s', TPI_LEASE_TTL: '6s', REPO_TOKEN: 'good' }
const ON = ['--image', 'lab.test/bare:1', '--labels', 'gpu', '--repository', 'octo/hello', '--idle-timeout', '90s'] as const

const ended = (job: DoubleJob | undefined): true | undefined => (job?.status === 'completed' ? true : undefined)

interface Scene {
  readonly room: Room
  readonly forge: GithubDouble
  tpi(...args: readonly string[]): Promise<Ended>
  /** Starts runners and resolves to what their jobs name. */
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

/** Without a command: what is left is what nobody pays for. */
async function untilLeft({ there }: Scene): Promise<void> {
  await until('machines, store and claim to be gone', 300, async () => ((await there(COSTLY)).length === 0 ? true : undefined))
}

describe('runners that have left', () => {
  afterAll(async () => cluster?.stop())

  test('can be had here', () => {
    expect(cluster !== undefined || !process.env['CI']).toBe(true)
  })

  scene('leave no machine, store or claim, and re-run failed jobs get them back from the record that stays', async (all) => {
    const { start, tpi, there, forge } = all
    const labels = await start('back', '--timeout', '20m')
    const first = forge.push([{ labels, script: 'exit 1' }])
    await until('the job', 90, async () => ended(first.jobs[0]))
    await until('the machine to leave', 90, async () => ((await tpi('status', 'back')).out.includes('succeeded') ? true : undefined))
    expect((await tpi('logs', 'back')).code).toBe(0)
    await untilLeft(all)
    expect(await there('jobs,secrets')).toEqual([expect.stringMatching(/^job.*-kept$/), expect.stringMatching(/^secret.*-kept$/)])
    expect(JSON.parse((await tpi('list', '--json')).out)).toEqual([])
    expect(JSON.parse((await tpi('retry', '--json')).out)).toMatchObject([{ waiting: 0, relaunched: false }])
    // "Re-run failed jobs": the start job has succeeded and is skipped.
    const again = forge.push([{ labels, script: 'true' }])
    expect(JSON.parse((await tpi('retry', 'back', '--json')).out)).toMatchObject([{ waiting: 1, relaunched: true }])
    await until('the job that waited', 90, async () => ended(again.jobs[0]))
    expect(again.jobs[0]).toMatchObject({ conclusion: 'success' })
    await untilLeft(all)
    expect(await tpi('destroy', 'back')).toMatchObject({ code: 0 })
    expect(await there(`${COSTLY},jobs,secrets`)).toEqual([])
    expect(forge.runners.size).toBe(0)
  })

  scene('whose job was cut off keep their store until it has run again, and go without a further command', async (all) => {
    const { start, tpi, there, forge } = all
    const labels = await start('cut', '--timeout', '3m', '--grace', '1s', '--retention', '60s')
    const run = forge.push([{ labels, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120' }])
    await until('the job to be on record', 150, async () =>
      (await tpi('status', 'cut', '--json')).out.includes('"jobs"') ? true : undefined,
    )
    await tpi('interrupt', 'cut')
    await until('the job to fail', 60, async () => ended(run.jobs[0]))
    await until('the slot to end', 90, async () => ((await tpi('status', 'cut', '--json')).out.includes('"failed"') ? true : undefined))
    const since = performance.now()
    await until('the store to have outlived a launch without trouble', 200, async () =>
      performance.now() - since > 110_000 ? true : undefined,
    )
    expect(await there('persistentvolumeclaims')).toHaveLength(1)
    expect(JSON.parse((await tpi('retry', 'cut', '--json')).out)).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: true }])
    await until('the second attempt', 90, async () => ended(run.jobs[0]))
    expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
    // No destroy: what is left goes by itself, the record at the end of its time.
    await until('nothing to be left', 420, async () => ((await there(`${COSTLY},jobs,secrets`)).length === 0 ? true : undefined))
  })
})
