/**
 * What a machine does by itself: notices, identity, leaving. The metadata service answers like Azure's; the API as its reference says
 * (https://learn.microsoft.com/rest/api/monitor/autoscale-settings, https://learn.microsoft.com/rest/api/compute/virtual-machines).
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { answers, remove } from '../../../src/clouds/az/leave.ts'
import { side } from '../../../src/clouds/az/machine.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import type { Leaving, Notice, OpenSlots } from '../../../src/wire/machine-side.ts'
import { startAzureMetadata } from '../../boot/azure-metadata.ts'
import type { MetadataService } from '../../boot/metadata.ts'
import { until } from '../../lab/shell.ts'
import { hurryTimers } from '../../setup/hurried-timers.ts'
import { listening, portOf } from '../../setup/listening.ts'

jest.setTimeout(30_000)
// Pauses between two looks, or two tries, take a tenth of their time.
hurryTimers(10)

const NAME = 'tpi-set_0a1b2c3d'
const CLIENT = '66666666-7777-8888-9999-aaaaaaaaaaaa'
const SETTING = 'Microsoft.Insights/autoscalesettings/set'
const MACHINE = `Microsoft.Compute/virtualMachines/${NAME}`

interface Event {
  readonly EventId: string
  readonly EventType: string
  readonly Resources: readonly string[]
  readonly EventStatus: string
  readonly NotBefore: string | null
}

interface Capacity {
  readonly minimum: string
  readonly maximum: string
  readonly default: string
}

let metadata: MetadataService
let events: Event[]
let api: Server
let asked: string[]
/** Capacity of the first profile; `undefined`: there is no setting. */
let kept: Capacity | 'ended' | undefined
/** Changes with every write of the setting. */
let state: number
/** States of the machine that the service reports, one after the other; `404`: it is gone. */
let machine: (string | 404)[]
/** How calls about the autoscale setting fail: with a status, or without any answer. */
let stuck: number | 'hangs' | undefined
/** What the next calls get instead: a status, a much too long answer, or none although the call was carried out. */
let trouble: (number | 'lost' | 'endless')[]
/** Runs before the setting is written. */
let meanwhile: (() => void) | undefined
let etags: boolean
/** How many calls are refused for a missing right. */
let denied: number

beforeEach(async () => {
  events = []
  asked = []
  trouble = []
  stuck = undefined
  kept = { minimum: '3', maximum: '4', default: '3' }
  state = 1
  machine = [404]
  meanwhile = undefined
  etags = true
  denied = 0
  metadata = await startAzureMetadata({
    instance: () => ({ compute: { location: 'westeurope', vmSize: 'Standard_D2s_v5', priority: 'Spot', zone: '2' } }),
    events: () => events,
    started: (ids) => void asked.push(...ids.map((id) => `begin ${id}`)),
    token: (resource, client) => (client === CLIENT ? `lent-for-${resource}` : undefined),
  })
  api = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://x')
      const call = `${request.method} ${url.pathname.replace('/subscriptions/sub/resourceGroups/group/providers/', '')}`
      asked.push(url.searchParams.get('forceDeletion') === 'true' ? `${call} by force` : call)
      if (request.headers.authorization !== `Bearer lent-for-${root()}`) return response.writeHead(401).end()
      const version = call.includes('Insights') ? '2022-10-01' : '2025-04-01'
      if (url.searchParams.get('api-version') !== version) return refuse(response, 400, 'InvalidApiVersionParameter')
      if (call.endsWith(SETTING) && stuck === 'hangs') return undefined
      if (call.endsWith(SETTING) && stuck !== undefined) return refuse(response, Number(stuck), 'Stuck')
      const [wrong] = trouble.splice(0, 1)
      if (typeof wrong === 'number') return refuse(response, wrong, 'Trouble')
      if (wrong === 'endless') return response.writeHead(200).end(' '.repeat(5 << 20))
      if (denied > 0 && call.includes('Microsoft.')) {
        denied -= 1
        return refuse(response, 403, 'AuthorizationFailed')
      }
      const answer = reply(call, body, request.headers['if-match'])
      if (wrong === 'lost') return response.destroy()
      if (typeof answer === 'number') return answer === 202 ? response.writeHead(202).end() : refuse(response, answer, 'Refused')
      return response.writeHead(200, etags ? { etag: `"${state}"` } : {}).end(JSON.stringify(answer))
    })
  })
  await listening(api)
})
afterEach(async () => {
  api.closeAllConnections()
  api.close()
  await metadata.stop()
})

const root = (): string => `http://127.0.0.1:${portOf(api)}`
const refuse = (response: ServerResponse, status: number, code: string): unknown =>
  response.writeHead(status).end(JSON.stringify({ error: { code, message: 'no' } }))

/** `ended`: without the profile that holds while the group is open. */
const setting = (capacity: Capacity | 'ended'): object => ({
  id: 'x',
  location: 'westeurope',
  properties: {
    enabled: true,
    targetResourceUri: '/the/set',
    profiles: [
      ...(capacity === 'ended' ? [] : [{ name: 'open', capacity, rules: [], fixedDate: { timeZone: 'UTC', start: 'a', end: 'b' } }]),
      { name: 'over', capacity: { minimum: '0', maximum: '0', default: '0' }, rules: [] },
    ],
  },
})

function reply(call: string, body: string, ifMatch: string | undefined): object | number {
  if (call === `DELETE ${MACHINE}`) return 202
  if (call === `GET ${MACHINE}`) {
    const [now = 404] = machine.length > 1 ? machine.splice(0, 1) : machine
    return now === 404 ? 404 : { properties: { provisioningState: now } }
  }
  if (!call.endsWith(SETTING)) return 400
  if (!kept) return 404
  if (call.startsWith('PATCH')) {
    meanwhile?.()
    meanwhile = undefined
    if (ifMatch !== undefined && ifMatch !== `"${state}"`) return 412
    const { properties } = JSON.parse(body) as { properties: { profiles: { name: string; capacity: Capacity }[] } }
    const capacity = properties.profiles.find(({ name }) => name === 'open')?.capacity ?? 'ended'
    expect({ properties }).toMatchObject({ properties: (setting(capacity) as { properties: object }).properties })
    write(capacity)
  }
  return setting(kept)
}

function write(capacity: typeof kept): void {
  kept = capacity
  state += 1
}

const config = (more: Record<string, string> = {}): MachineConfig => ({
  v: 2,
  cloud: 'az',
  id: 'id',
  incarnation: 'inc',
  machine: NAME,
  address: '10.66.0.4',
  home: '/var/lib/tpi/machine',
  hardDeadline: '2099-01-01T00:00:00.000Z',
  store: { url: 'az://account/tpi' },
  credentials: 'machine',
  side: {
    subscription: 'sub',
    resourceGroup: 'group',
    group: 'set',
    clientId: CLIENT,
    endpoint: `${root()}/`,
    metadata: metadata.url,
    ...more,
  },
})

const event = (change: Partial<Event>): Event => ({
  EventId: 'e1',
  EventType: 'Preempt',
  Resources: [NAME],
  EventStatus: 'Scheduled',
  NotBefore: new Date(Date.now() + 30_000).toUTCString(),
  ...change,
})

describe('notices', () => {
  const looks = (): number => metadata.asked.filter((path) => path.includes('scheduledevents')).length
  /** The first notice about these events, or `undefined` if two more looks find none. */
  const heard = async (...happening: Event[]): Promise<Notice | undefined> => {
    const stop = new AbortController()
    const notices = side.notices(config(), stop.signal)[Symbol.asyncIterator]()
    const first = notices.next() as Promise<{ value: Notice }>
    await until('the service is asked', 10, async () => looks() > 0 || undefined)
    events = happening
    const [before, silent] = [looks(), new AbortController()]
    const quiet = until('two more looks', 10, async () => looks() >= before + 3 || silent.signal.aborted || undefined).then(() => undefined)
    const one = await Promise.race([first.then(({ value }) => value), quiet])
    silent.abort()
    stop.abort()
    await quiet
    await notices.return?.(undefined)
    return one
  }

  test('an eviction of this machine, with its time, of which a few seconds are certain; none for another machine', async () => {
    const own = event({ Resources: ['tpi-set_ffffffff', NAME.toUpperCase()] })
    const notice = { kind: 'reclaim', at: new Date(own.NotBefore ?? '').toISOString(), atMost: true, sure: 5 }
    expect(await heard(own)).toEqual(notice)
    expect(await side.endAsked?.(config())).toEqual(notice)
    expect(await heard(event({ EventId: 'e2', Resources: ['tpi-set_ffffffff'] }))).toBeUndefined()
    expect(await side.endAsked?.(config())).toBeUndefined()
  })

  test('the time of an eviction, also if the machine’s clock is behind', async () => {
    const [now, own] = [Date.now(), -600_000]
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + own)
    try {
      const { at = '' } = (await heard(event({ NotBefore: new Date(now + 30_000).toUTCString() }))) ?? {}
      expect(Math.abs(Date.parse(at) - (now + 30_000 + own))).toBeLessThan(5000)
    } finally {
      clock.mockRestore()
    }
  })

  test('one that has begun names no time: a few seconds', async () => {
    expect(await heard(event({ EventStatus: 'Started', NotBefore: '' }))).toEqual({ kind: 'reclaim', seconds: 5 })
    expect(await heard(event({ EventStatus: 'Started', NotBefore: null }))).toEqual({ kind: 'reclaim', seconds: 5 })
  })

  test('soon before an event that ends the machine or its memory; not for a short freeze, nor days ahead', async () => {
    const soon = new Date(Date.now() + 60_000).toUTCString()
    for (const EventType of ['Terminate', 'Redeploy', 'Reboot'])
      expect(await heard(event({ EventType, NotBefore: soon }))).toEqual({ kind: 'reclaim', at: new Date(soon).toISOString() })
    expect(await heard(event({ EventType: 'Freeze', NotBefore: soon }))).toBeUndefined()
    expect(await heard(event({ EventType: 'Redeploy', NotBefore: new Date(Date.now() + 86_400_000).toUTCString() }))).toBeUndefined()
  })
})

test('the credentials are of the given identity, with an expiry; the kind of machine', async () => {
  const { credentials, until: end } = (await side.storeCredentials?.(config())) ?? {}
  expect(credentials).toEqual({ token: 'lent-for-https://storage.azure.com' })
  expect(Date.parse(end ?? '') - Date.now()).toBeGreaterThan(80_000_000)
  await expect(side.storeCredentials?.(config({ clientId: 'another' }))).rejects.toThrow('Identity not found')
  expect(await side.about?.(config())).toBe('Standard_D2s_v5, spot, westeurope-2')
})

describe('leaving', () => {
  /** Like the real one, but without waiting a second between two looks. */
  const leave = async (how: MachineConfig, why: Leaving, slots?: OpenSlots): Promise<void> => remove(how, why, slots, { look: 20 })
  const open = (count: number | undefined) => async () => (count === undefined ? undefined : { open: count, holders: [], stopped: false })
  const [READ, WRITE] = [`GET ${SETTING}`, `PATCH ${SETTING}`]
  const LOOK = `GET ${MACHINE}`
  /** A single 404 proves nothing. */
  const OUT = [`DELETE ${MACHINE}`, LOOK, LOOK, LOOK]

  test('done: the minimum becomes the number of open slots, the maximum stays; repeated, it changes nothing', async () => {
    await leave(config(), 'done', open(2))
    expect(kept).toEqual({ minimum: '2', maximum: '4', default: '2' })
    expect(asked).toEqual([READ, WRITE, READ, ...OUT])
    asked.length = 0
    await leave(config(), 'done', open(2))
    expect(asked).toEqual([READ, ...OUT])
  })

  test('done: at a stop, siblings that still save keep their machines', async () => {
    await leave(config(), 'done', async () => ({ open: 2, holders: [], stopped: true }))
    expect(kept).toEqual({ minimum: '2', maximum: '4', default: '2' })
  })

  test('done: the last one ends the group', async () => {
    await leave(config(), 'done', open(0))
    expect(kept).toBe('ended')
  })

  test('done: a group that is ended or gone is not revived; without an answer from the store the size stays', async () => {
    kept = 'ended'
    await leave(config(), 'done', open(2))
    kept = undefined
    await leave(config(), 'done', open(2))
    kept = { minimum: '3', maximum: '4', default: '3' }
    await leave(config(), 'done', open(undefined))
    expect(asked.filter((call) => call.startsWith('PATCH'))).toEqual([])
    expect(asked.filter((call) => call.startsWith('DELETE'))).toHaveLength(3)
    expect(kept).toMatchObject({ minimum: '3' })
  })

  test('done: an end of the group at the same moment wins, if the state has an ETag', async () => {
    meanwhile = () => write('ended')
    await leave(config(), 'done', open(2))
    expect(kept).toBe('ended')
  })

  test('done: after a sibling’s write meanwhile, the slots are counted again', async () => {
    etags = false
    let count = 2
    meanwhile = () => {
      count = 1
      write({ minimum: '1', maximum: '4', default: '1' })
    }
    await leave(config(), 'done', async () => ({ open: count, holders: [], stopped: false }))
    expect(kept).toEqual({ minimum: '1', maximum: '4', default: '1' })
  })

  test('four that leave at once: in any order, the minimum ends as the number of open slots', async () => {
    etags = false
    for (let round = 0; round < 6; round++) {
      kept = { minimum: '6', maximum: '6', default: '6' }
      let left = 6
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          await sleep(Math.random() * 20)
          left -= 1
          await leave(config(), 'done', async () => ({ open: left, holders: [], stopped: false }))
        }),
      )
      expect(kept).toEqual({ minimum: '2', maximum: '6', default: '2' })
    }
  }, 120_000)

  test('replace: the size stays', async () => {
    expect(side.leave).toBe(remove)
    await leave(config(), 'replace', open(2))
    expect(asked).toEqual(OUT)
  })

  test('lost answers, throttling, rights that are not known yet and other operations: it waits', async () => {
    trouble = ['lost', 429, 409, 403]
    machine = ['Deleting', 404]
    await leave(config(), 'replace')
    expect(asked.filter((call) => call.startsWith('DELETE'))).toHaveLength(5)
  })

  test('an answer that is too long counts as none: the call is repeated, and reported if it stays so', async () => {
    trouble = ['endless']
    await leave(config(), 'done', open(2))
    expect(kept).toEqual({ minimum: '2', maximum: '4', default: '2' })
    trouble = Array.from({ length: 100 }, () => 'endless' as const)
    await expect(answers(config(), 500)).rejects.toThrow('could not leave its group: 200 with an answer of more than 4194304 bytes')
    trouble = []
  })

  test('a removal that had no effect is repeated with force: the first one has removed the network card', async () => {
    machine = ['Deleting', 'Succeeded', 404]
    await leave(config(), 'replace')
    expect(asked).toEqual([`DELETE ${MACHINE}`, LOOK, LOOK, `DELETE ${MACHINE} by force`, LOOK, LOOK, LOOK])
  })

  test('a running machine does not believe even two answers that it is gone: it goes on leaving', async () => {
    machine = [404, 404, 'Succeeded', 404, 404, 404]
    await leave(config(), 'replace')
    expect(asked.filter((call) => call.startsWith('DELETE'))).toEqual([`DELETE ${MACHINE}`, `DELETE ${MACHINE} by force`])
    trouble = [404]
    machine = ['Succeeded', 404]
    asked.length = 0
    await leave(config(), 'replace')
    expect(asked.filter((call) => call.startsWith('DELETE'))).toHaveLength(2)
  })

  test('a setting that cannot be changed is reported, and does not keep the machine', async () => {
    trouble = [400]
    await expect(leave(config(), 'done', open(2))).rejects.toThrow('could not leave the group: 400 Trouble: no')
    expect(asked).toEqual([READ, ...OUT])
  })

  test.each([403, 409, 503, 'hangs'] as const)(
    'a setting that is refused again and again, or not answered, takes a part of the time: the machine is removed (%s)',
    async (how) => {
      stuck = how
      const { timeout } = AbortSignal
      const brief = jest.spyOn(AbortSignal, 'timeout').mockImplementation((limit) => timeout.call(AbortSignal, Math.min(limit, 500)))
      const begun = performance.now()
      try {
        const leaving = remove(config(), 'done', open(2), { look: 20, lowering: 1500 })
        await expect(leaving).rejects.toThrow(how === 'hangs' ? 'could not leave the group: ' : `could not leave the group: ${how} Stuck`)
      } finally {
        brief.mockRestore()
      }
      expect(performance.now() - begun).toBeLessThan(30_000)
      expect(asked.filter((call) => call !== READ)).toEqual(OUT)
      expect(asked.filter((call) => call === READ).length).toBeGreaterThan(1)
    },
  )

  test('approves an event of its own; not one that others share, nor one that has begun', async () => {
    events = [event({}), event({ EventId: 'e2', Resources: [NAME, 'tpi-set_ffffffff'] }), event({ EventId: 'e3', EventStatus: 'Started' })]
    await leave(config(), 'replace')
    // A machine that the vendor takes before the machine has asked for its removal counts as evicted, not as removed.
    expect(asked).toEqual([`DELETE ${MACHINE}`, 'begin e1', LOOK, LOOK, LOOK])
  })

  test('an event is not approved while the removal is refused: the machine must be removed, not evicted', async () => {
    events = [event({})]
    trouble = [400]
    await expect(leave(config(), 'replace')).rejects.toThrow('could not leave the group: 400 Trouble: no')
    expect(asked).toEqual([`DELETE ${MACHINE}`])
  })

  test('checks in advance that it could', async () => {
    await side.mayLeave?.(config())
    expect(asked.filter((call) => !call.endsWith(' /'))).toEqual(expect.arrayContaining([READ, LOOK]))
    await expect(side.mayLeave?.(config({ endpoint: 'http://127.0.0.1:1/' }))).rejects.toThrow('NAT gateway')
  })

  test('waits for rights that are not known yet; missing ones are named before any work begins', async () => {
    denied = 2
    await answers(config(), 20_000)
    expect(denied).toBe(0)
    denied = 1000
    await expect(answers(config(), 1000)).rejects.toThrow(
      /could not leave its group: 403 AuthorizationFailed: no \(it may not do Microsoft.(Compute\/virtualMachines|Insights\/autoscalesettings)\/read; see: tpi permissions az\)/,
    )
    kept = undefined
    denied = 0
    await answers(config(), 1000)
  })

  test('done: after a stop between its read and its write, a sibling that still saves keeps its machine', async () => {
    let stopped = false
    meanwhile = () => {
      stopped = true
      write({ minimum: '3', maximum: '4', default: '3' })
    }
    await leave(config(), 'done', async () => ({ open: 1, holders: ['sibling'], stopped }))
    expect(kept).toEqual({ minimum: '1', maximum: '4', default: '1' })
  })

  test('done: a stop between its read and its write wins, also without ETags', async () => {
    etags = false
    let stopped = false
    meanwhile = () => {
      stopped = true
      write('ended')
    }
    await leave(config(), 'done', async () => ({ open: 2, holders: [], stopped }))
    expect(kept).toBe('ended')
  })
})
