/**
 * Which identity a caller has for Google, and how tokens are renewed. The services answer as documented:
 * keys https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 * users https://developers.google.com/identity/protocols/oauth2/web-server#offline
 * federation https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
 * impersonation https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
 * machines https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
 * id tokens https://docs.github.com/en/actions/reference/security/oidc#methods-for-requesting-the-oidc-token
 */
import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore, storeAccess } from '../../src/stores/registry.ts'
import { GoogleFault, googleLogin, projectOf } from '../../src/vendors/google/login.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { listening } from '../setup/listening.ts'

const NO_MACHINE = { NO_GCE_CHECK: 'true' }
const EMAIL = 'ci@lab.iam.gserviceaccount.com'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const SECRETS = [PEM.split('\n')[1] ?? '', 'refresh-of-mine', 'client-secret-of-mine', 'jwt-of-the-job']

type Reply = readonly [status: number, body: string | object]

let home: string
let server: Server
let origin: string
let routes: Record<string, (request: IncomingMessage, body: string) => Reply>
let lent = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-google-'))
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const [status, said] = routes[`${request.method} ${path}`]?.(request, body) ?? [404, '']
      response.writeHead(status, { 'metadata-flavor': 'Google', 'x-goog-generation': '7' })
      response.end(typeof said === 'string' ? said : JSON.stringify(said))
    })
  })
  await listening(server)
  const bound = server.address()
  origin = typeof bound === 'object' && bound ? `http://127.0.0.1:${bound.port}` : ''
})
beforeEach(async () => {
  lent = 0
  routes = {}
  await rm(join(home, '.config'), { recursive: true, force: true })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(home, { recursive: true })
})

const token = (): object => ({ access_token: `ya29.${++lent}`, expires_in: 3599, token_type: 'Bearer' })
const refused: Reply = [400, { error: 'invalid_grant', error_description: 'Bad Request' }]

async function file(content: object): Promise<string> {
  const path = join(home, 'credential.json')
  await writeFile(path, JSON.stringify(content))
  return path
}

const key = () => ({
  type: 'service_account',
  project_id: 'lab',
  client_email: EMAIL,
  private_key_id: 'k1',
  private_key: PEM,
  token_uri: `${origin}/token`,
})
const user = () => ({
  type: 'authorized_user',
  client_id: 'id',
  client_secret: 'client-secret-of-mine',
  refresh_token: 'refresh-of-mine',
  token_uri: `${origin}/token`,
})

/** The assertion must be signed with the key, and have the right scope, issuer and audience, and a lifetime of an hour. */
function serveKey(): void {
  routes['POST /token'] = (_, body) => {
    const form = new URLSearchParams(body)
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const right = createVerify('RSA-SHA256')
      .update(`${head}.${claims}`)
      .verify(createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), signature, 'base64url')
    const { iss, aud, exp, iat, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
    const whole =
      iss === EMAIL &&
      aud === `${origin}/token` &&
      Number(exp) - Number(iat) === 3600 &&
      scope === 'https://www.googleapis.com/auth/cloud-platform'
    return right && whole && form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' ? [200, token()] : refused
  }
}

function serveUser(): void {
  routes['POST /token'] = (_, body) => {
    const form = new URLSearchParams(body)
    const right =
      form.get('grant_type') === 'refresh_token' &&
      form.get('refresh_token') === 'refresh-of-mine' &&
      form.get('client_secret') === 'client-secret-of-mine'
    return right ? [200, token()] : refused
  }
}

/** Like the file of google-github-actions/auth: the job's token is exchanged for one of Google's, and that for one of a service account. */
function serveFederation(): object {
  routes['GET /idtoken'] = ({ headers, url }) =>
    headers.authorization === 'Bearer job' && url?.includes('audience=pool') ? [200, { value: 'jwt-of-the-job' }] : [401, '']
  routes['POST /v1/token'] = (_, body) => {
    const form = new URLSearchParams(body)
    const right =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:token-exchange' &&
      form.get('subject_token') === 'jwt-of-the-job' &&
      form.get('subject_token_type') === 'urn:ietf:params:oauth:token-type:jwt' &&
      form.get('audience') === '//iam/pool'
    return right ? [200, { access_token: 'federated', expires_in: 3600, token_type: 'Bearer' }] : refused
  }
  routes[`POST /v1/projects/-/serviceAccounts/${EMAIL}:generateAccessToken`] = ({ headers }) =>
    headers.authorization === 'Bearer federated'
      ? [200, { accessToken: `ya29.${++lent}`, expireTime: new Date(Date.now() + 3_600_000).toISOString() }]
      : [403, { error: { code: 403, message: 'Permission iam.serviceAccounts.getAccessToken denied' } }]
  return {
    type: 'external_account',
    audience: '//iam/pool',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${origin}/v1/token`,
    service_account_impersonation_url: `${origin}/v1/projects/-/serviceAccounts/${EMAIL}:generateAccessToken`,
    credential_source: {
      url: `${origin}/idtoken?audience=pool`,
      headers: { Authorization: 'Bearer job' },
      format: { type: 'json', subject_token_field_name: 'value' },
    },
  }
}

const lend = async (env: Record<string, string>) => {
  const login = await googleLogin({ HOME: home, ...NO_MACHINE, ...env })
  return { login, lent: await login?.lend() }
}

describe('each place', () => {
  test('the key of a service account: as a path, and inline', async () => {
    serveKey()
    const byFile = await lend({ GOOGLE_APPLICATION_CREDENTIALS: await file(key()) })
    expect(byFile).toMatchObject({ login: { email: EMAIL, project: 'lab' }, lent: { credentials: { token: 'ya29.1' } } })
    expect(Date.parse(byFile.lent?.until ?? '') - Date.now()).toBeGreaterThan(3_500_000)
    for (const name of ['GOOGLE_APPLICATION_CREDENTIALS_DATA', 'GOOGLE_CREDENTIALS'])
      expect(await lend({ [name]: JSON.stringify(key()) })).toMatchObject({
        login: { email: EMAIL },
        lent: { credentials: { token: expect.any(String) } },
      })
  })

  test('the user who is logged in with gcloud', async () => {
    serveUser()
    await mkdir(join(home, '.config', 'gcloud'), { recursive: true })
    await writeFile(
      join(home, '.config', 'gcloud', 'application_default_credentials.json'),
      JSON.stringify({ ...user(), quota_project_id: 'billed' }),
    )
    expect(await lend({})).toMatchObject({ login: { project: 'billed' }, lent: { credentials: { token: 'ya29.1' } } })
  })

  test('a job of a forge, with its identity token from a URL or a file, with and without a service account', async () => {
    const federated = serveFederation()
    expect(await lend({ GOOGLE_APPLICATION_CREDENTIALS: await file(federated) })).toMatchObject({
      login: { email: EMAIL, who: expect.stringContaining('workload identity federation') },
      lent: { credentials: { token: 'ya29.1' } },
    })
    await writeFile(join(home, 'jwt'), 'jwt-of-the-job\n')
    const { service_account_impersonation_url: _none, ...direct } = federated as Record<string, unknown>
    const path = await file({ ...direct, credential_source: { file: join(home, 'jwt') } })
    expect((await lend({ GOOGLE_APPLICATION_CREDENTIALS: path })).lent?.credentials).toEqual({ token: 'federated' })
  })

  test('a user who may impersonate a service account', async () => {
    serveFederation()
    routes['POST /token'] = () => [200, { access_token: 'federated', expires_in: 3600, token_type: 'Bearer' }]
    const url = `${origin}/v1/projects/-/serviceAccounts/${EMAIL}:generateAccessToken`
    const path = await file({ type: 'impersonated_service_account', service_account_impersonation_url: url, source_credentials: user() })
    expect(await lend({ GOOGLE_APPLICATION_CREDENTIALS: path })).toMatchObject({
      login: { email: EMAIL },
      lent: { credentials: { token: 'ya29.1' } },
    })
  })

  test('the same by way of other accounts, which Google must be told', async () => {
    routes['POST /token'] = () => [200, token()]
    const account = `/v1/projects/-/serviceAccounts/${EMAIL}:generateAccessToken`
    const delegates = ['projects/-/serviceAccounts/between@p.iam.gserviceaccount.com']
    let said: unknown
    routes[`POST ${account}`] = (_, body) => {
      said = JSON.parse(body)
      return [200, { accessToken: 'ya29.far', expireTime: new Date(Date.now() + 3_600_000).toISOString() }]
    }
    const type = 'impersonated_service_account'
    const path = await file({ type, delegates, service_account_impersonation_url: origin + account, source_credentials: user() })
    expect((await lend({ GOOGLE_APPLICATION_CREDENTIALS: path })).lent?.credentials).toEqual({ token: 'ya29.far' })
    expect(said).toMatchObject({ delegates })
  })

  test('a ready-made token, which takes precedence', async () => {
    const env = { CLOUDSDK_AUTH_ACCESS_TOKEN: 'ya29.mine', GOOGLE_APPLICATION_CREDENTIALS: '/none' }
    expect((await lend(env)).lent).toEqual({ credentials: { token: 'ya29.mine' } })
  })

  test('the machine that it runs on; none if nothing answers, or another service does', async () => {
    const env = { HOME: home, GCE_METADATA_HOST: origin }
    expect(await googleLogin({ HOME: home, GCE_METADATA_HOST: '127.0.0.1:1' })).toBeUndefined()
    expect(await googleLogin(env)).toBeUndefined()
    const at = '/computeMetadata/v1/'
    routes[`GET ${at}instance/service-accounts/default/token`] = ({ headers }) =>
      headers['metadata-flavor'] === 'Google' ? [200, token()] : [403, '']
    routes[`GET ${at}instance/service-accounts/default/email`] = () => [200, EMAIL]
    routes[`GET ${at}project/project-id`] = () => [200, 'lab']
    const login = await googleLogin(env)
    expect(login).toMatchObject({ email: EMAIL, project: 'lab' })
    expect((await login?.lend())?.credentials.token).toMatch(/^ya29/)
  })

  test('the project: variables first, then the credential’s own', async () => {
    expect(projectOf({ GOOGLE_CLOUD_PROJECT: 'one' }, { project: 'two' })).toBe('one')
    expect(projectOf({}, { project: 'two' })).toBe('two')
  })
})

describe('a broken login is reported, and not replaced by another one', () => {
  const fault = async (env: Record<string, string>): Promise<GoogleFault> => {
    const error: unknown = await lend(env).catch((one: unknown) => one)
    if (!(error instanceof GoogleFault)) throw new Error('no GoogleFault')
    for (const secret of SECRETS) expect(error.message).not.toContain(secret)
    return error
  }

  test('files', async () => {
    const given = async (content: object): Promise<string> => (await fault({ GOOGLE_APPLICATION_CREDENTIALS: await file(content) })).message
    expect((await fault({ GOOGLE_APPLICATION_CREDENTIALS: join(home, 'none') })).message).toContain('cannot be read')
    expect((await fault({ GOOGLE_APPLICATION_CREDENTIALS_DATA: `{"private_key": "${SECRETS[0]}` })).message).toContain('not JSON')
    expect(await given({ type: 'gdch' })).toContain('allowed: service_account, authorized_user')
    expect(await given({ ...key(), client_email: undefined })).toContain('client_email')
    expect(await given({ ...key(), private_key: 'none' })).toContain('not an RSA key')
    expect(await given({ ...key(), token_uri: 'http://example.com/token' })).toContain('not an https address')
    expect(await given({ ...serveFederation(), credential_source: {} })).toContain('neither "file" nor "url"')
  })

  test('refusals are final, other errors are not', async () => {
    const path = await file(user())
    routes['POST /token'] = () => refused
    expect(await fault({ GOOGLE_APPLICATION_CREDENTIALS: path })).toMatchObject({
      final: true,
      message: expect.stringContaining('invalid_grant: Bad Request'),
    })
    let asked = 0
    routes['POST /token'] = () => [503, `<html>${++asked}`]
    expect((await fault({ GOOGLE_APPLICATION_CREDENTIALS: path })).final).toBe(false)
    expect(asked).toBe(3)
    routes['POST /token'] = () => [200, '<html>sign in to the network</html>']
    expect(await fault({ GOOGLE_APPLICATION_CREDENTIALS: path })).toMatchObject({
      final: false,
      message: expect.stringMatching(/: the answer of 127\.0\.0\.1:\d+ is not valid$/),
    })
    const away = await file({ ...user(), token_uri: 'http://127.0.0.1:1/token' })
    expect((await fault({ GOOGLE_APPLICATION_CREDENTIALS: away })).final).toBe(false)
  })
})

describe('a store', () => {
  const reads = async (env: Record<string, string>, clock = fakeClock(new Date().toISOString())) => {
    const place = { url: 'gs://bucket/x', settings: { endpoint: origin } }
    return { clock, access: await storeAccess(place, { HOME: home, ...NO_MACHINE, ...env }, { clock }) }
  }

  test('a follow of hours outlives its tokens', async () => {
    const used = new Set<string>()
    routes['GET /storage/v1/b/bucket/o/x%2Fa'] = ({ headers }) => {
      used.add(headers.authorization ?? '')
      return headers.authorization === `Bearer ya29.${lent}` ? [200, 'still there'] : [401, '']
    }
    const { access, clock } = await reads({ GOOGLE_APPLICATION_CREDENTIALS: await file(serveFederation()) })
    expect(access).toMatchObject({ credentials: { token: 'ya29.1' }, until: expect.any(String) })
    const store = await openStore(access)
    for (let round = 0; round < 12; round++) {
      expect(Buffer.from((await store.read('a'))!.bytes).toString()).toBe('still there')
      await clock.advance(55 * 60_000)
    }
    await store.close?.()
    expect(used.size).toBeGreaterThan(5)
  })

  test('nobody says how long a ready-made token lasts', async () => {
    serveKey()
    const { access } = await reads({ CLOUDSDK_AUTH_ACCESS_TOKEN: 'ya29.mine' })
    expect(access).toMatchObject({ credentials: { token: 'ya29.mine' }, temporary: true })
    expect((await reads({ GOOGLE_APPLICATION_CREDENTIALS: await file(key()) })).access.temporary).toBeUndefined()
  })

  test('the logins of a key and a user go to machines and are renewed there; a login that needs this job becomes a token for an hour', async () => {
    serveKey()
    const byKey = (await reads({ GOOGLE_APPLICATION_CREDENTIALS: await file(key()) })).access
    expect(byKey.until).toBeUndefined()
    routes['GET /storage/v1/b/bucket/o/x%2Fa'] = ({ headers }) =>
      headers.authorization === `Bearer ya29.${lent}` ? [200, 'here'] : [401, '']
    const { source: _here, ...travels } = byKey
    const store = await openStore(travels)
    expect(Buffer.from((await store.read('a'))!.bytes).toString()).toBe('here')
    await store.close?.()
  })

  test('without a login the error is "denied", with what to do', async () => {
    await expect(reads({})).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('gcloud auth application-default login'),
    })
  })
})
