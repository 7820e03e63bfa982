/** The last snapshot, when there is no time left for one. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { Checkpoints } from '../../src/agent/attempt/checkpoint.ts'
import { foldersOf, type SlotContext } from '../../src/agent/machine-context.ts'
import type { Holder } from '../../src/agent/slot/holder.ts'
import type { Restored } from '../../src/snapshot/types.ts'
import { layout } from '../../src/wire/layout.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

test('a last snapshot that is asked for when the time is over is refused with the reason, and nothing of it is left unheard', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tpi-checkpoint-'))
  try {
    const folders = foldersOf(home)
    await mkdir(folders.work, { recursive: true })
    await writeFile(join(folders.work, 'result'), 'of hours')
    const keys = layout('tpi-t-0123456789', 'one')
    const spec = { checkpoint: { interval: 10, globs: [] }, output: [] } as unknown as TaskSpec
    const said: string[] = []
    const context = {
      store: memoryStore(),
      keys,
      folders,
      index: 0,
      spec,
      say: (line: string) => said.push(line),
      warn: (line: string) => said.push(line),
    } as unknown as SlotContext<TaskSpec>
    const checkpoints = await Checkpoints.open(context, {} as Holder, { manifest: { entries: [] } } as unknown as Restored)
    const over = AbortSignal.abort(new Error('no time left'))
    await expect(checkpoints.final(true, over)).rejects.toThrow('no time left')
    // Whatever rejects without anybody to hear it ends an agent here, before its slot has its end.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
