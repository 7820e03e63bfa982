/** The store pod of a deployment passes the suite of all stores, through the proxy of a real API server. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { open } from '../../src/clouds/k8s/index.ts'
import type { Cloud, MachineSpec } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { StoreAccess } from '../../src/wire/store.ts'
import { describeStore } from '../conformance/store.ts'
import { silent } from '../setup/silent-log.ts'
import { lasting, tagsOf } from '../setup/tags.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { needed } from './k8s/needed.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const ID = 'tpi-store-0123456789'

describe('the store pod', () => {
  needed(cluster)

  if (!cluster) return
  describeStore('http through the API server', () => storeOf(cluster), { folders: true, contentVersions: false, cuts: 3 })

  test('has not died meanwhile', async () => {
    const [pod] = await cluster.api.list('/api/v1/namespaces/default/pods')
    expect(pod?.status?.['containerStatuses']).toMatchObject([{ restartCount: 0 }])
  })

  test('is removed with everything of it when its root is removed', async () => {
    const { cloud } = await cloudOn(cluster)
    expect(await cluster.inventory('default')).toEqual(
      expect.arrayContaining([`job/${ID}-store`, `claim/${ID}`, `secret/${ID}`, `service/${ID}`]),
    )
    const store = await openStore(await cloud.store(ID))
    for await (const { key } of store.list('')) await store.clear(`${key.slice(0, key.indexOf('/'))}/`)
    await cluster.api.remove(`/apis/batch/v1/namespaces/default/jobs/${ID}-store?propagationPolicy=Background`)
    await until('nothing to be left', 100, async () => ((await cluster.inventory('default')).length === 0 ? true : undefined))
  })
})

async function cloudOn({ kubeconfig }: Cluster): Promise<{ cloud: Cloud; spec: Omit<MachineSpec, 'store'> }> {
  const bytes = readFileSync(process.env['TPI_AGENT_BUNDLE']!)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const cloud = await open({
    env: { KUBERNETES_CONFIGURATION: readFileSync(kubeconfig, 'utf8') },
    home: '/nowhere',
    values: { 'runtime-image': 'lab.test/tpi-runtime:1', 'storage-size': 1_000_000_000 },
    log: silent,
    clock: systemClock,
    signal: new AbortController().signal,
    agent: async () => ({ digest, bytes }),
  })
  const tags = tagsOf({ ...lasting(3_600_000), id: ID, name: 'store', incarnation: 'inc', store: { url: 'http://own' } })
  return { cloud, spec: { tags, size: {}, spot: { want: 'never' }, agent: digest } }
}

/** Credentials as plain data, because the suite passes them to other processes. */
async function storeOf(on: Cluster): Promise<StoreAccess> {
  const { cloud, spec } = await cloudOn(on)
  for (const stage of (await cloud.storeSetup!({ ...spec, store: { url: 'http://own' } })).stages)
    await Promise.all(stage.map(async (resource) => await resource.ensure()))
  const { source, ...place } = await cloud.store(ID)
  const access = { ...place, credentials: await source!.get() }
  const store = await openStore(access)
  await until('the store', 90, async () => {
    await store.init(`${ID}/ready/`)
    return true
  })
  await store.close?.()
  return access
}
