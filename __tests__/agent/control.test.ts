/** What a machine does with requests to its run. */
import { expect, test } from '@jest/globals'
import type { MachineContext } from '../../src/agent/machine-context.ts'
import { Control } from '../../src/agent/slot/control.ts'
import { layout } from '../../src/wire/layout.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

test('a record of requests that cannot be read is reported once, not at every look', async () => {
  const store = memoryStore()
  const keys = layout('tpi-a', 'i')
  await store.write(keys.control, Buffer.from('{}'))
  const over = new AbortController()
  store.fault = () => {
    if (store.counts.reads >= 5) over.abort()
  }
  const said: string[] = []
  const context = {
    store,
    keys,
    config: { id: 'tpi-a', incarnation: 'i' },
    spec: { lease: { beat: 1 } },
    say: (line: string) => said.push(line),
  }
  const ignored = (): undefined => undefined
  const events = { onStop: ignored, onInterrupt: ignored, onExecs: ignored, onGone: ignored }
  await new Control(context as unknown as MachineContext).watch(events, over.signal)
  expect(store.counts.reads).toBeGreaterThan(2)
  expect(said).toEqual([expect.stringContaining(keys.control)])
})
