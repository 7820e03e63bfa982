import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { scriptFiles } from '../../src/agent/attempt/environment.ts'
import { foldersOf, type SlotContext } from '../../src/agent/machine-context.ts'
import { Peers } from '../../src/agent/slot/peers.ts'
import { abortIn, systemClock } from '../../src/lib/clock.ts'
import { layout } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

test('overlapping looks leave the newest list of addresses, complete, and none of them fails', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tpi-peers-'))
  try {
    const folders = foldersOf(home)
    await mkdir(folders.run, { recursive: true })
    const keys = layout('tpi-t-0123456789', 'one')
    const store = memoryStore()
    const context = { store, keys, folders, index: 0, spec: { count: 2 }, config: { address: '10.0.0.1' } } as unknown as SlotContext
    const comes = async (address: string): Promise<void> => {
      const record = { ...newSlot(1, 'n', '2030-01-01T00:00:00.000Z'), state: 'running', holder: 'm', address }
      await store.write(keys.slot(1).record, Buffer.from(JSON.stringify(record)))
    }
    const peers = new Peers(context)
    const { signal } = new AbortController()
    const looks: Promise<void>[] = []
    for (let host = 1; host <= 50; host++) {
      await comes(`10.0.1.${host}`)
      looks.push(peers.look(signal), peers.write())
    }
    await Promise.all(looks)
    expect(await readFile(scriptFiles(folders.run).peers, 'utf8')).toBe('10.0.0.1\n10.0.1.50\n')
    expect(await readdir(folders.run)).toEqual(['peers'])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

describe('a gang gathers', () => {
  const keys = layout('tpi-t-0123456789', 'one')
  const attempts = [{ epoch: 1, holder: 'm', start: '2030-01-01T00:00:00.000Z' }]
  const held = { state: 'running', phase: 'script', holder: 'm', epoch: 1, attempts } as const
  const failed = { state: 'failed', epoch: 1, attempts } as const

  /** The slot that it is given up for; `waits`: it still waits for one of its two siblings. */
  async function gathered(again: boolean, [first, second]: readonly [Partial<SlotRecord>, Partial<SlotRecord>], beats = true) {
    const home = await mkdtemp(join(tmpdir(), 'tpi-peers-'))
    try {
      const folders = foldersOf(home)
      await mkdir(folders.run, { recursive: true })
      const store = memoryStore()
      const spec = { count: 3, lease: { beat: 5 } }
      const peers = new Peers({ store, keys, folders, index: 0, spec, config: {} } as unknown as SlotContext)
      const put = async (nonce: string): Promise<void> => {
        for (const [at, over] of [first, second].entries()) {
          const record = { ...newSlot(at + 1, nonce, '2030-01-01T00:00:00.000Z'), ...over }
          await store.write(keys.slot(at + 1).record, Buffer.from(JSON.stringify(record)))
        }
      }
      await put('before')
      await peers.look(new AbortController().signal)
      using late = abortIn(systemClock, 100)
      const end = peers.gathered(again, late.signal).then(
        (absent) => absent?.index,
        () => 'waits' as const,
      )
      if (beats) await put('after')
      return await end
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }

  test('and one that has ended is not looked up any more', async () => {
    const home = await mkdtemp(join(tmpdir(), 'tpi-peers-'))
    try {
      const folders = foldersOf(home)
      await mkdir(folders.run, { recursive: true })
      const [store, read] = [memoryStore(), [] as string[]]
      const counting = { ...store, read: async (key: string) => (read.push(key), store.read(key)) }
      const peers = new Peers({ store: counting, keys, folders, index: 0, spec: { count: 3 }, config: {} } as unknown as SlotContext)
      for (const [slot, state] of [
        [1, 'succeeded'],
        [2, 'running'],
      ] as const)
        await store.write(keys.slot(slot).record, Buffer.from(JSON.stringify({ ...newSlot(slot, 'n', '2030-01-01T00:00:00.000Z'), state })))
      const { signal } = new AbortController()
      await peers.look(signal)
      await peers.look(signal)
      expect(read).toEqual([1, 2, 2].map((slot) => keys.slot(slot).record))
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })

  test.each([
    ['at once, if all are there or have succeeded', false, [held, { ...held, state: 'succeeded' }], false, undefined],
    ['without one that has failed: never', false, [held, failed], false, 2],
    ['without one that has failed: never, even while another is still to come', false, [{}, failed], false, 2],
    ['when one has stopped saving: its machine may be leaving', false, [held, { ...held, phase: 'saving' }], true, 'waits'],
    ['again, once each has given a sign of life', true, [held, held], true, undefined],
    ['again, but not while one may be dead', true, [held, held], false, 'waits'],
  ] as const)('%s', async (_, again, siblings, beats, expected) => {
    expect(await gathered(again, siblings, beats)).toBe(expected)
  })
})
