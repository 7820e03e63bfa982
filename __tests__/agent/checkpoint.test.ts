/** How often snapshots are taken, and the last one if no time is left for it. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Checkpoints } from '../../src/agent/attempt/checkpoint.ts'
import { foldersOf, type MachineFolders, type SlotContext } from '../../src/agent/machine-context.ts'
import type { Holder } from '../../src/agent/slot/holder.ts'
import { bootNow, pause } from '../../src/lib/clock.ts'
import { download } from '../../src/snapshot/restore/restore.ts'
import type { Freeze, Restored } from '../../src/snapshot/types.ts'
import { layout } from '../../src/wire/layout.ts'
import type { SlotRecord } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import type { Store } from '../../src/wire/store.ts'
import { until } from '../setup/wait.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const NO_FREEZE: Freeze = { stop: async () => undefined, resume: async () => undefined }

afterEach(() => void jest.restoreAllMocks())

/** Checkpoints of a folder with one file; `act` also gets the log lines. */
async function withCheckpoints(
  given: Partial<SlotContext<TaskSpec>>,
  interval: number,
  act: (checkpoints: Checkpoints, said: readonly string[], folders: MachineFolders) => Promise<void>,
  holder = { record: {} } as Holder,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'tpi-checkpoint-'))
  try {
    const folders = foldersOf(home)
    await mkdir(folders.work, { recursive: true })
    await writeFile(join(folders.work, 'result'), 'of hours')
    const said: string[] = []
    const context = {
      store: memoryStore(),
      config: {},
      keys: layout('tpi-t-0123456789', 'one'),
      folders,
      index: 0,
      spec: { checkpoint: { interval, globs: [] }, output: [] } as unknown as TaskSpec,
      say: (line: string) => said.push(line),
      warn: (line: string) => said.push(line),
      atRisk: new AbortController().signal,
      ...given,
    } as unknown as SlotContext<TaskSpec>
    await act(await Checkpoints.open(context, holder, { manifest: { entries: [] } } as unknown as Restored), said, folders)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

test.each([
  ['a minute', 60, [150.5, 152.5, 154.5]],
  ['a second', 1, [150, 150.5, 151.5, 152.5, 153.5, 154.5]],
])(
  'with an interval of %s, a machine that its cloud may soon take saves at once, and then at least every other second',
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

/** Seconds after which saves begin within this time, with an interval of ten. `takes`: seconds of the save with this number, from 1. */
async function begins(within: number, takes: (save: number) => number): Promise<readonly number[]> {
  const begun: number[] = []
  await withCheckpoints({}, 10, async (checkpoints) => {
    jest.useFakeTimers()
    try {
      const began = Date.now()
      jest.spyOn(checkpoints, 'now').mockImplementation(async () => {
        begun.push((Date.now() - began) / 1000)
        const seconds = takes(begun.length)
        // A pause of zero takes a millisecond.
        if (seconds > 0) await pause(seconds * 1000)
      })
      const over = new AbortController()
      const kept = checkpoints.keep({} as Freeze, over.signal, over.signal)
      await jest.advanceTimersByTimeAsync(within * 1000)
      over.abort()
      await kept
    } finally {
      jest.useRealTimers()
    }
  })
  return begun
}

test('a save that takes more than a fifth of the interval delays the next ones, so that saving takes no more of the time than that', async () => {
  // The second save takes four seconds, so the third begins twenty seconds after its end.
  expect(await begins(50, (save) => (save === 1 ? 1 : 4))).toEqual([10, 21, 45])
})

test('after a save that had to wait out an outage of ten minutes, the next one comes within five', async () => {
  expect(await begins(925, (save) => (save === 1 ? 600 : 0))).toEqual([10, 910, 920])
})

test('a last snapshot that is asked for when the time is over is refused with the reason, and leaves no unhandled rejection', async () => {
  await withCheckpoints({}, 10, async (checkpoints, said) => {
    const over = AbortSignal.abort(new Error('no time left'))
    await expect(checkpoints.final(true, over, Infinity)).rejects.toThrow('no time left')
    // An unhandled rejection ends an agent here, before its slot has its end.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([])
  })
})

describe('a machine that is about to leave, with named files', () => {
  /** A store so slow that nothing large ever arrives. */
  const slow = (): Store => {
    const memory = memoryStore()
    const write: Store['write'] = async (key, body, condition, signal) => {
      if (body.length < 100_000) return memory.write(key, body, condition, signal)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    return { ...memory, write }
  }

  test('saves those first, though a checkpoint of everything is under way, and once more after the script’s farewell', async () => {
    const store = slow()
    let record = { epoch: 1, attempts: [] } as unknown as SlotRecord
    const holder = { record, update: async (change: (record: SlotRecord) => SlotRecord) => (record = change(record)) } as unknown as Holder
    const spec = { checkpoint: { interval: 10, globs: ['state'] }, output: ['result', 'weights'] } as unknown as TaskSpec
    await withCheckpoints(
      { store, spec },
      10,
      async (checkpoints, said, { work, tmp }) => {
        const saved = async (): Promise<string> => {
          if (!record.head) return ''
          await download({ store, root: 'tpi-t-0123456789/one/', folder: tmp, refs: [record.head], warn: () => undefined })
          const state = await readFile(join(tmp, 'state'), 'utf8')
          const others = (await readdir(tmp)).filter((name) => name !== 'state')
          await rm(tmp, { recursive: true })
          return [state, ...others].join()
        }
        const severed = new AbortController()
        await writeFile(join(work, 'weights'), randomBytes(1_000_000))
        await writeFile(join(work, 'state'), 'begun')
        const usual = checkpoints.now(severed.signal, NO_FREEZE)
        await pause(200)
        expect(record.head).toBeUndefined()
        await writeFile(join(work, 'state'), 'noticed')
        const hurried = checkpoints.hurry(severed.signal, NO_FREEZE, bootNow() + 5000)
        await usual
        await until('the named file is safe', async () => (await saved()) === 'noticed')
        await writeFile(join(work, 'state'), 'farewell')
        const last = checkpoints.final(false, severed.signal, bootNow() + 5000)
        await until('so is its last state', async () => (await saved()) === 'farewell')
        severed.abort(new Error('gone'))
        await expect(last).rejects.toThrow('gone')
        await hurried
        expect(said).toEqual([])
      },
      holder,
    )
  })

  test.each([
    ['seconds', 'saved after what was named', 5000, 0, true],
    ['two minutes', 'saved with what was named', 120_000, 0, false],
    ['two minutes, where saving everything takes more than half of that', 'saved after what was named', 120_000, 35_000, true],
    ['nobody knows how many seconds', 'saved with what was named', Infinity, 0, false],
  ])('and %s: outputs are %s', async (_, _how, left, cost, apart) => {
    let at = 0
    jest.spyOn(performance, 'now').mockImplementation(() => at)
    const memory = memoryStore()
    const write: Store['write'] = async (...call) => {
      at += cost
      return memory.write(...call)
    }
    const store = { ...memory, write }
    let record = { epoch: 1, attempts: [] } as unknown as SlotRecord
    const heads: string[] = []
    const spec = { checkpoint: { interval: 10, globs: ['state'] }, output: ['result'] } as unknown as TaskSpec
    const folder: { tmp?: string } = {}
    const update = async (change: (record: SlotRecord) => SlotRecord): Promise<SlotRecord> => {
      record = change(record)
      await download({ store, root: 'tpi-t-0123456789/one/', folder: folder.tmp!, refs: [record.head!], warn: () => undefined })
      heads.push((await Promise.all(['state', 'result'].map(async (name) => readFile(join(folder.tmp!, name), 'utf8')))).join('/'))
      await rm(folder.tmp!, { recursive: true })
      return record
    }
    await withCheckpoints(
      { store, spec },
      10,
      async (checkpoints, said, { work, tmp }) => {
        folder.tmp = tmp
        const step = async (number: number): Promise<void> => {
          for (const name of ['state', 'result']) await writeFile(join(work, name), String(number))
        }
        const { signal } = new AbortController()
        await step(1)
        await checkpoints.now(signal, NO_FREEZE)
        await step(2)
        await checkpoints.hurry(signal, NO_FREEZE, bootNow() + left)
        await step(3)
        await checkpoints.final(false, signal, bootNow() + left)
        expect(heads).toEqual(apart ? ['1/1', '2/1', '2/2', '3/2'] : ['1/1', '2/2'])
        expect(said).toEqual([])
      },
      { record: {}, update } as unknown as Holder,
    )
  })

  test('if no file has such a name, it is said before the next attempt begins', async () => {
    const spec = { checkpoint: { interval: 10, globs: ['sate'] }, output: [] } as unknown as TaskSpec
    const update = async (): Promise<SlotRecord> => ({ epoch: 1, attempts: [] }) as unknown as SlotRecord
    const last = async (checkpoints: Checkpoints, said: readonly string[]): Promise<void> => {
      const { signal } = new AbortController()
      await checkpoints.final(false, signal, Infinity)
      expect(said).toEqual(['checkpoint: no file matches "sate" so far, so the next attempt finds nothing of this one except outputs'])
    }
    await withCheckpoints({ spec }, 10, last, { record: {}, update } as unknown as Holder)
  })
})
