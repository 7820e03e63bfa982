import { channel } from 'node:diagnostics_channel'
import http from 'node:http'
import { expect, test } from '@jest/globals'
import { ClockCheck, checkedClock } from '../../src/lib/clock-check.ts'
import { ask } from '../../src/lib/http.ts'
import { listening } from '../setup/listening.ts'

const HOUR = 3_600_000
const at = (ahead: number): string => new Date(Date.now() - ahead).toUTCString()

test.each([
  ['one answer alone, as after a sleep, is no fault', [8 * HOUR], undefined],
  ['two that agree are', [8 * HOUR, 8 * HOUR], 8 * HOUR],
  ['a clock may be behind', [-HOUR, -2 * HOUR], -2 * HOUR],
  ['a minute does no harm', [60_000, 60_000], undefined],
  ['servers that disagree say nothing', [HOUR, -HOUR], undefined],
  ['the clock was set meanwhile', [HOUR, HOUR, 0], undefined],
])('%s', (_, aheads, expected) => {
  const check = new ClockCheck()
  const now = Date.parse('2030-01-01T00:00:00Z')
  check.hear('no date', 'soon', now)
  for (const ahead of aheads) check.hear('example.org', new Date(now - ahead).toUTCString(), now)
  check.hear('no date', undefined, now)
  expect(check.fault).toEqual(expected === undefined ? undefined : { ahead: expected, server: 'example.org' })
})

test('it hears all answers of this process, except those of this computer and of caches', async () => {
  const check = checkedClock()
  const server = http.createServer((_request, response) => void response.setHeader('date', at(8 * HOUR)).end())
  const url = `http://127.0.0.1:${await listening(server)}`
  for (let asked = 0; asked < 2; asked++) await ask(url, { patience: 5000, most: 100 })
  server.close()
  expect(check.fault).toBeUndefined()
  const answer = (headers: object): void =>
    channel('http.client.response.finish').publish({
      request: { host: 'example.org' },
      response: { headers: { date: at(8 * HOUR), ...headers }, socket: { remoteAddress: '192.0.2.1' } },
    })
  for (let asked = 0; asked < 2; asked++) answer({ age: '28800' })
  expect(check.fault).toBeUndefined()
  for (let asked = 0; asked < 2; asked++) answer({})
  expect(Math.round((check.fault?.ahead ?? 0) / HOUR)).toBe(8)
})
