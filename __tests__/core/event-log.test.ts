import { expect, test } from '@jest/globals'
import { EventLog } from '../../src/core/event-log.ts'

test('an event that happens again is listed once, in its place, with the time of the last one', () => {
  const log = new EventLog()
  const say = (key: string, second: number): void =>
    log.say(key, { at: `2030-01-01T00:00:0${second}.000Z`, kind: 'quota', text: `${key}, first at ${second}` })
  say('a', 3)
  say('b', 1)
  say('a', 7)
  say('a', 5)
  expect(log.events.map(({ at, text }) => [at.slice(18, 19), text])).toEqual([
    ['7', 'a, first at 3'],
    ['3', 'b, first at 1'],
  ])
})
