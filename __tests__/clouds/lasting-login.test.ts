/**
 * A command may follow a run for a day with logins that are valid for an hour: each cloud of whole machines renews them in time, for its calls and
 * its store.
 */
import { generateKeyPairSync } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cloudById } from '../../src/clouds/registry.ts'
import type { Cloud, CloudContext } from '../../src/core/cloud.ts'
import { listening, portOf } from '../setup/listening.ts'
import { silent } from '../setup/silent-log.ts'

const HOUR = 3_600_000
/** So many logins one after the other: what is right for each of these is so for the ones after them. */
const HOURS = 8
/** Milliseconds between two looks. */
const PACE = 4 * 60_000
const OF = { id: 'tpi-fit-0123456789', incarnation: 'abcdef0123' }

interface Vendor {
  /** `url`: the address of all services; `file`: a path for files that a login needs. */
  env(url: string, file: string): Promise<Readonly<Record<string, string>>>
  readonly values: Readonly<Record<string, string>>
  /** Matches a request for a login. */
  readonly login: RegExp
  lent(token: string, until: Date): string
  /** Finds the login in a call's authorization header. */
  readonly bears: RegExp
  /** The answer that there is no such group; lists are empty. */
  none(asked: string): readonly [status: number, body: string]
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  aws: {
    async env(url, file) {
      await writeFile(file, 'a token of a forge')
      return {
        AWS_ENDPOINT_URL: url,
        AWS_REGION: 'us-east-1',
        AWS_WEB_IDENTITY_TOKEN_FILE: file,
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/ci',
      }
    },
    values: {},
    login: /AssumeRoleWithWebIdentity/,
    lent: (token, until) =>
      `<R><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${token}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${until.toISOString()}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></R>`,
    bears: /Credential=(\w+)\//,
    none: () => [200, '<R><DescribeAutoScalingGroupsResult><AutoScalingGroups/></DescribeAutoScalingGroupsResult></R>'],
  },
  gcp: {
    async env(url, file) {
      const { privateKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
      const account = { type: 'service_account', project_id: 'lab', client_email: 'ci@lab.iam.gserviceaccount.com', private_key_id: '1' }
      await writeFile(file, JSON.stringify({ ...account, private_key: privateKey, token_uri: `${url}/token` }))
      return { GOOGLE_APPLICATION_CREDENTIALS: file, CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${url}/compute/v1/` }
    },
    values: { region: 'us-central1' },
    login: /^POST \/token/,
    lent: (token) => JSON.stringify({ access_token: token, expires_in: HOUR / 1000, token_type: 'Bearer' }),
    bears: /^Bearer (\w+)$/,
    none: (asked) =>
      asked.includes('/aggregated/')
        ? [200, '{}']
        : [404, JSON.stringify({ error: { code: 404, message: 'not found', errors: [{ reason: 'notFound' }] } })],
  },
  az: {
    env: async (url) => ({
      AZURE_RESOURCE_MANAGER_URL: url,
      AZURE_AUTHORITY_HOST: url,
      AZURE_TENANT_ID: '54826b22-38d6-4fb2-bad9-b7b93a3e9c5a',
      AZURE_CLIENT_ID: '11111111-2222-3333-4444-555555555555',
      AZURE_CLIENT_SECRET: 'secret',
      AZURE_SUBSCRIPTION_ID: '0b1f6471-1bf0-4dda-aec3-cb9272f09590',
    }),
    values: { region: 'westeurope' },
    login: /oauth2/,
    lent: (token) => JSON.stringify({ access_token: token, expires_in: HOUR / 1000, token_type: 'Bearer' }),
    bears: /^Bearer (\w+)$/,
    none: () => [404, JSON.stringify({ error: { code: 'ResourceGroupNotFound', message: 'not found' } })],
  },
}

let folder: string
let now: number
/** Requests of this process that have no whole answer yet. */
const asking = new Set<unknown>()
subscribe('http.client.request.start', (message) => asking.add((message as { request: unknown }).request))
for (const end of ['http.client.response.finish', 'http.client.request.error'])
  subscribe(end, (message) => asking.delete((message as { request: unknown }).request))

const before = { ...process.env }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-login-'))
  now = Date.parse('2026-11-24T10:00:00Z')
})
afterEach(async () => {
  jest.useRealTimers()
  process.env = { ...before }
  await rm(folder, { recursive: true })
})

/** Only the date is faked, so the hours pass without waiting. */
function setTime(): void {
  const all = [
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
  ] as const
  jest.useFakeTimers({ now, doNotFake: [...all, 'setTimeout', 'clearTimeout'] })
}

async function served(
  vendor: Vendor,
): Promise<{ url: string; lent: Map<string, number>; late: string[]; quiet(): Promise<void>; stop(): void }> {
  const lent = new Map<string, number>()
  const late: string[] = []
  const open = new Set<http.ServerResponse>()
  const answer = async (request: IncomingMessage): Promise<readonly [number, string]> => {
    const asked = `${request.method} ${request.url} ${await text(request)}`
    if (vendor.login.test(asked)) {
      const token = `ASIA${String(lent.size).padStart(16, '0')}`
      lent.set(token, now + HOUR)
      return [200, vendor.lent(token, new Date(now + HOUR))]
    }
    const token = vendor.bears.exec(request.headers.authorization ?? '')?.[1] ?? 'none'
    if ((lent.get(token) ?? 0) <= now) late.push(`${new Date(now).toISOString()} ${token} ${asked}`)
    return vendor.none(asked)
  }
  const server = http.createServer((request, response) => {
    // Vendors' clients set their clock by this header.
    response.setHeader('date', new Date(now).toUTCString())
    open.add(response)
    response.on('close', () => open.delete(response))
    void answer(request).then(([status, body]) => response.writeHead(status).end(body))
  })
  // Logins are requested beside other calls, some after a file was read. The next step must not begin before the caller has read the answers:
  // nothing of this process may be under way.
  async function quiet(): Promise<void> {
    do await new Promise((resolve) => setTimeout(resolve, 5))
    while (open.size > 0 || asking.size > 0 || process.getActiveResourcesInfo().some((kind) => /Req|Job/.test(kind)))
  }
  await listening(server)
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    lent,
    late,
    quiet,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each(Object.entries(VENDORS))(
  '%s: looks for many hours need a login for each of them, and none is used after it has expired',
  async (id, vendor) => {
    const { url, lent, late, quiet, stop } = await served(vendor)
    setTime()
    const env = await vendor.env(url, join(folder, 'login'))
    // The vendor's chain reads the process's environment.
    Object.assign(process.env, env)
    const clock = { now: () => now, date: () => new Date(now), sleep: async () => undefined }
    const context: CloudContext = {
      env: { ...env },
      home: folder,
      values: vendor.values,
      log: silent,
      clock,
      signal: new AbortController().signal,
      agent: () => Promise.reject(new Error('nothing is made')),
    }
    const cloud = (await (await cloudById(id)?.load())?.open(context)) as Cloud
    for (const end = now + HOURS * HOUR; now < end; now += PACE) {
      jest.setSystemTime(now)
      expect((await cloud.observe(OF)).phase).toBe('absent')
      await quiet()
    }
    stop()
    expect(late).toEqual([])
    expect(lent.size).toBeGreaterThanOrEqual(HOURS)
    // Each login is used for most of its hour.
    expect(lent.size).toBeLessThanOrEqual(HOURS * 1.25)
  },
)
