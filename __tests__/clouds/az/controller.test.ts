/**
 * What a controller asks about an existing group: its size, its end, machines that occupy a place in vain. The API answers as documented:
 * https://learn.microsoft.com/rest/api/compute, https://learn.microsoft.com/rest/api/monitor
 */
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { open } from '../../../src/clouds/az/index.ts'
import { groupName } from '../../../src/clouds/az/names.ts'
import type { Cloud, CloudContext, MachineSpec } from '../../../src/core/cloud.ts'
import { listening, portOf } from '../../setup/listening.ts'

interface Capacity {
  readonly minimum: string
  readonly maximum: string
  readonly default: string
}

interface Status {
  readonly code: string
}

const REF = { id: 'fit', incarnation: '0a1b2c3d4e5f' }
const TWO = { tags: { ...REF, count: 2 }, spot: { want: 'only' } } as MachineSpec
const NAME = groupName(REF)
const NONE = { minimum: '0', maximum: '0', default: '0' }
const TWIN = `${NAME}-on-demand`
const SKU = { name: 'Standard_D2s_v5', tier: 'Standard' }

let api: Server
let asked: string[]
let sizes: unknown[]
let capacity: number
/** Capacity of the profile that holds while the group is open; `undefined`: the group is ended. */
let kept: Capacity | undefined
let machines: { readonly name: string; readonly state: string; readonly statuses: readonly Status[] }[]
let log: ({ readonly eventTimestamp: string } & Readonly<Record<string, unknown>>)[] | 'no'
/** Runs once the setting was written. */
let meanwhile: (() => void) | undefined
/** The name of the only scale set that exists. */
let there: string
/** The text on each machine's console. */
let said: string
let cloud: Cloud

beforeEach(async () => {
  asked = []
  sizes = []
  capacity = 3
  kept = { minimum: '3', maximum: '4', default: '3' }
  machines = []
  log = []
  meanwhile = undefined
  there = NAME
  said = ''
  api = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', root())
      const path = url.pathname.replace(/^.*\/providers\//, '')
      if (path.endsWith('/token')) return response.end(JSON.stringify({ access_token: 'lent', expires_in: 3600 }))
      if (path === '/console') return response.writeHead(said === 'missing' ? 404 : 200).end(said)
      asked.push(`${request.method} ${path}${url.searchParams.has('forceDeletion') ? ' by force' : ''}`)
      const [status, answer] = reply(`${request.method} ${path}`, body, url)
      return response.writeHead(status).end(JSON.stringify(answer))
    })
  })
  await listening(api)
  cloud = await opened()
})
afterEach(() => {
  api.closeAllConnections()
  api.close()
})

async function opened(more: object = {}): Promise<Cloud> {
  const env = {
    AZURE_TENANT_ID: 'tenant',
    AZURE_CLIENT_ID: 'client',
    AZURE_CLIENT_SECRET: 'secret',
    AZURE_AUTHORITY_HOST: root(),
    AZURE_RESOURCE_MANAGER_URL: root(),
    AZURE_SUBSCRIPTION_ID: '01234567-89ab-cdef-0123-456789abcdef',
  }
  const clock = { now: () => Date.now(), date: () => new Date() }
  const values = { 'azure-subscription': env.AZURE_SUBSCRIPTION_ID, ...more }
  return open({ env, clock, values, signal: new AbortController().signal } as unknown as CloudContext)
}

const root = (): string => `http://127.0.0.1:${portOf(api)}`
const refused = (status: number, code: string): [number, object] => [status, { error: { code, message: 'no' } }]

function reply(call: string, body: string, url: URL): [number, object] {
  if ([NAME, TWIN].some((set) => set !== there && call.endsWith(`/${set}`))) return refused(404, 'ResourceNotFound')
  if (call.startsWith('GET Microsoft.Compute/virtualMachineScaleSets/')) return [200, { name: there, sku: { ...SKU, capacity } }]
  if (call.startsWith('PATCH Microsoft.Compute/virtualMachineScaleSets/')) {
    const { sku } = JSON.parse(body) as { sku: { capacity: number; name?: string } }
    if (sku.name === undefined) return refused(400, 'InvalidParameter')
    sizes.push(sku)
    capacity = sku.capacity
    return [200, {}]
  }
  if (call.endsWith('/retrieveBootDiagnosticsData')) return [200, { serialConsoleLogBlobUri: `${root()}/console` }]
  if (call === 'GET Microsoft.Compute/virtualMachines')
    return [
      200,
      {
        value: machines
          .filter(() => url.searchParams.get('$filter')?.includes(`/${there}'`))
          .map(({ name, state, statuses }) => ({
            name,
            properties: { provisioningState: state, ...(statuses.length > 0 && { instanceView: { statuses } }) },
          })),
      },
    ]
  if (call.startsWith('DELETE Microsoft.Compute/virtualMachines/'))
    return call.endsWith('locked') ? refused(403, 'AuthorizationFailed') : [202, {}]
  if (call.includes('/eventtypes/')) {
    if (log === 'no') return refused(500, 'InternalServerError')
    return [200, { value: log, nextLink: `${root()}${url.pathname}${url.search}&page=next` }]
  }
  if (call.startsWith('PATCH')) {
    const { profiles: written } = (JSON.parse(body) as { properties: { profiles: { name: string; capacity: Capacity }[] } }).properties
    kept = written.find(({ name }) => name === 'open')?.capacity
    meanwhile?.()
    meanwhile = undefined
  }
  const fixedDate = { timeZone: 'UTC', start: '2026-01-01T00:00:00Z', end: '2099-01-01T00:00:00Z' }
  const profiles = [...(kept ? [{ name: 'open', capacity: kept, rules: [], fixedDate }] : []), { name: 'over', capacity: NONE, rules: [] }]
  return [200, { properties: { enabled: true, targetResourceUri: '/the/set', profiles } }]
}

test('a new capacity is sent with the name and tier of its size', async () => {
  await cloud.start(TWO)
  expect(sizes).toEqual([{ ...SKU, capacity: 2 }])
  expect(kept).toEqual({ minimum: '2', maximum: '4', default: '2' })
})

test('a leaving machine may overwrite the end of its group with an older capacity: whoever waits for the end ends it again', async () => {
  await cloud.end(REF)
  expect(kept).toBeUndefined()
  kept = { minimum: '2', maximum: '4', default: '2' }
  expect(await cloud.observe(REF)).toMatchObject({ phase: 'stopped', wanted: 0 })
  expect(kept).toBeUndefined()
  // The end is final.
  await expect(cloud.start(TWO)).rejects.toThrow('has been ended')
  expect([kept, sizes.length]).toEqual([undefined, 1])
})

test('also if a machine writes at the same moment', async () => {
  meanwhile = () => {
    kept = { minimum: '2', maximum: '4', default: '2' }
  }
  await cloud.end(REF)
  expect(kept).toBeUndefined()
})

test('a second set is seen with its machines even if the first one is gone', async () => {
  there = TWIN
  machines = [{ name: `${TWIN}_0a1b2c3d`, state: 'Succeeded', statuses: [{ code: 'PowerState/running' }] }]
  const seen = { phase: 'up', wanted: 3, machines: [{ id: `${TWIN}_0a1b2c3d`, state: 'running' }] }
  expect(await cloud.observe(REF)).toMatchObject(seen)
  expect(await cloud.observe(REF)).toMatchObject(seen)
  there = ''
  expect(await cloud.observe(REF)).toMatchObject({ phase: 'absent' })
})

test('the leftovers of a run may be listed while its machines end if it has its own resource group, not in a user’s', async () => {
  expect(cloud.steadyLeftovers?.(REF)).toBe(true)
  expect((await opened({ 'resource-group': 'mine' })).steadyLeftovers?.(REF)).toBe(false)
})

describe('machines that occupy a place in vain are removed, each once', () => {
  const status = (code: string): Status => ({ code })
  const deletes = (): string[] => asked.filter((call) => call.startsWith('DELETE')).map((call) => call.replace(/^.*\//, ''))

  test('those that could not be made, and those that are off; none that works, starts or is ending', async () => {
    machines = [
      { name: 'no-room', state: 'Failed', statuses: [status('ProvisioningState/failed/AllocationFailed')] },
      { name: 'off', state: 'Succeeded', statuses: [status('ProvisioningState/succeeded'), status('PowerState/stopped')] },
      { name: 'released', state: 'Succeeded', statuses: [status('PowerState/deallocated')] },
      { name: 'works', state: 'Succeeded', statuses: [status('PowerState/running')] },
      { name: 'update-failed', state: 'Failed', statuses: [status('PowerState/running')] },
      { name: 'unknown', state: 'Failed', statuses: [] },
      { name: 'starts', state: 'Creating', statuses: [status('PowerState/starting')] },
      { name: 'stops', state: 'Succeeded', statuses: [status('PowerState/stopping')] },
      { name: 'goes', state: 'Deleting', statuses: [status('PowerState/stopped')] },
    ]
    const { events } = await cloud.observe(REF)
    expect(deletes().sort()).toEqual(['no-room', 'off', 'released'])
    expect(events.map(({ text: said }) => said)).toContain('machine off was found switched off: it is removed, and its place is free')
    await cloud.observe(REF)
    expect(deletes()).toHaveLength(3)
    machines = machines.filter(({ name }) => name !== 'off' && name !== 'works')
    const { events: later, machines: seen } = await cloud.observe(REF)
    expect(seen.find(({ id }) => id === 'off')).toMatchObject({ state: 'gone', reason: 'it was found switched off' })
    // A machine that no controller removed may have left by itself.
    expect(later.filter(({ text }) => /^machine (?:off|works): /.test(text)).map(({ kind }) => kind)).toEqual(['failure', 'info'])
  })

  test('without the right to remove them that is reported, and the group is seen all the same', async () => {
    machines = [{ name: 'locked', state: 'Succeeded', statuses: [status('PowerState/stopped')] }]
    const { events, machines: seen } = await cloud.observe(REF)
    expect(seen).toMatchObject([{ id: 'locked', state: 'leaving' }])
    expect(JSON.stringify(events)).toContain('could not remove machine locked')
  })
})

test('the end of a console is reported; one that its program has made too long is not called silent', async () => {
  expect(await cloud.whySilent?.(REF, 'm')).toBe('its console says nothing yet')
  said = `${'boot '.repeat(2000)}no disk`
  expect(await cloud.whySilent?.(REF, 'm')).toMatch(/^its console ends: .{0,4000}no disk$/)
  said = 'missing'
  expect(await cloud.whySilent?.(REF, 'm')).toBe('its console cannot be read yet')
  said = 'x'.repeat(5 << 20)
  expect(await cloud.whySilent?.(REF, 'm')).toBe('its console is too long to be read')
})

describe('the log of the vendor', () => {
  const since = async (): Promise<number> => {
    const seen: string[] = []
    const listen = ({ url }: { url?: string }): void => void seen.push(decodeURIComponent(url ?? ''))
    api.on('request', listen)
    await cloud.observe(REF)
    api.off('request', listen)
    const [, from = ''] =
      /eventTimestamp ge '([^']+)'/.exec(seen.find((url) => url.includes('eventtypes'))?.replaceAll('+', ' ') ?? '') ?? []
    return Date.parse(from)
  }

  test('is read from a quarter of an hour before its newest entry, and only a few pages of it', async () => {
    const newest = Date.now() - 60_000
    const first = await since()
    expect(Date.now() - first).toBeGreaterThan(3_500_000)
    log = [{ eventTimestamp: new Date(newest).toISOString() }, { eventTimestamp: new Date(newest - 1000).toISOString() }]
    await since()
    expect(await since()).toBe(newest - 15 * 60_000)
    const reads = asked.filter((call) => call.includes('eventtypes')).length
    expect(reads).toBe(15)
  })

  /** https://learn.microsoft.com/azure/azure-monitor/platform/activity-log-schema: an answer, as text. */
  test('gives the cause of a failure, which is in the details', async () => {
    const failed = {
      code: 'ResourceOperationFailure',
      message: "The resource operation completed with terminal provisioning state 'Failed'.",
    }
    const tell = async (error: object): Promise<unknown> => {
      const statusMessage = JSON.stringify({ status: 'Failed', error })
      const resourceId = `/the/autoscalesettings/${NAME}`
      log = [{ eventTimestamp: new Date().toISOString(), status: { value: 'Failed' }, resourceId, properties: { statusMessage } }]
      return (await (await opened()).observe(REF)).events
    }
    const details = [{ code: 'AllocationFailed', message: 'Allocation failed.' }]
    expect(await tell({ ...failed, details })).toMatchObject([
      { kind: 'capacity', text: expect.stringContaining('AllocationFailed: Allocation failed.') },
    ])
    expect(await tell(failed)).toMatchObject([{ kind: 'failure', text: expect.stringContaining('terminal provisioning state') }])
  })

  test('that cannot be read has no news', async () => {
    log = 'no'
    expect(await cloud.observe(REF)).toMatchObject({ wanted: 3 })
  })
})
