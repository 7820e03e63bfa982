/** How often snapshots are taken, and the last one when there is no time left for it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, jest, test } from '@jest/globals'
import { Checkpoints } from '../../src/agent/attempt/checkpoint.ts'
import { foldersOf, type SlotContext } from '../../src/agent/machine-context.ts'
import type { Holder } from '../../src/agent/slot/holder.ts'
import type { Freeze, Restored } from '../../src/snapshot/types.ts'
import { layout } from '../../src/wire/layout.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

afterEach(() => void jest.restoreAllMocks())

/** Of a folder with one file; `act` is called with what was said. */
async function withCheckpoints(
  given: Partial<SlotContext<TaskSpec>>,
  interval: number,
  act: (checkpoints: Checkpoints, said: readonly string[]) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'tpi-checkpoint-'))
  try {
    const folders = foldersOf(home)
    await mkdir(folders.work, { recursive: true })
    await writeFile(join(folders.work, 'result'), 'of hours')
    const said: string[] = []
    const context = {
      store: memoryStore(),
      keys: layout('tpi-t-0123456789', 'one'),
      folders,
      index: 0,
      spec: { checkpoint: { interval, globs: [] }, output: [] } as unknown as TaskSpec,
      say: (line: string) => said.push(line),
      warn: (line: string) => said.push(line),
      atRisk: new AbortController().signal,
      ...given,
    } as unknown as SlotContext<TaskSpec>
    await act(await Checkpoints.open(context, {} as Holder, { manifest: { entries: [] } } as unknown as Restored), said)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

test.each([
  ['a minute', 60, [150.5, 152.5, 154.5]],
  ['a second', 1, [150, 150.5, 151.5, 152.5, 153.5, 154.5]],
])(
  'with an interval of %s, a machine that its cloud may soon take saves at once, and every other second at least',
  async (_, interval, times) => {
    const risk = new AbortController()
    await withCheckpoints({ atRisk: risk.signal }, interval, async (checkpoints) => {
      jest.useFakeTimers()
      try {
        const began = Date.now()
        const saved: number[] = []
        jest.spyOn(checkpoints, 'now').mockImplementation(async () => void saved.push((Date.now() - began) / 1000))
        const over = new AbortController()
        const kept = checkpoints.keep({} as Freeze, over.signal, over.signal)
        await jest.advanceTimersByTimeAsync(150_500)
        risk.abort()
        await jest.advanceTimersByTimeAsync(4500)
        over.abort()
        await kept
        expect(saved[0]).toBe(interval)
        expect(saved.filter((at) => at >= 150)).toEqual(times)
      } finally {
        jest.useRealTimers()
      }
    })
  },
)

test('a last snapshot that is asked for when the time is over is refused with the reason, and nothing of it is left unheard', async () => {
  await withCheckpoints({}, 10, async (checkpoints, said) => {
    const over = AbortSignal.abort(new Error('no time left'))
    await expect(checkpoints.final(true, over)).rejects.toThrow('no time left')
    // Whatever rejects without anybody to hear it ends an agent here, before its slot has its end.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([])
  })
})
