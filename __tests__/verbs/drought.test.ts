/** When a task moves to another region: what the cloud said last counts, also if it had said the same before. */
import { expect, test } from '@jest/globals'
import type { CloudEvent, Observation } from '../../src/core/cloud.ts'
import { EventLog } from '../../src/core/event-log.ts'
import { Drought } from '../../src/verbs/task/regions.ts'
import { newSlot } from '../../src/wire/slot.ts'

const minute = (at: number): string => new Date(Date.UTC(2030, 0, 1, 0, at)).toISOString()
const dry = (at: number): CloudEvent => ({ at: minute(at), kind: 'capacity', text: 'no such machine is available' })
const failed = (at: number): CloudEvent => ({ at: minute(at), kind: 'failure', text: 'a machine did not boot' })

test.each([
  ['capacity, a machine that did not boot, and capacity again', [dry(0), failed(1), dry(2)], true],
  ['capacity, and then a machine that did not boot', [dry(0), failed(1)], false],
])('%s', (_, said, moves) => {
  const events = new EventLog()
  for (const event of said) events.say(event.kind, event)
  let now = 0
  const drought = new Drought({ now: () => now }, { spot: { want: 'never' } }, 60)
  const seen: Observation = { phase: 'up', wanted: 1, machines: [], events: events.events }
  drought.look([newSlot(0, 'n', minute(0))], seen)
  expect(drought.over.aborted).toBe(false)
  now = 60_000
  drought.look([newSlot(0, 'n', minute(0))], seen)
  expect(drought.over.aborted).toBe(moves)
})
