/**
 * What an instance does by itself: notices, identity, leaving. The metadata service waits for changes like Google's; the API answers as its reference
 * says (https://docs.cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers).
 */
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { reclaimOf } from '../../../src/agent/slot/notices.ts'
import { side } from '../../../src/clouds/gcp/machine.ts'
import { bootNow } from '../../../src/lib/clock.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import type { Notice, OpenWork } from '../../../src/wire/machine-side.ts'
import { startGceMetadata } from '../../boot/gce-metadata.ts'
import type { MetadataService } from '../../boot/metadata.ts'
import { hurryTimers } from '../../setup/hurried-timers.ts'
import { listening, portOf } from '../../setup/listening.ts'
import { until } from '../../setup/wait.ts'

// Pauses between two looks, or two tries, take a tenth of their time.
hurryTimers(10)

let metadata: MetadataService
let leaves: Map<string, string>
let api: Server
let size: number
let there: boolean
let asked: string[]
/** The last change of the autoscaler. */
let policy: {
  readonly mode?: string
  readonly scalingSchedules?: Record<string, { readonly schedule: string; readonly disabled: boolean }>
}
/** What the next calls get instead: a status, or no usable answer; `none`: the call succeeds. */
let trouble: (number | 'lost' | 'endless' | 'none')[]
/** The errors of the next operations, whose calls are accepted and change nothing. */
let failures: string[]
/** The size that the group gets while the machine is being deleted. */
let meanwhile: number | undefined
/** Milliseconds by which the clock of the API is ahead of this one. */
let ahead: number
const requests = new Set<string>()

beforeEach(async () => {
  leaves = new Map([
    ['instance/id', '4711'],
    ['instance/name', 'vm-1'],
    ['instance/zone', 'projects/1/zones/us-central1-b'],
    ['instance/preempted', 'FALSE'],
    ['instance/maintenance-event', 'NONE'],
    ['instance/service-accounts/default/token', JSON.stringify({ access_token: 'ya29.m', expires_in: 3599, token_type: 'Bearer' })],
  ])
  metadata = await startGceMetadata(() => leaves)
  asked = []
  trouble = []
  failures = []
  meanwhile = undefined
  ahead = 0
  requests.clear()
  size = 3
  there = true
  api = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://x')
      const call = `${request.method} ${url.pathname.replace('/compute/v1/projects/lab/regions/us-central1/', '')}`
      asked.push(`${call}${url.searchParams.has('size') ? ` ${url.searchParams.get('size')}` : ''}`)
      if (request.headers.authorization !== 'Bearer ya29.m') return response.writeHead(401).end()
      response.setHeader('date', new Date(Date.now() + ahead).toUTCString())
      const [wrong] = trouble.splice(0, 1)
      if (typeof wrong === 'number') return response.writeHead(wrong).end('{"error":{"code":1,"message":"no"}}')
      if (wrong === 'endless') return response.end('x'.repeat(5 << 20))
      const id = url.searchParams.get('requestId') ?? ''
      const again = id !== '' && requests.has(id)
      requests.add(id)
      const [failure] = request.method === 'GET' || call.endsWith('/wait') || again ? [] : failures.splice(0, 1)
      if (failure !== undefined) {
        const error = { errors: [{ code: failure, message: 'try later' }] }
        return response.end(JSON.stringify({ name: 'op', status: 'DONE', error }))
      }
      if (call.endsWith('/deleteInstances') && !again) {
        expect(JSON.parse(body)).toEqual({ instances: ['zones/us-central1-b/instances/vm-1'], skipInstancesOnValidationError: true })
        if (there) size = meanwhile ?? Math.max(0, size - 1)
        there = false
      }
      if (request.method === 'PATCH') policy = (JSON.parse(body) as { autoscalingPolicy: typeof policy }).autoscalingPolicy
      if (call.endsWith('/resize') && !again) size = Number(url.searchParams.get('size'))
      if (wrong === 'lost') return response.destroy()
      const state = call.endsWith('/wait') ? 'DONE' : 'RUNNING'
      return response.end(JSON.stringify(request.method === 'GET' ? { targetSize: size } : { name: 'op', status: state }))
    })
  })
  await listening(api)
})
afterEach(async () => {
  api.closeAllConnections()
  api.close()
  await metadata.stop()
})

const config = (more: Record<string, string> = {}): MachineConfig => ({
  v: 2,
  cloud: 'gcp',
  id: 'id',
  incarnation: 'inc',
  machine: '4711',
  address: '10.0.0.2',
  home: '/var/lib/tpi/machine',
  hardDeadline: '2099-01-01T00:00:00.000Z',
  store: { url: 'gs://bucket' },
  credentials: 'machine',
  side: {
    project: 'lab',
    region: 'us-central1',
    group: 'g',
    endpoint: `http://127.0.0.1:${portOf(api)}/compute/v1/`,
    metadata: metadata.url,
    ...more,
  },
})

describe('notices', () => {
  const heard = async (change: () => void, more: Record<string, string> = {}): Promise<Notice> => {
    const stop = new AbortController()
    const notices = side.notices(config(more), stop.signal)[Symbol.asyncIterator]()
    const waiting = (): number => metadata.asked.filter((path) => path.includes('wait_for_change')).length
    const before = waiting()
    const first = notices.next()
    await until('it waits for each of its leaves', () => waiting() - before >= 3)
    change()
    const { value } = (await first) as { value: Notice }
    stop.abort()
    await notices.return?.(undefined)
    return value
  }

  test('a preemption, as soon as the service says so, with the seconds that the template asked for', async () => {
    expect(await heard(() => leaves.set('instance/preempted', 'TRUE'))).toEqual({ kind: 'reclaim', seconds: 30 })
    leaves.set('instance/preempted', 'FALSE')
    expect(await heard(() => leaves.set('instance/preempted', 'TRUE'), { notice: '120' })).toEqual({ kind: 'reclaim', seconds: 120 })
    expect(await side.endAsked?.(config())).toEqual({ kind: 'reclaim', seconds: 30 })
  })

  test('maintenance that ends the machine, not one that moves it: at most an hour of notice, of which a minute is sure', async () => {
    const change = (): void => {
      leaves.set('instance/maintenance-event', 'MIGRATE_ON_HOST_MAINTENANCE')
      void sleep(300).then(() => leaves.set('instance/maintenance-event', 'TERMINATE_ON_HOST_MAINTENANCE'))
    }
    expect(await side.endAsked?.(config())).toBeUndefined()
    const notice = await heard(change)
    expect(notice).toEqual({ kind: 'reclaim', seconds: 3600, atMost: true, sure: 60 })
    const before = bootNow()
    const { due = 0, sureUntil = 0, ...said } = reclaimOf(notice) as { readonly due?: number; readonly sureUntil?: number }
    expect(said).toMatchObject({ reason: 'machine reclaimed, with at most 3600 s of notice' })
    expect((due - before) / 1000).toBeCloseTo(3600, 0)
    expect((sureUntil - before) / 1000).toBeCloseTo(60, 0)
    expect(await side.endAsked?.(config())).toEqual({ kind: 'reclaim', seconds: 30 })
  })
})

test('its credentials are those of the service account, with an expiry', async () => {
  const { credentials, until } = (await side.storeCredentials?.(config())) ?? {}
  expect(credentials).toEqual({ token: 'ya29.m' })
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(3_500_000)
  leaves.delete('instance/service-accounts/default/token')
  await expect(side.storeCredentials?.(config())).rejects.toThrow('no service account')
})

test('what kind of machine it is', async () => {
  leaves.set('instance/machine-type', 'projects/1/machineTypes/n2-standard-2')
  leaves.set('instance/scheduling/preemptible', 'TRUE')
  expect(await side.about?.(config())).toBe('n2-standard-2, spot, us-central1-b')
  leaves.set('instance/scheduling/preemptible', 'FALSE')
  expect(await side.about?.(config())).toBe('n2-standard-2, on-demand, us-central1-b')
})

const open = (count: number | undefined) => async () => (count === undefined ? undefined : { open: count, holders: [], stopped: false })
const DELETE = ['POST instanceGroupManagers/g/deleteInstances', 'POST operations/op/wait']

describe('leaving', () => {
  test('done: the size shrinks with it, also if the call is repeated after a lost answer', async () => {
    trouble = ['lost']
    await side.leave(config(), 'done', open(2))
    expect(size).toBe(2)
    await side.leave(config(), 'done', open(2))
    expect(size).toBe(2)
    expect(asked.slice(-2)).toEqual(DELETE)
  })

  test('replace: first a place for its replacement; in the end, the size is the number of open slots, and is never lowered', async () => {
    await side.leave(config(), 'replace', open(3))
    expect(asked).toEqual([
      'GET instanceGroupManagers/g',
      'POST instanceGroupManagers/g/resize 4',
      'POST operations/op/wait',
      ...DELETE,
      'GET instanceGroupManagers/g',
    ])
    expect(size).toBe(3)
    there = true
    meanwhile = 4
    await side.leave(config(), 'replace', open(3))
    expect(size).toBe(4)
  })

  test('replace: repeated, it makes room for one machine too many, which will find no slot', async () => {
    const missed = async (): Promise<OpenWork> => ({ open: 3, holders: ['b', 'c'], stopped: false })
    for (let time = 0; time < 3; time++) await side.leave(config(), 'replace', missed)
    expect(size).toBe(4)
  })

  test('replace: without an answer from the store the size stays', async () => {
    await side.leave(config(), 'replace', open(undefined))
    expect(size).toBe(3)
  })

  test('replace: a group that was ended before, or is ended at the same time, stays ended', async () => {
    size = 0
    await side.leave(config(), 'replace', open(3))
    expect(size).toBe(0)
    size = 3
    there = true
    meanwhile = 0
    await side.leave(config(), 'replace', async () => ({ open: 3, holders: [], stopped: true }))
    expect(size).toBe(0)
    size = 3
    there = true
    await side.leave(config(), 'replace', open(undefined))
    expect(size).toBe(0)
  })

  test('replace: if a sibling has just made a place for its replacement, there is another one for this machine’s', async () => {
    size = 4
    await side.leave(config(), 'replace', async () => ({ open: 3, holders: ['c'], stopped: false }))
    expect(asked[1]).toBe('POST instanceGroupManagers/g/resize 5')
  })

  test('replace: what was added before a stop is taken back, but not the machine of a sibling that saves', async () => {
    size = 3
    const looks = [false, true].map((stopped) => ({ open: 3, holders: ['b', 'c'], stopped }))
    meanwhile = 1
    await side.leave(config(), 'replace', async () => looks.shift())
    expect(size).toBe(2)
  })

  test('replace: if all leave at the same moment, the group still gets its size', async () => {
    meanwhile = 0
    await side.leave(config(), 'replace', open(3))
    expect(size).toBe(3)
  })

  test('replace: if it is switched off in between, its replacement still has a place', async () => {
    // The calls until it is gone are those that read and set the size, and wait for that.
    trouble = ['none', 'none', 'none', 400]
    await expect(side.leave(config(), 'replace', open(3))).rejects.toThrow('could not leave the group')
    expect([asked.at(-1), size]).toEqual([DELETE[0], 4])
  })

  test.each([
    ['alone in its group', 1],
    ['one of three', 3],
  ])('replace: %s, with a stop right before it sets the size: the size goes back', async (_, count) => {
    size = count
    const holders = ['b', 'c'].slice(0, count - 1)
    const left = [false, true].map((stopped) => ({ open: count, holders, stopped }))
    // The stop is on record, and the group's size set to 0, after the machine has counted the open slots.
    await side.leave(config(), 'replace', async () => left.shift())
    // Back to the size that it found: siblings that save all through their grace keep their machines.
    expect(asked.slice(-2)).toEqual([`POST instanceGroupManagers/g/resize ${count - 1}`, 'POST operations/op/wait'])
    expect(size).toBe(count - 1)
  })

  test('a missing group counts as left; a refusal is reported; it waits during trouble and for rights that are not known yet', async () => {
    trouble = [404]
    await side.leave(config(), 'done')
    trouble = [503, 403, 429]
    await side.leave(config(), 'done')
    expect(size).toBe(2)
    trouble = [400]
    await expect(side.leave(config(), 'done')).rejects.toThrow('could not leave the group: 400 no')
  })

  /** https://cloud.google.com/compute/docs/api/how-tos/api-requests-responses : an operation that is DONE may have failed. */
  test('a call that is accepted and fails is made again, by another request, if what is in its way passes; else it is reported', async () => {
    failures = ['RESOURCE_OPERATION_RATE_EXCEEDED', 'RESOURCE_NOT_READY']
    await side.leave(config(), 'done')
    expect([size, asked]).toEqual([2, [DELETE[0], DELETE[0], ...DELETE]])
    failures = ['PERMISSIONS_ERROR']
    await expect(side.leave(config(), 'done')).rejects.toThrow('could not leave the group: PERMISSIONS_ERROR: try later')
    expect(size).toBe(2)
  })

  test('replace: if the change of size fails for a moment, the group still gets its size', async () => {
    await side.leave(config(), 'replace', async () => {
      failures = ['RESOURCE_OPERATION_RATE_EXCEEDED']
      return { open: 3, holders: [], stopped: false }
    })
    expect(size).toBe(3)
  })

  test('an endless answer counts as none: the call is repeated', async () => {
    trouble = ['endless', 'endless']
    await side.leave(config(), 'done')
    expect(size).toBe(2)
    expect(asked).toEqual([DELETE[0], DELETE[0], ...DELETE])
  })

  test('checks in advance that it could', async () => {
    await side.mayLeave?.(config())
    await expect(side.mayLeave?.(config({ endpoint: 'http://127.0.0.1:1/' }))).rejects.toThrow('Cloud NAT')
  })
})

describe('with a twin at full price', () => {
  const PAIR = { twin: 'g-on-demand', count: '3', wait: '600' }
  const paired = (end = '2099-01-01T00:00:00.000Z'): MachineConfig => ({ ...config(PAIR), hardDeadline: end })
  const ofTwin = (): MachineConfig => config({ ...PAIR, group: 'g-on-demand', first: 'g' })
  /** Calls, without those that wait for an operation. */
  const called = (): readonly string[] => asked.filter((call) => !call.endsWith('/wait'))
  /** Reads Google's time, and then makes a change at a time computed from it. */
  const CHANGE = ['GET instanceGroupManagers/g-on-demand', 'PATCH autoscalers']
  /** Milliseconds until the twin's machines start. */
  const startsAfter = (): number => {
    const [{ schedule } = { schedule: '' }] = Object.values(policy.scalingSchedules ?? {})
    const [minute, hour, day, month, , year] = schedule.split(' ').map(Number)
    return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute) - Date.now() - ahead
  }
  const disabled = (): boolean | undefined => Object.values(policy.scalingSchedules ?? {})[0]?.disabled
  const END = ['DELETE autoscalers/g-on-demand', 'POST instanceGroupManagers/g-on-demand/resize 0', 'POST instanceGroupManagers/g/resize 0']

  test('a machine puts it off to the minute after the wait; without a twin it has no standby', async () => {
    await side.standby?.(paired())?.hold()
    expect([called(), policy.mode]).toEqual([CHANGE, 'ONLY_SCALE_OUT'])
    expect([disabled(), startsAfter() > 590_000, startsAfter() <= 660_000]).toEqual([false, true, true])
    expect(side.standby?.(config())).toBeUndefined()
    await side.standby?.(paired(new Date(Date.now() + 12 * 60_000).toISOString()))?.hold()
    expect(disabled()).toBe(true)
  })

  test.each([20, -20])('with the time of Google, if its own clock is %s minutes behind', async (minutes) => {
    ahead = minutes * 60_000
    await side.standby?.(paired())?.hold()
    expect([startsAfter() > 590_000, startsAfter() <= 662_000]).toEqual([true, true])
    expect(await side.standby?.(paired())?.rouse()).toBe(true)
    expect([startsAfter() > 5_000, startsAfter() <= 80_000]).toEqual([true, true])
  })

  test('an ended twin is neither put off nor started, and a refusal is reported', async () => {
    trouble = [404]
    await side.standby?.(paired())?.hold()
    expect(called()).toEqual(CHANGE.slice(0, 1))
    trouble = [404]
    await expect(side.standby?.(paired())?.rouse()).rejects.toThrow('could not start on-demand machines: the group has been ended')
    expect(size).toBe(3)
    trouble = [400]
    await expect(side.standby?.(paired())?.hold()).rejects.toThrow('could not put off the on-demand machines: 400 no')
  })

  const SIZE = 'POST instanceGroupManagers/g-on-demand/resize 3'

  test('a spot machine starts it at once, and leaves its schedule on; a machine of the twin does not start it', async () => {
    size = 0
    expect([await side.standby?.(paired())?.isOne(), await side.standby?.(paired())?.rouse()]).toEqual([false, true])
    expect([called(), size]).toEqual([[...CHANGE, SIZE], 3])
    expect([await side.standby?.(ofTwin())?.isOne(), await side.standby?.(ofTwin())?.rouse()]).toEqual([true, false])
    expect(called()).toHaveLength(3)
  })

  test('if a machine dies in between, the twin starts at the next minute; one that may not set the size is replaced', async () => {
    trouble = ['none', 'none', 'none', 400]
    await expect(side.standby?.(paired())?.rouse()).rejects.toThrow('could not start on-demand machines: 400 no')
    expect([called(), policy.mode, disabled()]).toEqual([[...CHANGE, SIZE], 'ONLY_SCALE_OUT', false])
    expect([startsAfter() > 5_000, startsAfter() <= 76_000]).toEqual([true, true])
  })

  test('nor if the deadline is too near: the machine is replaced', async () => {
    const late = paired(new Date(Date.now() + 5 * 60_000).toISOString())
    expect(await side.standby?.(late)?.rouse()).toBe(false)
    expect(called()).toEqual(CHANGE.slice(0, 1))
  })

  test('the last slot ends both groups, from a machine of either: what would start the second one is removed first', async () => {
    for (const machine of [paired(), ofTwin()]) {
      asked = []
      await side.leave(machine, 'done', open(0))
      expect([called()[0], called().slice(0, 3).toSorted()]).toEqual([END[0], END])
      expect(called()[3]).toBe(`POST instanceGroupManagers/${machine.side?.['group']}/deleteInstances`)
    }
  })

  test('an earlier machine removes only itself; a machine of the twin is not replaced', async () => {
    await side.leave(paired(), 'done', async () => ({ open: 1, holders: [], stopped: true }))
    expect(asked).toEqual(DELETE)
    asked = []
    await side.leave(ofTwin(), 'done', open(1))
    expect(called()).toEqual([...CHANGE, 'POST instanceGroupManagers/g-on-demand/deleteInstances'])
  })

  test('replace: its group does not grow, since machines of the other group hold the other open slots', async () => {
    size = 1
    await side.leave(paired(), 'replace', open(3))
    expect([called().filter((call) => call.includes('resize')), size]).toEqual([['POST instanceGroupManagers/g/resize 2'], 1])
  })
})
