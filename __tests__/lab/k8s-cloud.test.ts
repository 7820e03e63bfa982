/** Cloud k8s passes the suite of all clouds, on a real cluster. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { describeCloud } from '../conformance/cloud.ts'
import { cloudLab } from './k8s/cloud-lab.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'

// Before the suite is described: where there is no cluster, there is nothing to describe.
const cluster: Cluster | undefined = await startCluster()

describe('a cluster', () => {
  beforeAll(() => undefined)
  afterAll(async () => await cluster?.stop())

  test('can be had here', () => {
    expect(cluster !== undefined || !process.env['CI']).toBe(true)
  })

  if (cluster) describeCloud('k8s', () => cloudLab(cluster), { patience: 240_000, change: 120_000, sideBySide: true })
})
