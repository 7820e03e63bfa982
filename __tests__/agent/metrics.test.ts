import { describe, expect, test } from '@jest/globals'
import { decodeSamples } from '../../src/wire/sample.ts'
import { isTerminal, type SlotRecord } from '../../src/wire/slot.ts'
import { faulty } from './faulty.ts'
import { Deployment } from './kit.ts'

describe('samples', () => {
  test.concurrent('of a run of a second are all in the store before the write that ends it', async () => {
    await using task = await Deployment.make({ script: 'sleep 1.2' })
    const store = faulty(task.store, () => undefined)
    await task.inProcess({}, store).ended
    const writes = store.calls.filter(({ verb }) => verb === 'write')
    const { record, metrics } = task.keys.slot(0)
    const end = writes.findIndex(
      ({ key, body }) => key === record && isTerminal((JSON.parse(Buffer.from(body!).toString()) as SlotRecord).state),
    )
    const measured = writes.flatMap(({ key }, at) => (key.startsWith(metrics) ? [at] : []))
    expect(measured.length).toBeGreaterThan(0)
    expect(Math.max(...measured)).toBeLessThan(end)
    const samples = measured.flatMap((at) => decodeSamples(Buffer.from(writes[at]!.body!).toString()))
    expect(samples.length).toBeGreaterThanOrEqual(2)
    expect(samples.every(({ cpu, memory, memoryTotal }) => cpu >= 0 && cpu <= 1 && memory > 0 && memory <= memoryTotal)).toBe(true)
  })

  test.concurrent('that the store does not take cost the run nothing', async () => {
    await using task = await Deployment.make({ script: 'sleep 0.7' })
    const { metrics } = task.keys.slot(0)
    const store = faulty(task.store, ({ key }) => (key.startsWith(metrics) ? 'full' : undefined))
    await task.inProcess({}, store).ended
    expect(await task.slot()).toMatchObject({ state: 'succeeded' })
  })
})
