import { afterAll, expect, test } from '@jest/globals'
import type { Cluster } from './cluster.ts'

/** Call it in a `describe`, with the clusters of its file: in CI a missing one is a failure; afterwards they are stopped. */
export function needed(...clusters: readonly (Cluster | undefined)[]): void {
  afterAll(async () => {
    await Promise.all(clusters.map(async (cluster) => cluster?.stop()))
  })

  test('can be had here', () => {
    expect(!clusters.includes(undefined) || !process.env['CI']).toBe(true)
  })
}
