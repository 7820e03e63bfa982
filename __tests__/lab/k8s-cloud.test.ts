/** Cloud k8s passes the suite of all clouds, on a real cluster. */
import { describe, expect, test } from '@jest/globals'
import { describeCloud } from '../conformance/cloud.ts'
import { cloudLab, LAB } from './k8s/cloud-lab.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { needed } from './k8s/needed.ts'
import { until } from './shell.ts'

// Before the suite is described: without a cluster there are no tests to describe.
const cluster: Cluster | undefined = await startCluster()

describe('a cluster', () => {
  needed(cluster)

  if (!cluster) return
  describeCloud('k8s', () => cloudLab(cluster), { patience: 240_000, change: 120_000, sideBySide: true })

  test('nothing is left of all this, once the cluster has removed what the labs left', async () => {
    const spaces = (await cluster.api.list('/api/v1/namespaces')).map(({ metadata }) => metadata.name).filter((name) => LAB.test(name))
    expect(spaces.length).toBeGreaterThan(10)
    await until('all namespaces to be empty', 200, async () => {
      const left = (await Promise.all(spaces.map(async (name) => cluster.inventory(name)))).flat()
      if (left.length > 0) throw new Error(`there is: ${left.join(', ')}`)
      return true
    })
  }, 240_000)
})
