/** A creation over an object store that is cut off at any change it requests, of the store or of the cluster: nothing is left in either. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { open } from '../../../src/clouds/k8s/index.ts'
import type { AgentBundle, Cloud } from '../../../src/core/cloud.ts'
import type { Engine } from '../../../src/engine/deployment.ts'
import { destroy } from '../../../src/engine/destroy/destroy.ts'
import { findAbandoned } from '../../../src/engine/destroy/sweep.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openStore } from '../../../src/stores/registry.ts'
import { never } from '../../../src/verbs/shared/signals.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { memoryHost } from '../../setup/memory-host.ts'
import { deathAt } from '../../storm/dying.ts'
import { dyingController } from '../../storm/dying-controller.ts'
import { AGENT } from '../../storm/program.ts'
import { startVersitygw } from '../versitygw.ts'
import { forward } from './forward.ts'
import { each, momentOf, upwards } from './killed.ts'
import type { Room } from './room.ts'

const DAY = 24 * 60 * 60_000
const LONG = ['--timeout', '10m'] as const
/** Each handles every third leftover; the last one leaves it to the cluster, which knows nothing of buckets. */
const REMEDIES = [
  { name: 'destroy', lifetime: LONG },
  { name: 'sweep', lifetime: LONG },
  { name: 'nobody', lifetime: ['--timeout', '30s', '--grace', '1s', '--retention', '1s'] },
] as const

const isChange = (call: string): boolean => /^(?:(?:init|write|remove|clear|ensure) |(?:start|end)$)/.test(call)

/** Resolves to all the calls that the longest creation made. */
export async function createdOutside(room: Room): Promise<readonly string[]> {
  const s3 = await startVersitygw()
  if (!s3) return []
  const near = await forward(room.cluster.host, s3.gate)
  try {
    const { credentials } = s3
    const endpoint = `http://${room.cluster.host}:${near.port}`
    const storage: StoreAccess = { ...(await s3.access('killed', 'team')), settings: { endpoint, region: 'us-east-1', plain: 'true' } }
    const left = REMEDIES.map((): string[] => [])
    let asked: readonly string[] = []
    await upwards(0, 1, async (state) => {
      const { last, after } = momentOf(state)
      const remedy = state % REMEDIES.length
      const name = `at-${last}-${after ? 'after' : 'before'}-${REMEDIES[remedy]!.name}`
      const words = [
        'task',
        '--cloud',
        'k8s',
        '--image',
        'lab.test/bare:1',
        '--name',
        name,
        '--workdir',
        'work',
        ...REMEDIES[remedy]!.lifetime,
      ]
      const death = deathAt(last, after, isChange)
      const env = { HOME: room.place, TPI_RESERVE: '5s' }
      const command = { words: [...words, '--script', 'sleep 1000'], env, home: join(room.place, 'home'), cwd: room.place }
      await dyingController({ ...command, agent: AGENT, cloudId: 'k8s', open: (bundle) => cloudOf(room, bundle), storage }, death)
      left[remedy]?.push(name)
      if (death.calls.length > asked.length) asked = death.calls
      return { asked: death.calls, reached: death.calls.length >= last }
    })
    const env = { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey }
    const where = { AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: 'us-east-1', TPI_STORAGE: storage.url, TPI_STORAGE_INSECURE: 'true' }
    const tpi = room.tpi.with({ ...env, ...where })
    const [destroyed = [], swept = [], alone = []] = left
    await each(destroyed, async (name) => {
      const { code, err } = await tpi.run('destroy', name, '--discard')
      expect([name, code === 0 || /there is no run/.test(err) ? 'gone' : err]).toEqual([name, 'gone'])
    })
    await sweep(room, storage, swept)
    const there = readdirSync(s3.folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) => entry.isFile())
    const others = there.map(({ parentPath }) => parentPath).filter((path) => !alone.some((name) => path.includes(`tpi-${name}-`)))
    expect(others).toEqual([])
    return asked
  } finally {
    await near.stop()
    await s3.stop()
  }
}

/** For the sweep it is ten days later. */
async function sweep(room: Room, named: StoreAccess, names: readonly string[]): Promise<void> {
  const clock = { ...systemClock, date: () => new Date(Date.now() + 10 * DAY) }
  const engine: Engine = { host: memoryHost(), clock, home: room.place, actor: 'test' }
  // A cloud says where a store is, but has nobody's keys.
  const access = (place: StoreAccess): ReturnType<typeof openStore> => openStore({ ...place, credentials: named.credentials ?? {} })
  const found = await findAbandoned(engine, [{ id: 'k8s', cloud: await cloudOf(room) }], access, { named, ttl: 2000 })
  const mine = found.filter(({ d }) => names.includes(d.name))
  expect(mine.length).toBeGreaterThan(3)
  await each(mine, async ({ d }) => void (await destroy(engine, d, { why: 'discard' })))
}

async function cloudOf(room: Room, bundle?: AgentBundle): Promise<Cloud> {
  const env = { KUBERNETES_CONFIGURATION: readFileSync(room.cluster.kubeconfig, 'utf8') }
  const values = { namespace: room.namespace, 'runtime-image': 'lab.test/tpi-runtime:1' }
  const agent = async (): Promise<AgentBundle> => {
    if (!bundle) throw new Error('nothing is made here')
    return bundle
  }
  return await open({ env, home: room.place, values, log: memoryHost(), clock: systemClock, signal: never().first, agent })
}
