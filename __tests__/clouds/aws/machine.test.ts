import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { side } from '../../../src/clouds/aws/machine.ts'
import { sha256 } from '../../../src/lib/sha256.ts'
import { sign } from '../../../src/vendors/aws/sigv4.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import type { Notice } from '../../../src/wire/machine-side.ts'
import { type MetadataService, startMetadata } from '../../boot/metadata.ts'
import { hurryTimers } from '../../setup/hurried-timers.ts'
import { closed, listening, portOf } from '../../setup/listening.ts'
import { until } from '../../setup/wait.ts'

// Pauses between two looks, or two tries, take a tenth of their time.
hurryTimers(10)

const KEYS = { AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'secret/key', Token: 'token', Expiration: '2026-11-24T00:00:00Z' }
let metadata: MetadataService
let there: Record<string, string | undefined>
let api: { readonly url: string; readonly asked: URLSearchParams[]; readonly signedAt: string[]; stop(): Promise<void> }
/** Milliseconds by which the clock of the API is ahead of this one. */
let ahead = 0
let answers: (readonly [status: number, body: string, headers?: Readonly<Record<string, string>>] | 'cut')[]

beforeEach(async () => {
  there = {
    'meta-data/iam/security-credentials/': 'tpi-role',
    'meta-data/iam/security-credentials/tpi-role': JSON.stringify({ Code: 'Success', Type: 'AWS-HMAC', ...KEYS }),
  }
  answers = []
  metadata = await startMetadata((path) => there[path])
  api = await startApi()
})
afterEach(async () => Promise.all([metadata.stop(), api.stop()]))

/**
 * The Query API of Auto Scaling, as far as an instance uses it: POST of a form, signed for its region; errors are XML with a code and a message.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/CommonErrors.html
 */
async function startApi(): Promise<typeof api> {
  const asked: URLSearchParams[] = []
  const signedAt: string[] = []
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      const date = new Date(Date.now() + ahead).toUTCString()
      const reply = (status: number, text = '', headers = {}): void => void response.writeHead(status, { date, ...headers }).end(text)
      if (request.method === 'GET') return reply(302, '', { location: 'http://aws.amazon.com/autoscaling' })
      asked.push(new URLSearchParams(body.toString()))
      signedAt.push(String(request.headers['x-amz-date']))
      if (!isSigned(request, body)) return reply(403, fault('SignatureDoesNotMatch', ''))
      const answer = answers.shift() ?? ([200, '<TerminateInstanceInAutoScalingGroupResponse/>'] as const)
      return answer === 'cut' ? void request.socket.destroy() : reply(...answer)
    })
  })
  await listening(server)
  const stop = async (): Promise<void> => {
    await closed(server)
  }
  return { url: `http://127.0.0.1:${portOf(server)}/`, asked, signedAt, stop }
}

function isSigned({ headers }: http.IncomingMessage, body: Buffer): boolean {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const request = { method: 'POST', host: headers.host ?? '', path: '/', query: {}, headers: signed, bodyHash: sha256(body) }
  const stamp = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const keys = { accessKeyId: KEYS.AccessKeyId, secretAccessKey: KEYS.SecretAccessKey, sessionToken: KEYS.Token }
  const scope = { region: 'eu-west-1', service: 'autoscaling', date: new Date(stamp) }
  return sign(request, keys, scope)['authorization'] === headers.authorization && names.includes('x-amz-security-token')
}

const fault = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`

const config = (): MachineConfig => ({
  v: 2,
  cloud: 'aws',
  id: 'id',
  incarnation: 'inc',
  machine: 'i-0123456789abcdef0',
  home: '/nowhere',
  side: { group: 'tpi-id-inc', region: 'eu-west-1', endpoint: api.url, metadata: metadata.url },
  hardDeadline: '2026-11-25T00:00:00Z',
  store: { url: 's3://bucket' },
  credentials: 'machine',
})

describe('an instance leaves its group', () => {
  test.each([
    ['done', 'true'],
    ['replace', 'false'],
  ] as const)('%s: its size shrinks: %s', async (why, decrement) => {
    await side.leave(config(), why)
    const wanted = { Action: 'TerminateInstanceInAutoScalingGroup', Version: '2011-01-01', InstanceId: 'i-0123456789abcdef0' }
    expect(Object.fromEntries(api.asked[0] ?? [])).toEqual({ ...wanted, ShouldDecrementDesiredCapacity: decrement })
  })

  test('and tries again after throttling, an activity under way, a broken connection and a failure of the service', async () => {
    answers = [
      [400, fault('Throttling', 'Rate exceeded')],
      [400, fault('ScalingActivityInProgress', 'Activity … is in progress.')],
      'cut',
      [503, 'Service Unavailable'],
    ]
    await side.leave(config(), 'done')
    expect(api.asked).toHaveLength(5)
  })

  test('with the time of the API, if its own clock is wrong', async () => {
    const date = new Date(Date.now() + 3_600_000)
    const late = 'Signature expired: 20170606T095435Z is now earlier than 20170606T101920Z (20170606T102420Z - 5 min.)'
    answers = [[403, fault('SignatureDoesNotMatch', late), { date: date.toUTCString() }]]
    await side.leave(config(), 'done')
    const stamp = date.toISOString().replace(/[-:]/g, '').slice(0, 11)
    expect(api.signedAt.map((one) => one.startsWith(stamp))).toEqual([false, true])
  })

  test.each([
    ['is not in any group any more', 'Instance Id not found - No managed instance found for instance ID i-0123456789abcdef0'],
    [
      'is in one that wants none already',
      'Currently, desiredSize equals minSize (0). Terminating instance without replacement will violate group’s min size constraint.',
    ],
  ])('which it %s', async (_, message) => {
    answers = [[400, fault('ValidationError', message)]]
    await side.leave(config(), 'done')
    expect(api.asked).toHaveLength(1)
  })

  test('or reports why the service refuses', async () => {
    answers = [[400, fault('ValidationError', '1 validation error detected')]]
    await expect(side.leave(config(), 'done')).rejects.toThrow(
      'could not leave the group: 400 ValidationError: 1 validation error detected',
    )
  })

  test('and checks in advance whether it could', async () => {
    await side.mayLeave?.(config())
    await api.stop()
    const out = side.mayLeave?.(config())
    await expect(out).rejects.toThrow(
      /^the Auto Scaling API at 127\.0\.0\.1:\d+ cannot be reached \(.+\): a subnet without a way out needs/,
    )
    api = await startApi()
  })
})

describe('with a twin at full price, an instance', () => {
  const paired = (end = '2099-01-01T00:00:00Z'): MachineConfig => ({
    ...config(),
    side: { ...config().side, twin: 'tpi-id-inc-on-demand', count: '3', wait: '600' },
    hardDeadline: end,
  })
  const said = (at: number): object => Object.fromEntries(api.asked[at] ?? [])
  const soon = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

  test('puts it off by the given wait, with an action that changes nothing but the desired capacity', async () => {
    const before = Date.now()
    const standby = side.standby?.(paired())
    await standby?.hold()
    const { StartTime = '', ...rest } = said(0) as { StartTime?: string }
    expect(rest).toEqual({
      Action: 'PutScheduledUpdateGroupAction',
      Version: '2011-01-01',
      AutoScalingGroupName: 'tpi-id-inc-on-demand',
      ScheduledActionName: 'tpi-standby',
      DesiredCapacity: '3',
    })
    expect(standby?.wait).toBe(600_000)
    expect(Date.parse(StartTime)).toBeGreaterThanOrEqual(before + 600_000)
    expect(Date.parse(StartTime)).toBeLessThanOrEqual(Date.now() + 600_000)
  })

  test.each([20, -20])('with the time of AWS, if its own clock is %s minutes behind', async (minutes) => {
    ahead = minutes * 60_000
    await side.mayLeave?.(paired())
    await side.standby?.(paired())?.hold()
    const { StartTime } = said(0) as { StartTime: string }
    const off = Date.parse(StartTime) - Date.now() - ahead - 600_000
    ahead = 0
    await side.mayLeave?.(paired())
    expect(Math.abs(off)).toBeLessThan(5_000)
  })

  test.each([14.5, 10, 10.5, 5])('does not let it start shortly before the deadline, in %s minutes', async (minutes) => {
    const end = soon(minutes)
    await side.standby?.(paired(end))?.hold()
    expect(Date.parse((said(0) as { StartTime: string }).StartTime)).toBeGreaterThanOrEqual(Date.parse(end) + 300_000)
  })

  test('lets it start if some minutes remain before the deadline', async () => {
    const end = soon(16)
    await side.standby?.(paired(end))?.hold()
    expect(Date.parse((said(0) as { StartTime: string }).StartTime)).toBeLessThan(Date.parse(end) - 300_000)
  })

  test('starts it, unless the instance belongs to the twin itself', async () => {
    there['meta-data/instance-life-cycle'] = 'spot'
    expect(await side.standby?.(paired())?.rouse()).toBe(true)
    expect(said(0)).toMatchObject({ Action: 'SetDesiredCapacity', AutoScalingGroupName: 'tpi-id-inc-on-demand', DesiredCapacity: '3' })
    there['meta-data/instance-life-cycle'] = 'on-demand'
    expect(await side.standby?.(paired())?.rouse()).toBe(false)
    expect(api.asked).toHaveLength(1)
  })

  test('ends both groups with the last slot, and reports why it cannot put it off', async () => {
    await side.leave(paired(), 'done', async () => ({ open: 0, holders: [], stopped: false }))
    const ended = api.asked.slice(0, 2).map((form) => [form.get('AutoScalingGroupName'), form.get('MaxSize'), form.get('DesiredCapacity')])
    expect(ended.toSorted()).toEqual([
      ['tpi-id-inc', '0', '0'],
      ['tpi-id-inc-on-demand', '0', '0'],
    ])
    expect(said(2)).toMatchObject({ Action: 'TerminateInstanceInAutoScalingGroup' })
    answers = [[400, fault('ValidationError', 'Given start time is in the past')]]
    await expect(side.standby?.(paired())?.hold()).rejects.toThrow(
      'could not put off the on-demand machines: 400 ValidationError: Given start',
    )
  })

  test('leaves alone at a stop while siblings still save: a size of 0 would end them meanwhile', async () => {
    await side.leave(paired(), 'done', async () => ({ open: 1, holders: [], stopped: true }))
    expect(api.asked.map((form) => form.get('Action'))).toEqual(['TerminateInstanceInAutoScalingGroup'])
    await side.leave(paired(), 'done', async () => ({ open: 0, holders: [], stopped: true }))
    expect(api.asked.filter((form) => form.get('MaxSize') === '0')).toHaveLength(2)
  })

  test('has no standby if there is no twin', async () => {
    expect(side.standby?.(config())).toBeUndefined()
    await side.leave(config(), 'done', async () => ({ open: 0, holders: [], stopped: false }))
    expect(api.asked.map((form) => form.get('Action'))).toEqual(['TerminateInstanceInAutoScalingGroup'])
  })
})

describe('what an instance hears', () => {
  /** The first notices, up to this many; `then`: done after each. */
  async function heard(count: number, then: () => void = () => undefined): Promise<Notice[]> {
    const over = new AbortController()
    const found: Notice[] = []
    for await (const notice of side.notices(config(), over.signal)) {
      found.push(notice)
      then()
      if (found.length === count) over.abort()
    }
    return found
  }

  test('is the time of a reclaim, and that its group terminates it; each once', async () => {
    there['meta-data/spot/instance-action'] = '{"action": "terminate", "time": "2026-11-24T08:22:00Z"}'
    there['meta-data/autoscaling/target-lifecycle-state'] = 'Terminated'
    expect(await heard(2)).toEqual([{ kind: 'reclaim', at: '2026-11-24T08:22:00Z' }, { kind: 'reclaim' }])
  })

  test('is the time of a reclaim by its own clock, even if that is wrong', async () => {
    const [now, own] = [Date.now(), 600_000]
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + own)
    try {
      there['meta-data/spot/instance-action'] = JSON.stringify({ action: 'terminate', time: new Date(now + 120_000).toISOString() })
      const [{ at = '' } = {}] = await heard(1)
      expect(Math.abs(Date.parse(at) - (now + 120_000 + own))).toBeLessThan(5000)
    } finally {
      clock.mockRestore()
    }
  })

  test('is first a risk of a reclaim, which ends nothing, and then the reclaim', async () => {
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
    there['meta-data/events/recommendations/rebalance'] = '{"noticeTime": "2026-11-24T08:20:00Z"}'
    expect(await side.endAsked?.(config())).toBeUndefined()
    const ends = (): void => void (there['meta-data/autoscaling/target-lifecycle-state'] = 'Terminated')
    expect(await heard(2, ends)).toEqual([{ kind: 'risk' }, { kind: 'reclaim' }])
  })

  test('is nothing while it is in service or the service is silent', async () => {
    there['meta-data/autoscaling/target-lifecycle-state'] = 'InService'
    metadata.silent = true
    const first = heard(1)
    void sleep(500).then(() => (metadata.silent = false))
    await until('it has looked more than once', () => metadata.asked.filter((path) => path.includes('lifecycle')).length > 1)
    there['meta-data/autoscaling/target-lifecycle-state'] = 'Terminated'
    expect(await first).toEqual([{ kind: 'reclaim' }])
  })

  test('is the time that is left when its system goes down', async () => {
    expect(await side.endAsked?.(config())).toBeUndefined()
    there['meta-data/autoscaling/target-lifecycle-state'] = 'Terminated'
    expect(await side.endAsked?.(config())).toEqual({ kind: 'reclaim' })
    there['meta-data/spot/instance-action'] = '{"action": "stop", "time": "2026-11-24T08:22:00Z"}'
    expect(await side.endAsked?.(config())).toEqual({ kind: 'reclaim', at: '2026-11-24T08:22:00Z' })
  })
})

test('an instance is lent the credentials of its role, once there is one', async () => {
  const credentials = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret/key', sessionToken: 'token' }
  expect(await side.storeCredentials?.(config())).toEqual({ credentials, until: KEYS.Expiration })
  there['meta-data/iam/security-credentials/'] = undefined
  await expect(side.storeCredentials?.(config())).rejects.toThrow('this machine has no role, or none yet')
})
