import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { scriptFiles } from '../../src/agent/attempt/environment.ts'
import { foldersOf, type SlotContext } from '../../src/agent/machine-context.ts'
import { Peers } from '../../src/agent/slot/peers.ts'
import { layout } from '../../src/wire/layout.ts'
import { newSlot } from '../../src/wire/slot.ts'
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
