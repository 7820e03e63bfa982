import { expect, test } from '@jest/globals'
import { LogReader } from '../../src/engine/log-reader.ts'
import { encodeSegment } from '../../src/wire/log.ts'
import type { SlotRecord } from '../../src/wire/slot.ts'
import { StoreError } from '../../src/wire/store.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { AT, deploymentOn, heldBy } from './one-deployment.ts'

test.each([false, true])('a log is read in order, across attempts, looks and outages; the store pushes changes: %s', async (pushes) => {
  const store = { ...memoryStore(), ...(pushes && { watch: async function* () {} }) }
  const d = deploymentOn(store, {})
  const write = async (epoch: number, ...seqs: number[]): Promise<void> => {
    for (const seq of seqs)
      await store.write(
        d.keys.slot(0).segment(epoch, seq),
        encodeSegment({ v: 2, stream: 'script', at: AT, bytes: Buffer.from(`${epoch}.${seq} `) }),
      )
  }
  const reader = new LogReader(d, 0)
  const look = async (record: Partial<SlotRecord>): Promise<string> => {
    let said = ''
    for await (const { bytes } of reader.next({ ...heldBy('m1'), ...record } as SlotRecord)) said += Buffer.from(bytes).toString()
    return said
  }
  const open = { epoch: 1, attempts: [{ epoch: 1, holder: 'm1', start: AT }] }
  const looks = [await look(open)]
  await write(1, 1, 2)
  const read = store.read
  store.read = async () => Promise.reject(new StoreError('unavailable', 'no answer'))
  await expect(look(open)).rejects.toThrow('no answer')
  store.read = read
  looks.push(await look(open), await look(open))
  await write(1, 3)
  looks.push(await look(open))
  const lists = store.counts.lists
  for (let quiet = 0; quiet < 5; quiet += 1) looks.push(await look(open))
  // In a bucket a list costs more than a read: a log that was listed once is not listed again.
  expect(store.counts.lists - lists).toBe(pushes ? 5 : 0)
  // The last two of the first attempt come with its end, the third after it; and the next attempt has begun.
  await write(1, 4, 5, 6)
  await write(2, 1, 2)
  const ended = {
    epoch: 2,
    attempts: [
      { ...open.attempts[0]!, end: AT, logEnd: 5 },
      { epoch: 2, holder: 'm2', start: AT },
    ],
  }
  looks.push(await look(ended))
  await write(2, 3)
  looks.push(await look(ended))
  expect(looks.filter(Boolean)).toEqual(['1.1 1.2 ', '1.3 ', '1.4 1.5 2.1 2.2 ', '2.3 '])
})
