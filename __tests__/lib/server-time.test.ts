import { expect, test } from '@jest/globals'
import { ServerTime } from '../../src/lib/server-time.ts'

const after = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString()
/** Seconds by which the server's time is ahead of this process. */
const ahead = (time: ServerTime): number => Math.round((time.now().getTime() - Date.now()) / 1000)

test('the date of an answer tells how wrong this clock is, to within the header’s resolution of a second', () => {
  const time = new ServerTime()
  expect([time.learn(undefined), time.learn('no date'), time.learn(after(2)), ahead(time)]).toEqual([false, false, false, 0])
  expect([time.learn(after(-600)), Math.abs(ahead(time) + 600) <= 1, time.learn(after(-600))]).toEqual([true, true, false])
  expect([time.learn(after(0)), ahead(time)]).toEqual([true, 0])
})

test('a time of the server is converted to this clock', () => {
  const time = new ServerTime()
  const at = '2030-01-01T00:10:00Z'
  expect(time.here(at)).toBe(at)
  time.learn(after(600))
  expect(Math.abs(Date.parse(time.here(at)) - Date.parse('2030-01-01T00:00:00Z'))).toBeLessThan(2000)
  expect(time.here('no date')).toBe('no date')
})
