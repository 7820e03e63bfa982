/**
 * A runner's only session, and who may end it: whoever has a token for the runner, which is issued for a signed assertion. Sources in actions/runner:
 * src/Sdk/WebApi/WebApi/BrokerHttpClient.cs (DELETE without a session id), src/Runner.Listener/Configuration/OAuthCredential.cs,
 * src/Sdk/WebApi/WebApi/OAuth (VssOAuthJwtBearerAssertion.cs, VssOAuthConstants.cs), src/Sdk/WebApi/WebApi/VssSigningCredentials.cs.
 */
import { constants, createVerify, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'

/**
 * Seconds for which an assertion is valid at most, and by which clocks may differ. The service's own numbers are not published: these are the
 * defaults of the code that it shares with the runner (src/Sdk/WebApi/WebApi/Jwt: DefaultLifetime, ClockSkewInSeconds).
 */
const LIFE = 300

export interface BrokerRunner {
  readonly id: number
  readonly name: string
  readonly client: string
  /** The secret by which its program identifies itself; nobody else learns it. */
  readonly key: string
  readonly lasting?: true
}

export interface BrokerAnswer {
  readonly status: number
  readonly data?: unknown
}

/** One pair for all runners, because making one takes a while. `client` tells them apart. */
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** As .NET writes it: src/Runner.Listener/Configuration/IRSAKeyManager.cs. */
function parameters(): Record<string, string> {
  const { n, e, d, p, q, dp, dq, qi } = privateKey.export({ format: 'jwk' })
  const all = { d, dp, dq, exponent: e, inverseQ: qi, modulus: n, p, q }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Buffer.from(value ?? '', 'base64url').toString('base64')]))
}

export const newClient = (): string => randomUUID()

export class Broker {
  readonly #tokens = new Map<string, string>()

  /**
   * Contents of the files that make up a registration. Those for a single job are spelled with other capitals than the ones that the program writes
   * itself (src/Runner.Listener/Configuration/ConfigurationManager.cs), and all their values are texts: the program reads both.
   */
  files({ id, name, client, key, lasting }: BrokerRunner, service: string): Record<string, object> {
    const own = { ...parameters(), own: key }
    const [serverUrlV2, authorizationUrl] = [`${service}/_runner/broker/`, `${service}/_runner/token`]
    if (!lasting)
      return {
        '.runner': { AgentId: String(id), AgentName: name, Ephemeral: 'True', UseV2Flow: 'True', ServerUrlV2: serverUrlV2 },
        '.credentials': {
          Data: { ClientId: client, AuthorizationUrl: authorizationUrl, RequireFipsCryptography: 'True' },
          Scheme: 'OAuth',
        },
        '.credentials_rsaparams': own,
      }
    return {
      '.runner': { agentId: id, agentName: name, useV2Flow: true, serverUrlV2 },
      '.credentials': { scheme: 'OAuth', data: { clientId: client, authorizationUrl, requireFipsCryptography: 'False' } },
      '.credentials_rsaparams': own,
    }
  }

  /** `encoded_jit_config`. Source: src/Runner.Listener/Runner.cs (GetJitConfig). */
  configuration(runner: BrokerRunner, service: string): string {
    const packed = Object.entries(this.files(runner, service)).map(([name, value]) => [name, base64(JSON.stringify(value))])
    return base64(JSON.stringify(Object.fromEntries(packed)))
  }

  token(form: string, runners: Iterable<BrokerRunner>, service: string): BrokerAnswer {
    const asked = new URLSearchParams(form)
    const wanted: readonly (readonly [string, string])[] = [
      ['grant_type', 'client_credentials'],
      ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
    ]
    if (wanted.some(([name, value]) => asked.get(name) !== value)) return { status: 400, data: { error: 'unsupported_grant_type' } }
    const client = proven(asked.get('client_assertion') ?? '', [...runners], `${service}/_runner/token`)
    if (client === undefined) return { status: 400, data: { error: 'invalid_client' } }
    const token = randomBytes(30).toString('hex')
    this.#tokens.set(token, client)
    return { status: 200, data: { access_token: token, token_type: 'Bearer', expires_in: 3600 } }
  }

  /** The client that a token was issued to. */
  client(authorization: string): string | undefined {
    return this.#tokens.get(authorization.replace(/^Bearer /, ''))
  }
}

function proven(jwt: string, runners: readonly BrokerRunner[], audience: string): string | undefined {
  const [head = '', body = '', signature = ''] = jwt.split('.')
  const read = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  const [{ alg }, claims] = [read(head), read(body)]
  const { iss, sub, aud, jti } = claims
  const runner = runners.find(({ client }) => client === iss)
  const [from, to, now] = [Number(claims['nbf']), Number(claims['exp']), Date.now() / 1000]
  const timely = from <= now + LIFE && to >= now - LIFE && to - from <= LIFE
  if (!runner || sub !== iss || aud !== audience || typeof jti !== 'string' || !timely) return undefined
  // `RequireFipsCryptography`: PSS instead of the older padding.
  const pss = !runner.lasting
  if (alg !== (pss ? 'PS256' : 'RS256')) return undefined
  const padding = pss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  const key = { key: publicKey, padding, ...(pss ? { saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}) }
  return createVerify('sha256').update(`${head}.${body}`).verify(key, signature, 'base64url') ? runner.client : undefined
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
