import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { decodeSamples, type Sample } from '../../src/wire/sample.ts'
import { isTerminal, type SlotRecord } from '../../src/wire/slot.ts'
import { faulty } from './faulty.ts'
import { Deployment } from './kit.ts'

describe('samples', () => {
  test.concurrent('of a run of one second are all in the store before the write that ends it', async () => {
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
    const samples = measured.flatMap((at) => decodeSamples(Buffer.from(writes[at]!.body!)))
    expect(samples.length).toBeGreaterThanOrEqual(2)
    expect(samples.every(({ cpu, memory, memoryTotal }) => cpu >= 0 && cpu <= 1 && memory > 0 && memory <= memoryTotal)).toBe(true)
  })

  test.concurrent('that the store does not accept do the run no harm', async () => {
    await using task = await Deployment.make({ script: 'sleep 0.7' })
    const { metrics } = task.keys.slot(0)
    const store = faulty(task.store, ({ key }) => (key.startsWith(metrics) ? 'full' : undefined))
    await task.inProcess({}, store).ended
    expect(await task.slot()).toMatchObject({ state: 'succeeded' })
  })
})

test('a graphics card that fails to answer once is asked again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-gpu-'))
  const before = process.env['PATH']
  try {
    const calls = join(folder, 'calls')
    const tool = join(folder, 'nvidia-smi')
    await writeFile(tool, `#!/bin/sh\necho >>${calls}\n[ "$(wc -l <${calls})" -gt 1 ] || exit 9\necho 50, 1, 2\n`)
    await chmod(tool, 0o755)
    process.env['PATH'] = `${folder}:${before}`
    // By the fifth call, the first four samples are in the store: the first call has failed. Those of the end may get lost on a busy machine.
    await using task = await Deployment.make({ script: `until [ "$(wc -l <${calls})" -gt 4 ]; do sleep 0.1; done` })
    await (await task.agent()).ended
    const samples: Sample[] = []
    for await (const { key } of task.store.list(task.keys.slot(0).metrics))
      samples.push(...decodeSamples((await task.store.read(key))!.bytes))
    expect(samples[0]?.gpus).toBeUndefined()
    expect(samples[1]?.gpus).toEqual([{ busy: 0.5, memory: 2 ** 20, memoryTotal: 2 * 2 ** 20 }])
  } finally {
    process.env['PATH'] = before
    await rm(folder, { recursive: true, force: true })
  }
})
