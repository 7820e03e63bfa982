/**
 * Which identity a caller has for Azure, and how tokens are renewed. The services answer as documented:
 * applications https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 * machines https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 * id tokens https://docs.github.com/en/actions/reference/security/oidc#methods-for-requesting-the-oidc-token
 * `az` https://learn.microsoft.com/cli/azure/account#az-account-get-access-token
 */
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { storeAccess } from '../../src/stores/registry.ts'
import { azureLogin, machineToken } from '../../src/vendors/azure/login.ts'
import { fault } from '../conformance/store-lab.ts'

const STORAGE = 'https://storage.azure.com'
const APPLICATION = { AZURE_TENANT_ID: 'tenant-1', AZURE_CLIENT_ID: 'client-1' }
const SECRET = 'secret-of-the-application'
const TOKEN = '/tenant-1/oauth2/v2.0/token'

let home: string
let server: Server
let origin: string
let routes: Record<string, (request: IncomingMessage, body: string) => readonly [status: number, body: object]>
let base: Record<string, string>

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-azure-'))
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const [status, said] = routes[`${request.method} ${path}`]?.(request, body) ?? [404, {}]
      response.writeHead(status).end(JSON.stringify(said))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  origin = typeof bound === 'object' && bound ? `http://127.0.0.1:${bound.port}` : ''
})
beforeEach(() => {
  routes = {}
  // There is no `az` on this path.
  base = { PATH: join(home, 'none'), AZURE_AUTHORITY_HOST: origin, AZURE_POD_IDENTITY_AUTHORITY_HOST: origin }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(home, { recursive: true })
})

/** Answers like Entra; returns a function that gives the form of the last request. */
function entra(): () => URLSearchParams {
  let form = new URLSearchParams()
  routes[`POST ${TOKEN}`] = (_request, body) => {
    form = new URLSearchParams(body)
    return [200, { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: 'token-of-entra' }]
  }
  return () => form
}

test('an application with a secret: it can go to machines, and lends a token for the requested resource', async () => {
  const form = entra()
  const login = await azureLogin({ ...base, ...APPLICATION, AZURE_CLIENT_SECRET: SECRET })
  expect(login?.secret).toEqual({ tenant: 'tenant-1', client: 'client-1', clientSecret: SECRET, authority: origin })
  const lent = await login!.lend(STORAGE)
  expect(lent.credentials).toEqual({ token: 'token-of-entra' })
  expect(Date.parse(lent.until) - Date.now()).toBeGreaterThan(3_500_000)
  expect(Object.fromEntries(form())).toEqual({
    grant_type: 'client_credentials',
    client_id: 'client-1',
    scope: 'https://storage.azure.com/.default',
    client_secret: SECRET,
  })
})

test('an application with a token in a file, read again each time', async () => {
  const form = entra()
  const file = join(home, 'federated')
  await writeFile(file, 'jwt-1\n')
  const login = await azureLogin({ ...base, ...APPLICATION, AZURE_FEDERATED_TOKEN_FILE: file })
  expect(login?.secret).toBeUndefined()
  await login!.lend(STORAGE)
  expect(form().get('client_assertion')).toBe('jwt-1')
  expect(form().get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  await writeFile(file, 'jwt-2')
  await login!.lend(STORAGE)
  expect(form().get('client_assertion')).toBe('jwt-2')
})

test('an application with the token that GitHub gives a job', async () => {
  const form = entra()
  let asked = 0
  routes['GET /id'] = (request) => {
    asked += 1
    if (asked === 1) return [503, {}]
    expect(request.headers.authorization).toBe('Bearer of-the-job')
    expect(new URL(request.url ?? '', origin).searchParams.get('audience')).toBe('api://AzureADTokenExchange')
    return [200, { value: 'jwt-of-the-job' }]
  }
  const env = { ...base, ...APPLICATION, ACTIONS_ID_TOKEN_REQUEST_URL: `${origin}/id`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job' }
  await (await azureLogin(env))!.lend(STORAGE)
  expect(form().get('client_assertion')).toBe('jwt-of-the-job')
  expect(asked).toBe(2)
})

test('the login of az; its errors are reported', async () => {
  const bin = await mkdtemp(join(home, 'bin-'))
  const answer = JSON.stringify({ accessToken: 'token-of-az', expiresOn: 'local time', expires_on: 1_900_000_000, tokenType: 'Bearer' })
  const az = `#!/bin/sh\n[ "$2" = show ] && exit 0\n[ -e ${home}/out ] && { echo "ERROR: AADSTS70043: sign in again" >&2; exit 1; }\n[ "$4" = ${STORAGE} ] && echo '${answer}'\n`
  await writeFile(join(bin, 'az'), az)
  await chmod(join(bin, 'az'), 0o755)
  const login = await azureLogin({ ...base, PATH: `${bin}:/usr/bin:/bin` })
  expect(await login!.lend(STORAGE)).toEqual({ credentials: { token: 'token-of-az' }, until: '2030-03-17T17:46:40.000Z' })
  await writeFile(join(home, 'out'), '')
  await expect(login!.lend(STORAGE)).rejects.toMatchObject({ final: true, message: expect.stringContaining('sign in again') })
})

test.each([
  ['ERROR: HTTPSConnectionPool(host=x): Max retries exceeded with url: /t', 1, { final: false }],
  ['ERROR: <urlopen error Failed to establish a new connection>', 1, { final: false }],
  ['ERROR: Read timed out.', 1, { final: false }],
  ['ERROR: AADSTS50089: the session has timed out, sign in again', 1, { final: true }],
  ['ERROR: AADSTS700082: The refresh token has expired due to inactivity.', 1, { final: true }],
])('az that says %j is asked again, or not', async (said, code, reported) => {
  await azSays(`echo '${said}' >&2; exit ${code}`)
  await expect(lendOfAz()).rejects.toMatchObject(reported)
})

/** The whole text of https://github.com/kata-containers/kata-containers/issues/11758. */
test('if az was signed in by azure/login, and that is over, the error says what to set instead', async () => {
  const said = [
    'ERROR: AADSTS700024: Client assertion is not within its valid time range. Current time: 2025-09-03T17:59:55.3046782Z, assertion valid from',
    '2025-09-03T17:04:47.0000000Z, expiry time of assertion 2025-09-03T17:09:47.0000000Z. Review the documentation at',
    'https://learn.microsoft.com/entra/identity-platform/certificate-credentials . Trace ID: 7bc172dc-e017-4e50-83f0-80be14c31000',
    'Correlation ID: 2099c933-fe69-471e-aada-2feb79c50ebc Timestamp: 2025-09-03 17:59:55Z',
    'Run the command below to authenticate interactively; additional arguments may be added as needed:',
  ].join(' ')
  await azSays(`echo '${said}' >&2; exit 1`)
  const message = expect.stringMatching(
    /AADSTS700024: Client assertion .* AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"/,
  )
  await expect(lendOfAz()).rejects.toMatchObject({ final: true, message })
})

test('az is started again if it was killed; a version that is too old is named', async () => {
  await azSays('kill -9 $$')
  await expect(lendOfAz()).rejects.toMatchObject({ final: false })
  // https://learn.microsoft.com/cli/azure/release-notes-azure-cli: `expires_on` exists since 2.54.
  await azSays(`echo '{"accessToken":"t","expiresOn":"2026-01-01 00:00:00.000000"}'`)
  await expect(lendOfAz()).rejects.toMatchObject({ final: true, message: expect.stringContaining('2.54') })
})

/** An `az` with a login, and its answer to a request for a token. */
async function azSays(script: string): Promise<void> {
  const program = join(home, 'az')
  await writeFile(program, `#!/bin/sh\n[ "$2" = show ] && exit 0\n${script}\n`)
  await chmod(program, 0o755)
}
const lendOfAz = async (): Promise<unknown> => (await azureLogin({ ...base, PATH: `${home}:/usr/bin:/bin` }))?.lend(STORAGE)

test('an authority that would get the secret unencrypted is refused', async () => {
  for (const host of ['http://login.example', 'no address']) {
    const login = await azureLogin({ ...base, ...APPLICATION, AZURE_CLIENT_SECRET: SECRET, AZURE_AUTHORITY_HOST: host })
    await expect(login?.lend(STORAGE)).rejects.toMatchObject({ final: true, message: expect.stringContaining('AZURE_AUTHORITY_HOST') })
  }
})

test('the identity of the machine, chosen by its client id', async () => {
  routes['GET /metadata/identity/oauth2/token'] = (request) => {
    const { searchParams } = new URL(request.url ?? '', origin)
    expect([request.headers['metadata'], searchParams.get('api-version')]).toEqual(['true', '2018-02-01'])
    return [200, { access_token: `for ${searchParams.get('resource')} ${searchParams.get('client_id')}`, expires_in: '86399' }]
  }
  const login = await azureLogin({ ...base, AZURE_CLIENT_ID: 'mine' })
  expect((await login!.lend(STORAGE)).credentials.token).toBe(`for ${STORAGE} mine`)
  expect((await machineToken(STORAGE, undefined, origin)).credentials.token).toBe(`for ${STORAGE} null`)
})

test('a machine with several identities needs to be told which; one with none, or another vendor’s, has no login, and is asked once', async () => {
  let asked = 0
  const says = (error_description: string) => {
    routes['GET /metadata/identity/oauth2/token'] = () => {
      asked += 1
      return [400, { error: 'invalid_request', error_description }]
    }
  }
  says('Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request')
  await expect(azureLogin(base)).rejects.toMatchObject({ final: true, message: expect.stringContaining('set AZURE_CLIENT_ID') })
  says('Identity not found')
  expect(await azureLogin(base)).toBeUndefined()
  routes = { 'GET /metadata/identity/oauth2/token': () => [500, { asked: (asked += 1) }] }
  expect(await azureLogin(base)).toBeUndefined()
  expect(asked).toBe(3)
})

test('refused: denied, in one line, without the secret; away: unavailable; no login: denied, with what to do', async () => {
  const env = { ...base, ...APPLICATION, AZURE_CLIENT_SECRET: SECRET }
  const place = { url: 'az://account/container/prefix' }
  routes[`POST ${TOKEN}`] = () => [
    401,
    { error: 'invalid_client', error_description: 'AADSTS7000222: The provided client secret keys are expired.\r\nTrace ID: 1\r\n' },
  ]
  const refused: unknown = await storeAccess(place, env).catch((error: unknown) => error)
  expect(refused).toEqual(fault('denied'))
  expect(String(refused)).toContain('AADSTS7000222: The provided client secret keys are expired.')
  expect(String(refused)).not.toMatch(/Trace|secret-of/)
  routes[`POST ${TOKEN}`] = () => [503, {}]
  await expect(storeAccess(place, env)).rejects.toEqual(fault('unavailable'))
  const nobody: unknown = await storeAccess(place, base).catch((error: unknown) => error)
  expect(nobody).toEqual(fault('denied'))
  expect(String(nobody)).toContain('az login')
})

test('an account key takes precedence, can go to machines, and needs no service', async () => {
  const access = await storeAccess({ url: 'az://account/container' }, { ...base, AZURE_STORAGE_KEY: 'a2V5' })
  expect(access).toEqual({ url: 'az://account/container', credentials: { key: 'a2V5' } })
})
