/**
 * Where a controller's keys come from, and how it gets new ones when they expire. The first source that has keys counts, in the order of the `aws`
 * command: variables · a role that is assumed with the token of an identity provider (OIDC) · the profile · what AWS gives its containers and
 * machines.
 */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { isConfidential } from '../../lib/confidential.ts'
import type { Env } from '../../lib/env.ts'
import { ask as askHttp, type HttpCall } from '../../lib/http.ts'
import { run } from '../../lib/run.ts'
import { oneLine } from '../../lib/text.ts'
import { Imds, keysIn } from '../../vendors/aws/imds.ts'
import { endpointIn, serviceHost } from '../../vendors/aws/service.ts'
import { idTokenAnswer, idTokenRequest } from '../../vendors/id-token.ts'
import { askedAgain } from '../../vendors/login-fault.ts'
import { type Lent, notLent } from '../../wire/credentials.ts'
import { parseShape } from '../../wire/parse.ts'
import { type Credentials, StoreError } from '../../wire/store.ts'
import { childrenOf, parseXml, textOf } from '../xml.ts'
import { errorElement } from './errors.ts'

type Profile = ReadonlyMap<string, string>

/** A source of keys. Resolves to `undefined` if this computer does not have it. `again`: it had, so a failure is an error. */
type Link = (again: boolean) => Promise<Lent | undefined>

export interface Chain {
  readonly lent: Lent
  /** Gets new ones; absent if there never are any. */
  readonly lend?: () => Promise<Lent>
}

export interface Where {
  readonly env: Env
  /** Read again each time: a sign-in writes new keys into it. */
  readonly profile: () => Promise<Profile>
  /** The user named the profile by option: it wins over everything in the environment. */
  readonly named: boolean
  readonly region: string | undefined
}

/** Milliseconds for one answer. */
const PATIENCE = 20_000
/** Bytes at most of what a program prints or a server answers. */
const MOST = 1 << 20
/** The audience of a token that we ask for. */
const AUDIENCE = 'sts.amazonaws.com'
const CONTAINER = 'http://169.254.170.2'
/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html: plain http only to these hosts, and to this one. */
const PLAIN_HOSTS = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']

/** Keys of the first source that has any; `undefined`: none has. Throws StoreError if a source that was set up fails. */
export async function chainOf({ env, profile, named, region }: Where): Promise<Chain | undefined> {
  const own = named ? undefined : ofVariables(env)
  if (own) return { lent: own }
  const around: readonly Link[] = [async () => ofContainer(env), async (again) => ofMachine(env, again)]
  const said: readonly Link[] = named ? [] : [async () => ofToken(env, region)]
  const alone = named || meansAnother(await profile())
  for (const link of [...said, async () => ofProfile(await profile()), ...(alone ? [] : around)]) {
    const lent = await link(false)
    if (lent) return { lent, lend: renewed(lent, link) }
  }
  return undefined
}

/** Gets new keys from the same source. Those without an expiry are renewed only after a refusal: if the source has no others, that is final. */
function renewed(first: Lent, link: Link): () => Promise<Lent> {
  let last = first
  return async () => {
    const lent = (await link(true)) ?? gone()
    if (lent.until === undefined && isDeepStrictEqual(lent, last))
      throw new StoreError('denied', 'storage: the credentials have expired, and their source has no new ones yet: sign in again')
    last = lent
    return lent
  }
}

function gone(): never {
  throw new StoreError('denied', 'storage: the credentials are no longer where they were at the start')
}

function ofVariables(env: Env): Lent | undefined {
  const credentials = pack(env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY'], env['AWS_SESSION_TOKEN'])
  const until = env['AWS_CREDENTIAL_EXPIRATION']
  return credentials && { credentials, ...(until && !Number.isNaN(Date.parse(until)) && { until: new Date(until).toISOString() }) }
}

/**
 * Whether the profile signs in or assumes a role, which only AWS's own tools can do. Then the keys of the machine are not used: they have other
 * rights, perhaps in another account, and the user has not asked for them.
 */
function meansAnother(profile: Profile): boolean {
  return [...profile.keys()].some((name) => /^(?:sso_|role_arn$|source_profile$|credential_source$|login_session$)/.test(name))
}

/** Keys in the files, or those that the profile's `credential_process` prints (such as `aws configure export-credentials`). */
async function ofProfile(profile: Profile): Promise<Lent | undefined> {
  const credentials = pack(profile.get('aws_access_key_id'), profile.get('aws_secret_access_key'), profile.get('aws_session_token'))
  if (credentials) return { credentials }
  const command = profile.get('credential_process')
  if (!command) return undefined
  return await trying('the credential_process of the profile', async () => {
    const { stdout } = await run('/bin/sh', ['-c', command], { timeout: PATIENCE, maxBuffer: MOST }).catch(refusal)
    return keysIn(stdout)
  })
}

/** The failure is final if the command ended by itself. If it could not be started, or took too long, another try may succeed. */
function refusal(error: Error & { readonly code?: unknown; readonly stderr?: string }): never {
  if (typeof error.code !== 'number') throw error
  const said = oneLine((error.stderr ?? '').trim()).slice(-300)
  throw new Refused(`it ends with ${error.code}${said === '' ? '' : `: ${said}`}`)
}

function pack(accessKeyId?: string, secretAccessKey?: string, sessionToken?: string): Credentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

/** A role, assumed with a token that is in a file or, in a job of GitHub, comes from GitHub. */
async function ofToken(env: Env, region: string | undefined): Promise<Lent | undefined> {
  const role = env['AWS_ROLE_ARN']
  const file = env['AWS_WEB_IDENTITY_TOKEN_FILE']
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL']
  if (!role || !(file || url)) return undefined
  const once = async (): Promise<Lent> => {
    const token = file ? (await readFile(file, 'utf8')).trim() : await idToken(url ?? '', env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '')
    return await assume(env, role, token, region ?? 'us-east-1')
  }
  return await trying(`the role ${role}`, async () => askedAgain(once, (error) => !(error instanceof Refused)))
}

async function idToken(url: string, bearer: string): Promise<string> {
  const [address, request] = idTokenRequest(url, bearer, AUDIENCE)
  return parseShape(idTokenAnswer, await ask(address, request)).value
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html. The request is not signed: the token is the proof. */
async function assume(env: Env, role: string, token: string, region: string): Promise<Lent> {
  const endpoint = endpointIn(env, 'STS') ?? `https://${serviceHost('sts', region)}`
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: env['AWS_ROLE_SESSION_NAME'] || 'tpi',
    WebIdentityToken: token,
  })
  const answer = await ask(new URL(endpoint), { method: 'POST', body: form })
  const [result] = childrenOf(parseXml(answer.trim()), 'AssumeRoleWithWebIdentityResult')
  const [keys] = result ? childrenOf(result, 'Credentials') : []
  const found = keys && pack(textOf(keys, 'AccessKeyId'), textOf(keys, 'SecretAccessKey'), textOf(keys, 'SessionToken'))
  const until = keys && textOf(keys, 'Expiration')
  if (!found || !until) throw new Error('its answer has no credentials')
  return { credentials: found, until }
}

async function ofContainer(env: Env): Promise<Lent | undefined> {
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const full = relative ? CONTAINER + relative : env['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (!full) return undefined
  return await trying('the container', async () => {
    const url = new URL(full)
    if (!isConfidential(url, PLAIN_HOSTS)) throw new Error(`${url.origin} is plain http to another host`)
    const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
    const authorization = file ? (await readFile(file, 'utf8')).trim() : env['AWS_CONTAINER_AUTHORIZATION_TOKEN']
    return keysIn(await ask(url, { headers: { ...(authorization && { authorization }) } }))
  })
}

/** Comes last. At first, a failure only means that this is not a machine of AWS: nothing answers at that address. */
async function ofMachine(env: Env, again: boolean): Promise<Lent | undefined> {
  if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') return undefined
  const imds = new Imds(env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || undefined)
  if (!again) return await imds.roleCredentials().catch(() => undefined)
  return await trying('the role of this machine', async () => imds.roleCredentials())
}

class Refused extends Error {}

/** Codes that are worth another try, although their status is 400: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html#API_AssumeRoleWithWebIdentity_Errors */
const PASSING = new Set(['IDPCommunicationError', 'Throttling', 'ThrottlingException'])

async function ask(url: URL, call: Pick<HttpCall, 'method' | 'headers' | 'body'>): Promise<string> {
  const { ok, status, text = '' } = await askHttp(url, { ...call, patience: PATIENCE, most: MOST })
  if (ok) return text
  const error = errorElement(Buffer.from(text))
  const code = (error && textOf(error, 'Code')) ?? ''
  const said = error ? `${code}: ${textOf(error, 'Message') ?? ''}` : ''
  const Fault = status >= 500 || status === 429 || PASSING.has(code) ? Error : Refused
  throw new Fault(`answers ${status}${said === '' ? '' : ` ${said.replace(/\s+/g, ' ').slice(0, 300)}`}`)
}

/** Runs `body`; its failure becomes a StoreError that names the source (`who`). No other source is tried in its place. */
async function trying<T>(who: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw notLent(error instanceof Refused ? 'denied' : 'unavailable', who, error)
  }
}
