import { afterAll, expect, test } from '@jest/globals'
import type { Cluster } from './cluster.ts'

/** Call it in a `describe`, with the cluster of its file: that it cannot be had is a failure in CI, and at the end it goes. */
export function needed(cluster: Cluster | undefined): void {
  afterAll(async () => cluster?.stop())

  test('can be had here', () => {
    expect(cluster !== undefined || !process.env['CI']).toBe(true)
  })
}
