/**
 * `spot: prefer`: when the second set starts if the clock of the machine that requests it is wrong. With machines that boot: `lab/az/twin.test.ts`.
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { side } from '../../../src/clouds/az/machine.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import { startAzureMetadata } from '../../boot/azure-metadata.ts'
import { listening } from '../../setup/listening.ts'

interface Profile {
  readonly name: string
  readonly fixedDate?: { readonly start: string }
}

/** Milliseconds. */
const WAIT = 600_000
const capacity = { minimum: '0', maximum: '3', default: '0' }
const window = { timeZone: 'UTC', start: '2026-01-01T00:00:00Z', end: '2099-01-01T00:00:00Z' }
const PROFILES = [
  { name: 'open', capacity, rules: [], fixedDate: window },
  { name: 'over', capacity, rules: [] },
]

test.each([20, -20])('with the time of Azure, if its own clock is %s minutes behind', async (minutes) => {
  const ahead = minutes * 60_000
  let written: readonly Profile[] = []
  const metadata = await startAzureMetadata({ instance: () => ({}), events: () => [], started: () => undefined, token: () => 'lent' })
  const api = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'PATCH') written = (JSON.parse(body) as { properties: { profiles: Profile[] } }).properties.profiles
      response.writeHead(200, { date: new Date(Date.now() + ahead).toUTCString(), etag: '"1"' })
      response.end(JSON.stringify({ properties: { profiles: written.length > 0 ? written : PROFILES } }))
    })
  })
  const endpoint = `http://127.0.0.1:${await listening(api)}/`
  const own = { subscription: 'sub', resourceGroup: 'group', group: 'set', twin: 'set-on-demand', count: '3', wait: String(WAIT / 1000) }
  const config = {
    machine: 'set_1a2b3c4d',
    hardDeadline: '2099-01-01T00:00:00.000Z',
    side: { ...own, clientId: 'c', endpoint, metadata: metadata.url },
  }
  try {
    await side.standby?.(config as unknown as MachineConfig)?.hold()
  } finally {
    api.closeAllConnections()
    api.close()
    await metadata.stop()
  }
  const start = Date.parse(written.find(({ name }) => name === 'standby')?.fixedDate?.start ?? '')
  expect(Math.abs(start - Date.now() - ahead - WAIT)).toBeLessThan(5_000)
})
