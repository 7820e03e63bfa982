/** How many slots a leaving machine counts as open. */
import { expect, test } from '@jest/globals'
import { openSlots } from '../../src/agent/run.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import { VERSION } from '../../src/wire/parse.ts'
import { newSlot, type SlotState } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const AT = '2030-01-01T00:00:00.000Z'
const keys = layout('tpi-a', 'i')

const config = { id: 'tpi-a', incarnation: 'i' } as MachineConfig
const origin = { owner: 'ann@box', user: 'ann', host: 'box' }
const CURRENT = { v: VERSION, nonce: 'n', id: 'tpi-a', name: 'a', incarnation: 'i', createdAt: AT, origin, state: 'open' }

async function counted(
  states: readonly SlotState[],
  control: object,
  slot: object = {},
  current: object = {},
): ReturnType<typeof openSlots> {
  const store = memoryStore()
  await store.write(currentKey('tpi-a'), Buffer.from(JSON.stringify({ ...CURRENT, ...current })))
  for (const [at, state] of states.entries())
    await store.write(keys.slot(at).record, Buffer.from(JSON.stringify({ ...newSlot(at, 'n', AT), ...slot, state })))
  await store.write(keys.control, Buffer.from(JSON.stringify({ v: VERSION, nonce: 'n', ...control })))
  return openSlots({ spec: { count: states.length } as Spec, keys, store, config })
}

test('slots that have not ended are open, also once a stop is on record: a machine may still be saving them', async () => {
  const states = ['waiting', 'stopped', 'waiting'] as const
  expect(await counted(states, {})).toEqual({ open: 2, holders: [], stopped: false })
  expect(await counted(states, { stop: { at: AT, by: 'ann@box' } })).toEqual({ open: 2, holders: [], stopped: true })
})

test.each([{ state: 'destroying', why: 'discard' }, { incarnation: 'j' }])('a run that is gone by %j has stopped', async (current) => {
  expect(await counted(['running'], {}, {}, current)).toMatchObject({ open: 1, stopped: true })
})

test('holders are those of open slots, without a machine that has released its slot', async () => {
  expect(await counted(['running', 'succeeded'], {}, { holder: 'm-1' })).toMatchObject({ open: 1, holders: ['m-1'] })
  expect(await counted(['interrupted', 'succeeded'], {}, { holder: 'm-1', released: true })).toMatchObject({ open: 1, holders: [] })
})
