import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { telling } from '../../src/engine/transfer-progress.ts'
import { memoryHost } from '../setup/memory-host.ts'

let now: number
let drawn: string[]
let host: ReturnType<typeof memoryHost>
beforeEach(() => {
  jest.useFakeTimers()
  now = 0
  drawn = []
  host = { ...memoryHost(), status: (line: string) => void drawn.push(line) }
})
afterEach(() => {
  jest.useRealTimers()
})

const tellUpload = async (transfer: (tell: (done: number) => void) => Promise<void>): Promise<void> =>
  telling({ host, clock: { now: () => now, date: () => new Date(0), sleep: async () => undefined } }, 'uploading', 1e9, transfer)

test('progress is shown often in a terminal’s status line, and each minute in a log', async () => {
  await tellUpload(async (tell) => {
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
  })
  expect(drawn).toEqual([
    'uploading: 100 MB of 1 GB (10 %), 10 MB/s, 1m 30s left',
    expect.stringContaining('600 MB of 1 GB'),
    expect.stringContaining('610 MB of 1 GB'),
    '',
  ])
  expect(host.lines).toEqual([expect.stringMatching(/^info: uploading: 600 MB of 1 GB \(60 %\), 9\.\d+ MB\/s, 41s left$/)])
})

test('a stalled transfer says so, too, and its end removes the line', async () => {
  const pass = (milliseconds: number): void => {
    now += milliseconds
    jest.advanceTimersByTime(milliseconds)
  }
  const failing = tellUpload(async (tell) => {
    pass(1000)
    tell(1e8)
    for (let second = 0; second < 69; second++) pass(1000)
    throw new Error('the line is dead')
  })
  await expect(failing).rejects.toThrow('the line is dead')
  pass(120_000)
  expect(drawn[0]).toBe('uploading: 0 B of 1 GB (0 %)')
  expect(drawn.at(-2)).toMatch(/^uploading: 100 MB of 1 GB \(10 %\), 1\.\d+ MB\/s, 10m \d+s left$/)
  expect(drawn.at(-1)).toBe('')
  expect(host.lines).toEqual([expect.stringMatching(/^info: uploading: 100 MB of 1 GB \(10 %\)/)])
})
