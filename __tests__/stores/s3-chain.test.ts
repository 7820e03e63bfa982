/**
 * Where a controller's keys come from, and how they are renewed. The services answer as documented:
 * STS https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 * containers https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 * machines https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 * processes https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
 * id tokens https://docs.github.com/en/actions/reference/security/oidc#methods-for-requesting-the-oidc-token
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { accessFromEnv } from '../../src/stores/s3/access.ts'
import type { StoreAccess } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { listening } from '../setup/listening.ts'

const HOUR = 3_600_000
const ROLE = 'arn:aws:iam::123456789012:role/tpi'
const NO_MACHINE = { AWS_EC2_METADATA_DISABLED: 'true' }
const URL_ = 's3://bucket/x'

type Reply = readonly [status: number, body: string]

let home: string
let server: Server
let address: string
let clock: ReturnType<typeof fakeClock>
/** By method and path. */
let routes: Record<string, (request: IncomingMessage, body: string) => Reply>
let seen: string[]

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-chain-'))
  await mkdir(join(home, '.aws'))
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      seen.push(`${request.method} ${request.url}`)
      const route = Object.entries(routes).find(([key]) => `${request.method} ${path}`.startsWith(key))?.[1]
      const [status, said] = route?.(request, body) ?? [404, '']
      response.writeHead(status, { etag: '"v"' }).end(said)
    })
  })
  await listening(server)
  const bound = server.address()
  address = typeof bound === 'object' && bound ? `http://127.0.0.1:${bound.port}` : ''
})
beforeEach(() => {
  clock = fakeClock()
  routes = {}
  seen = []
})
afterEach(async () => rm(join(home, '.aws', 'config'), { force: true }))
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(home, { recursive: true })
})

const at = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '')
const inAnHour = (): string => at(clock.date().getTime() + HOUR)
const json = (n: number): string =>
  JSON.stringify({ Code: 'Success', AccessKeyId: `ID${n}`, SecretAccessKey: `secret${n}`, Token: `token${n}`, Expiration: inAnHour() })
const keys = (n: number) => ({ accessKeyId: `ID${n}`, secretAccessKey: `secret${n}`, sessionToken: `token${n}` })

const access = async (env: Record<string, string>): Promise<StoreAccess> =>
  accessFromEnv(URL_, { HOME: home, ...NO_MACHINE, ...env }, { clock, endpoint: address })

/** Lends keys for an hour in exchange for the right token. */
function sts(right: () => string): void {
  let lent = 0
  routes['POST /sts'] = (_, body) => {
    const form = new URLSearchParams(body)
    const wrong = form.get('Action') !== 'AssumeRoleWithWebIdentity' || form.get('RoleArn') !== ROLE
    if (wrong || form.get('WebIdentityToken') !== right())
      return [
        400,
        '<ErrorResponse><Error><Type>Sender</Type><Code>InvalidIdentityToken</Code><Message>no such</Message></Error></ErrorResponse>',
      ]
    lent += 1
    const inner = `<AccessKeyId>ID${lent}</AccessKeyId><SecretAccessKey>secret${lent}</SecretAccessKey><SessionToken>token${lent}</SessionToken>`
    const result = `<Credentials>${inner}<Expiration>${inAnHour()}</Expiration></Credentials><Audience>x</Audience>`
    const xmlns = 'https://sts.amazonaws.com/doc/2011-06-15/'
    return [
      200,
      `<AssumeRoleWithWebIdentityResponse xmlns="${xmlns}"><AssumeRoleWithWebIdentityResult>${result}</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    ]
  }
}

test('a day’s follow outlives more than ten hourly tokens, and never uses an expired one', async () => {
  sts(() => 'jwt')
  routes['GET /idtoken'] = ({ headers }) =>
    headers.authorization === 'Bearer job' ? [200, JSON.stringify({ count: 3, value: 'jwt' })] : [401, '']
  const until = new Map<string, number>()
  const used = new Set<string>()
  routes['GET /bucket'] = ({ headers }) => {
    const id = /Credential=(ID\d+)/.exec(headers.authorization ?? '')?.[1] ?? ''
    used.add(id)
    if (!until.has(id)) until.set(id, clock.date().getTime() + HOUR)
    if (clock.date().getTime() >= (until.get(id) ?? 0)) return [400, '<Error><Code>ExpiredToken</Code><Message>old</Message></Error>']
    return [200, 'still there']
  }
  const env = { AWS_ROLE_ARN: ROLE, AWS_ENDPOINT_URL_STS: `${address}/sts`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job' }
  const given = await access({ ...env, ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/idtoken?api-version=2.0` })
  expect(given.until).toBe(inAnHour())
  const store = await openStore(given)
  for (const end = clock.now() + 24 * HOUR; clock.now() < end; await clock.advance(5 * 60_000))
    expect(Buffer.from((await store.read('a/b'))!.bytes).toString()).toBe('still there')
  await store.close?.()
  expect(used.size).toBeGreaterThan(24)
  expect(seen).toContain('GET /idtoken?api-version=2.0&audience=sts.amazonaws.com')
})

describe('each place', () => {
  test('a token in a file is read again for every renewal', async () => {
    let right = 'one'
    sts(() => right)
    const file = join(home, 'token')
    await writeFile(file, 'one\n')
    const env = { AWS_ROLE_ARN: ROLE, AWS_ENDPOINT_URL_STS: `${address}/sts`, AWS_WEB_IDENTITY_TOKEN_FILE: file }
    const { source, credentials } = await access(env)
    expect(credentials).toEqual(keys(1))
    right = 'two'
    await clock.advance(HOUR)
    await expect(source!.get()).rejects.toMatchObject({ kind: 'denied', message: expect.stringContaining('InvalidIdentityToken: no such') })
    await writeFile(file, 'two\n')
    expect(await source!.get()).toEqual(keys(2))
  })

  test('a service of tokens that is busy for a moment is asked again', async () => {
    let troubles = 0
    const once = (route: string, reply: Reply): void => {
      const real = routes[route]
      let begun = false
      routes[route] = (request, body) => {
        if (begun) return real?.(request, body) ?? [404, '']
        begun = true
        troubles += 1
        return reply
      }
    }
    sts(() => 'jwt')
    routes['GET /idtoken'] = () => [200, JSON.stringify({ value: 'jwt' })]
    once('GET /idtoken', [503, 'busy'])
    once('POST /sts', [400, '<ErrorResponse><Error><Code>IDPCommunicationError</Code><Message>away</Message></Error></ErrorResponse>'])
    const env = { AWS_ROLE_ARN: ROLE, AWS_ENDPOINT_URL_STS: `${address}/sts`, ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/idtoken` }
    expect((await access(env)).credentials).toEqual(keys(1))
    expect(troubles).toBe(2)
  })

  test('a credential process that the profile names', async () => {
    await writeFile(
      join(home, 'keys.json'),
      // As `aws configure export-credentials` writes the time (`datetime.isoformat`).
      JSON.stringify({
        Version: 1,
        AccessKeyId: 'P',
        SecretAccessKey: 's',
        SessionToken: 't',
        Expiration: inAnHour().replace('Z', '+00:00'),
      }),
    )
    await writeFile(join(home, '.aws', 'config'), `[profile sso]\ncredential_process = cat ${home}/keys.json\n`)
    const { credentials, until } = await access({ AWS_PROFILE: 'sso' })
    expect(credentials).toEqual({ accessKeyId: 'P', secretAccessKey: 's', sessionToken: 't' })
    expect(until).toBe(new Date(inAnHour()).toISOString())
    await writeFile(
      join(home, '.aws', 'config'),
      '[profile sso]\ncredential_process = echo "the session" >&2; echo "is over" >&2; exit 3\n',
    )
    await expect(access({ AWS_PROFILE: 'sso' })).rejects.toMatchObject({
      kind: 'denied',
      message: 'storage: no credentials from the credential_process of the profile: it ends with 3: the session is over',
    })
    await writeFile(join(home, '.aws', 'config'), '[profile sso]\ncredential_process = echo secret/of/mine\n')
    await expect(access({ AWS_PROFILE: 'sso' })).rejects.toMatchObject({
      message: expect.stringMatching(/from the credential_process of the profile: (?!.*secret)/),
    })
    await writeFile(join(home, '.aws', 'config'), '[profile sso]\ncredential_process = kill -9 $$\n')
    await expect(access({ AWS_PROFILE: 'sso' })).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('a container, with the token in its file', async () => {
    await writeFile(join(home, 'authorization'), 'right')
    routes['GET /creds'] = ({ headers }) => (headers.authorization === 'right' ? [200, json(1)] : [401, ''])
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/creds`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(home, 'authorization'),
    }
    expect((await access(env)).credentials).toEqual(keys(1))
    await expect(access({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://198.51.100.1/creds' })).rejects.toThrow('plain http to another host')
  })

  test('a machine with a role, last of all; its session is renewed when it is refused', async () => {
    let session = 0
    let lent = 0
    const path = '/latest/meta-data/iam/security-credentials/'
    const right = ({ headers }: IncomingMessage): boolean => headers['x-aws-ec2-metadata-token'] === `s${session}`
    routes['PUT /latest/api/token'] = ({ headers }) => {
      session += 1
      return headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600' ? [200, `s${session}`] : [400, '']
    }
    routes[`GET ${path}tpi-role`] = (request) => (right(request) ? [200, json(++lent)] : [401, ''])
    routes[`GET ${path}`] = (request) => (right(request) ? [200, 'tpi-role\n'] : [401, ''])
    const env = { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: `${address}/` }
    const { credentials, source } = await access(env)
    expect(credentials).toEqual(keys(1))
    await clock.advance(2 * HOUR)
    expect(await source!.get()).toEqual(keys(2))
    await clock.advance(2 * HOUR)
    routes['PUT /latest/api/token'] = () => [503, '']
    await expect(source!.get()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('the role of this machine') })
    expect((await access({ ...env, AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 's' })).credentials).toEqual({
      accessKeyId: 'E',
      secretAccessKey: 's',
    })
  })

  test('a profile that assumes a role is not replaced by the role of the machine; one with a region only is', async () => {
    routes['PUT /latest/api/token'] = () => [200, 's']
    routes['GET /latest/meta-data/iam/security-credentials/tpi-role'] = () => [200, json(1)]
    routes['GET /latest/meta-data/iam/security-credentials/'] = () => [200, 'tpi-role\n']
    const config =
      '[profile dev]\nrole_arn = x\nsource_profile = base\n[profile sso]\nsso_session = x\n[profile home]\nregion = eu-west-1\n'
    await writeFile(join(home, '.aws', 'config'), config)
    const env = { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: address }
    for (const AWS_PROFILE of ['dev', 'sso'])
      await expect(access({ ...env, AWS_PROFILE })).rejects.toThrow(`no access key in the profile "${AWS_PROFILE}"`)
    expect((await access({ ...env, AWS_PROFILE: 'home' })).credentials).toEqual(keys(1))
  })

  test('variables are fixed: no source, and their expiry if it is known', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 's', AWS_CREDENTIAL_EXPIRATION: '2030-01-01T01:00:00+00:00' }
    const { source, until } = await access(env)
    expect(source).toBeUndefined()
    expect(until).toBe('2030-01-01T01:00:00.000Z')
    // As aws-actions/configure-aws-credentials leaves them: nothing says until when.
    const { AWS_CREDENTIAL_EXPIRATION: _, ...fixed } = env
    expect((await access({ ...fixed, AWS_SESSION_TOKEN: 't' })).temporary).toBe(true)
    expect((await access(fixed)).temporary).toBeUndefined()
  })

  test('keys in a file that the server calls expired are read again: the user may have signed in again', async () => {
    const file = join(home, '.aws', 'credentials')
    const write = async (n: number) =>
      writeFile(file, `[default]\naws_access_key_id=ID${n}\naws_secret_access_key=secret${n}\naws_session_token=token${n}\n`)
    await write(1)
    const { source } = await access({})
    const old = await source!.get()
    source!.refused(old)
    // Not signed in again yet.
    for (let time = 0; time < 2; time += 1)
      await expect(source!.get()).rejects.toMatchObject({ kind: 'denied', message: expect.stringContaining('sign in again') })
    await write(2)
    expect(await source!.get()).toEqual(keys(2))
    await rm(file)
  })
})
