import { expect, test } from '@jest/globals'
import { likelyReason } from '../../src/clouds/k8s/unheard.ts'
import type { Cloud, Machine, Observation } from '../../src/core/cloud.ts'
import { Unheard } from '../../src/engine/follow/unheard.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

const AT = '2030-01-01T00:00:00.000Z'
const slot = (over: Partial<SlotRecord> = {}): SlotRecord => ({ ...newSlot(0, 'n', AT), ...over })
const seen = (...machines: Machine[]): Observation => ({ phase: 'up', wanted: 1, machines, events: [] })
const up: Machine = { id: 'm1', index: 0, state: 'running' }

test('a machine that runs for half a minute without a word is reported, once, with the reason that its cloud knows', async () => {
  const asked: string[] = []
  const unheard = async (_: unknown, machine: string): Promise<string> => {
    asked.push(machine)
    return 'a wall'
  }
  const watch = new Unheard({ id: 'tpi-a', incarnation: 'a', cloud: { unheard } as Partial<Cloud> as Cloud })
  expect(await watch.look([slot()], seen({ ...up, state: 'starting' }), 0)).toEqual([])
  expect(await watch.look([slot()], seen(up), 60_000)).toEqual([])
  expect(await watch.look([slot()], seen(up), 89_999)).toEqual([])
  expect(await watch.look([slot()], seen(up), 90_000)).toEqual(['machine m1 has been running for 30 s without a sign of life: a wall'])
  expect(await watch.look([slot()], seen(up), 190_000)).toEqual([])
  expect(asked).toEqual(['m1'])
})

test('one that has a slot in hand, had one, or is not waited for is not', async () => {
  const held = { state: 'running', epoch: 1, holder: 'm1', attempts: [{ epoch: 1, holder: 'm1', start: AT }] } as const
  for (const record of [
    slot(held),
    slot({ ...held, released: true }),
    slot({ state: 'stopped' }),
    slot({ ...held, holder: 'm0' }),
    slot({ index: 1 }),
  ]) {
    const watch = new Unheard({ id: 'tpi-a', incarnation: 'a', cloud: {} as Cloud })
    await watch.look([record], seen(up), 0)
    expect(await watch.look([record], seen(up), 60_000)).toEqual([])
  }
})

test('of a pod, its log tells the likely reason, and most often it is a policy of the network', () => {
  expect(likelyReason('storage cannot be reached: getaddrinfo EAI_AGAIN s3.local')).toMatch(/DNS of the cluster/)
  expect(likelyReason('answers 407')).toMatch(/proxy stands between/)
  expect(likelyReason('certificate is not yet valid')).toMatch(/clock/)
  for (const log of ['', 'connect ETIMEDOUT 10.0.0.1:7070']) expect(likelyReason(log)).toMatch(/NetworkPolicy .*TCP port 7070/)
})
