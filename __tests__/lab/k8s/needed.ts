import { afterAll, expect, test } from '@jest/globals'
import type { Cluster } from './cluster.ts'

/** Call it in a `describe`, with the cluster of its file: in CI, a missing cluster is a failure; afterwards it is stopped. */
export function needed(cluster: Cluster | undefined): void {
  afterAll(async () => cluster?.stop())

  test('can be had here', () => {
    expect(cluster !== undefined || !process.env['CI']).toBe(true)
  })
}
