import { expect, test } from '@jest/globals'
import { telling } from '../../src/engine/transfer-progress.ts'
import { memoryHost } from '../setup/memory-host.ts'

test('how far a transfer is: often in the line of a terminal, each minute in a line of a log', () => {
  let now = 0
  const drawn: string[] = []
  const host = { ...memoryHost(), status: (line: string) => void drawn.push(line) }
  const tell = telling({ host, clock: { now: () => now, date: () => new Date(0), sleep: async () => undefined } }, 'uploading', 1e9)
  for (const [at, done] of [
    [100, 1e6],
    [10_000, 1e8],
    [10_100, 1.1e8],
    [61_000, 6e8],
    [62_000, 6.1e8],
  ] as const) {
    now = at
    tell(done)
  }
  expect(drawn).toEqual([
    'uploading: 100 MB of 1 GB (10 %), 10 MB/s, 1m 30s left',
    expect.stringContaining('600 MB of 1 GB'),
    expect.stringContaining('610 MB of 1 GB'),
  ])
  expect(host.lines).toEqual([expect.stringMatching(/^info: uploading: 600 MB of 1 GB \(60 %\), 9\.\d+ MB\/s, 41s left$/)])
})
