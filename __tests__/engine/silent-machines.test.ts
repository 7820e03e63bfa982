import { expect, test } from '@jest/globals'
import { likelyReason } from '../../src/clouds/k8s/why-silent.ts'
import type { Cloud, Machine, Observation } from '../../src/core/cloud.ts'
import { SilentMachines } from '../../src/engine/follow/silent-machines.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'

const AT = '2030-01-01T00:00:00.000Z'
const slot = (over: Partial<SlotRecord> = {}): SlotRecord => ({ ...newSlot(0, 'n', AT), ...over })
const seen = (...machines: Machine[]): Observation => ({ phase: 'up', wanted: 1, machines, events: [] })
const up: Machine = { id: 'm1', index: 0, state: 'running' }

test('a machine that runs for half a minute in silence is reported once, with the reason that its cloud knows', async () => {
  const asked: string[] = []
  const whySilent = async (_: unknown, machine: string): Promise<string> => {
    asked.push(machine)
    return 'a wall'
  }
  const watch = new SilentMachines({ id: 'tpi-a', incarnation: 'a', cloud: { whySilent } as Partial<Cloud> as Cloud })
  expect(await watch.look([slot()], seen({ ...up, state: 'starting' }), 0)).toEqual([])
  expect(await watch.look([slot()], seen(up), 60_000)).toEqual([])
  expect(await watch.look([slot()], seen(up), 89_999)).toEqual([])
  expect(await watch.look([slot()], seen(up), 90_000)).toEqual(['machine m1 has been running for 30 s without a sign of life: a wall'])
  expect(await watch.look([slot()], seen(up), 190_000)).toEqual([])
  expect(asked).toEqual(['m1'])
})

test('a machine that holds or held a slot, or that no slot waits for, is not reported', async () => {
  const held = { state: 'running', epoch: 1, holder: 'm1', attempts: [{ epoch: 1, holder: 'm1', start: AT }] } as const
  for (const record of [
    slot(held),
    slot({ ...held, released: true }),
    slot({ state: 'stopped' }),
    slot({ ...held, holder: 'm0' }),
    slot({ index: 1 }),
  ]) {
    const watch = new SilentMachines({ id: 'tpi-a', incarnation: 'a', cloud: {} as Cloud })
    await watch.look([record], seen(up), 0)
    expect(await watch.look([record], seen(up), 60_000)).toEqual([])
  }
})

test('a machine that runs for an hour in silence is given up, with the end of its console', async () => {
  let says = 'nothing yet'
  const watch = new SilentMachines({ id: 'tpi-a', incarnation: 'a', cloud: { whySilent: async () => says } as Partial<Cloud> as Cloud })
  await watch.look([slot()], seen(up), 0)
  await watch.look([slot()], seen(up), 3_599_999)
  expect(watch.known(seen(up)).machines).toEqual([{ ...up, said: 'nothing yet' }])
  says = 'it waits for a disk'
  await watch.look([slot()], seen(up), 3_600_000)
  const stuck = 'it has been running for an hour without a sign of life: it waits for a disk'
  expect(watch.known(seen(up)).machines).toEqual([{ ...up, said: says, stuck }])
})

test('the log of a machine that ends before it took a slot is read once, before it is lost', async () => {
  const asked: string[] = []
  const whySilent = async (_: unknown, machine: string): Promise<string> => {
    asked.push(machine)
    if (machine === 'gone') throw new Error('there is none')
    return 'past the deadline'
  }
  const watch = new SilentMachines({ id: 'tpi-a', incarnation: 'a', cloud: { whySilent } as Partial<Cloud> as Cloud })
  const [leaving, gone]: readonly Machine[] = [
    { id: 'm1', state: 'leaving' },
    { id: 'gone', state: 'gone' },
  ]
  for (const now of [0, 2000, 90_000])
    expect(await watch.look([slot()], seen(leaving!, gone!, { ...up, state: 'gone', id: 'm2' }), now)).toEqual([])
  expect(asked).toEqual(['m1', 'gone'])
  expect(watch.known(seen(leaving!, gone!)).machines).toEqual([{ ...leaving, said: 'past the deadline' }, gone])
})

test('a pod’s log tells the likely reason, most often a network policy', () => {
  expect(likelyReason('storage cannot be reached: getaddrinfo EAI_AGAIN s3.local')).toMatch(/DNS of the cluster/)
  expect(likelyReason('answers 407')).toMatch(/proxy stands between/)
  expect(likelyReason('certificate is not yet valid')).toMatch(/clock/)
  for (const log of ['', 'connect ETIMEDOUT 10.0.0.1:7070']) expect(likelyReason(log)).toMatch(/NetworkPolicy .*TCP port 7070/)
})
