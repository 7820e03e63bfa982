/**
 * The caller's identity for Azure, first match: the secret or federated token of an application · what `az login` keeps · the identity of the
 * machine. The order is that of Microsoft's clients
 * (https://learn.microsoft.com/azure/developer/javascript/sdk/authentication/credential-chains#defaultazurecredential-overview).
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { jsonIn } from '../../lib/answer.ts'
import { isConfidential } from '../../lib/confidential.ts'
import type { Env } from '../../lib/env.ts'
import { either, line, maybe, number, object, type Shape, text } from '../../lib/shape.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import { idTokenAnswer, idTokenRequest } from '../id-token.ts'
import { type LoginCall, LoginFault, loginAnswer, readAnswer } from '../login-fault.ts'
import { METADATA, METADATA_PATIENCE } from '../metadata-service.ts'

class AzureFault extends LoginFault {
  override readonly name = 'AzureFault'
}

export interface AzureLent {
  readonly credentials: { readonly token: string }
  /** ISO. */
  readonly until: string
}

export interface AzureLogin {
  /** For people. */
  readonly who: string
  /** The whole credential, if it also works on another computer and does not expire. Secret. */
  readonly secret?: AzureSecret
  /** `resource`: an address such as `BLOBS`. Throws AzureFault. */
  lend(resource: string): Promise<AzureLent>
}

/** An application with a secret. */
export interface AzureSecret {
  readonly tenant: string
  readonly client: string
  readonly clientSecret: string
  /** Of another cloud than the public one, or of a test. */
  readonly authority?: string
}

/** The resources for which tpi needs tokens: the Resource Manager of the public cloud, and Blob Storage. */
export const MANAGEMENT = 'https://management.azure.com'
export const BLOBS = 'https://storage.azure.com'

const AUTHORITY = 'https://login.microsoftonline.com'
/** The audience of a forge's token. https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const AUDIENCE = 'api://AzureADTokenExchange'
/** Milliseconds that `az` may take. */
const PATIENCE = 20_000
/** Bytes that it may print. */
const MOST = 1 << 20

/** `undefined`: there is none here. Throws AzureFault if one was set up and cannot be used; no other one is tried instead. */
export async function azureLogin(env: Env): Promise<AzureLogin | undefined> {
  return ofApplication(env) ?? (await ofCommand(env)) ?? (await ofMachine(env))
}

/** The login for a credential that was sent here. */
export function loginOfSecret(secret: AzureSecret): AzureLogin {
  const { client, clientSecret, tenant, authority } = secret
  return {
    who: `the application ${client}`,
    secret,
    lend: async (resource) => await exchange({ tenant, client, authority }, resource, { client_secret: clientSecret }),
  }
}

interface Application {
  readonly tenant: string
  readonly client: string
  readonly authority?: string | undefined
}

function ofApplication(env: Env): AzureLogin | undefined {
  const [tenant, client] = [env['AZURE_TENANT_ID'], env['AZURE_CLIENT_ID']]
  if (!tenant || !client) return undefined
  const authority = env['AZURE_AUTHORITY_HOST'] || undefined
  const clientSecret = env['AZURE_CLIENT_SECRET']
  if (clientSecret) return loginOfSecret({ tenant, client, clientSecret, ...(authority && { authority }) })
  const file = env['AZURE_FEDERATED_TOKEN_FILE']
  const url = env['ACTIONS_ID_TOKEN_REQUEST_URL']
  if (!file && !url) return undefined
  return {
    who: `the application ${client}, by a token ${file ? `in ${file}` : 'that GitHub gives the job'}`,
    async lend(resource) {
      const assertion = file ? await readToken(file) : await idToken(url ?? '', env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '')
      const proof = { client_assertion: assertion, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
      return await exchange({ tenant, client, authority }, resource, proof)
    },
  }
}

async function readToken(file: string): Promise<string> {
  const token = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AzureFault(true, `AZURE_FEDERATED_TOKEN_FILE names "${file}", which cannot be read`, { cause })
  })
  return token.trim()
}

async function idToken(url: string, bearer: string): Promise<string> {
  const [address, request] = idTokenRequest(url, bearer, AUDIENCE)
  return shaped(idTokenAnswer, await ask(address, request), address.host).value
}

interface Answer {
  readonly access_token: string
  /** Seconds; as text from the metadata service. */
  readonly expires_in: number | string
}

const answer = object<Answer>({ access_token: line(65_536), expires_in: either(number(0, 1e9), line(12)) })

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function exchange(
  { tenant, client, authority = AUTHORITY }: Application,
  resource: string,
  proof: Readonly<Record<string, string>>,
): Promise<AzureLent> {
  const url = new URL(`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, scope: `${resource}/.default`, ...proof })
  return lentIn(await ask(url, { method: 'POST', body }), url.host)
}

/** Refuses an address without https, because the secret is sent there. */
function checkedAuthority(text: string): string {
  if (URL.canParse(text) && isConfidential(new URL(text))) return text.replace(/\/+$/, '')
  throw new AzureFault(true, `AZURE_AUTHORITY_HOST is "${oneLine(text).slice(0, 200)}", which is not an https address`)
}

function lentIn(body: string, host: string): AzureLent {
  const { access_token: token, expires_in: seconds } = shaped(answer, body, host)
  return { credentials: { token }, until: new Date(Date.now() + (Number(seconds) || 0) * 1000).toISOString() }
}

const shown = object<{ accessToken: string; expires_on?: number }>({ accessToken: line(65_536), expires_on: maybe(number(0, 1e11)) })

/**
 * What `az` says if it was signed in with an assertion, as the action azure/login does with OIDC. An assertion is accepted only for some
 * minutes: tokens that `az` already has stay valid for an hour or so, but it gets no new ones. https://github.com/Azure/azure-cli/issues/28708
 */
const OUTLIVED = /AADSTS700024/
const INSTEAD =
  'a login by azure/login with OIDC lasts some minutes, and az cannot renew it: give this command AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"'

/** What `az` says if the network is down. */
const AWAY = /timed out|max retries exceeded|failed to establish|connection (aborted|refused|reset)|name resolution/i

async function ofCommand(env: Env): Promise<AzureLogin | undefined> {
  const there = await az(env, ['account', 'show', '--output', 'none']).then(
    () => true,
    () => false,
  )
  if (!there) return undefined
  return {
    who: 'the account that is signed in with az',
    lend: async (resource) => {
      const args = ['account', 'get-access-token', '--resource', resource, '--output', 'json']
      return lentByCommand(
        await az(env, args).catch((error: unknown) => {
          throw commandFault(error)
        }),
      )
    },
  }
}

/** What the program prints. */
async function az(env: Env, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('az', args, { env: { ...env }, timeout: PATIENCE, maxBuffer: MOST })).stdout
}

/**
 * https://learn.microsoft.com/cli/azure/authenticate-azure-cli: `expires_on` is in seconds since 1970, and there from 2.54 on. The older
 * `expiresOn` is a local time without a zone.
 */
function lentByCommand(stdout: string): AzureLent {
  const { accessToken, expires_on: at } = shaped(shown, stdout, 'az')
  if (at === undefined) throw new AzureFault(true, 'az does not say when its token expires: update it to 2.54 or newer')
  return { credentials: { token: accessToken }, until: new Date(at * 1000).toISOString() }
}

function commandFault(cause: unknown): AzureFault {
  const { stderr, signal } = cause as { readonly stderr?: string; readonly signal?: string | null }
  const whole = oneLine(stderr?.trim() || messageOf(cause))
  const end = whole.slice(-300)
  // An error number of Entra: it has answered, and what follows is only advice to log in.
  const answered = whole.indexOf('AADSTS')
  const said = answered < 0 ? end : whole.slice(answered, answered + 300)
  // A signal: the program was killed, possibly by us because it took too long.
  const isAway = Boolean(signal) || (answered < 0 && AWAY.test(end))
  return new AzureFault(!isAway, `"az account get-access-token": ${said}${OUTLIVED.test(said) ? ` (${INSTEAD})` : ''}`, { cause })
}

/** Tried last, and silently: on any other computer nothing answers there. `AZURE_CLIENT_ID` chooses one of several. */
async function ofMachine(env: Env): Promise<AzureLogin | undefined> {
  const lend = async (resource: string): Promise<AzureLent> =>
    await machineToken(resource, env['AZURE_CLIENT_ID'], env['AZURE_POD_IDENTITY_AUTHORITY_HOST'])
  const there = await lend(MANAGEMENT).then(
    () => true,
    (error: unknown) => {
      if (hasSeveral(error))
        throw new AzureFault(true, 'this machine has several identities: set AZURE_CLIENT_ID to the client id of one', { cause: error })
      return false
    },
  )
  return there ? { who: 'the identity of this machine', lend } : undefined
}

/** A machine with several identities has none by default. https://github.com/Azure/azure-sdk-for-rust/pull/748 quotes the answer. */
const hasSeveral = (error: unknown): boolean => error instanceof AzureFault && /multiple user.assigned identities/i.test(error.message)

/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. Throws AzureFault. */
export async function machineToken(resource: string, client?: string, endpoint: string = METADATA): Promise<AzureLent> {
  const url = new URL('/metadata/identity/oauth2/token', endpoint)
  url.search = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...(client && { client_id: client }) }).toString()
  return lentIn(await ask(url, { headers: { metadata: 'true' }, patience: METADATA_PATIENCE, once: true }), url.host)
}

async function ask(url: URL, call: LoginCall): Promise<string> {
  return await loginAnswer(url, call, { Fault: AzureFault, words })
}

const refusal = object<{ error_description: string }>({ error_description: text(65_536) })

/** The first line of what Entra says: the rest names times and traces. */
const words = (said: unknown): string => refusal(said).error_description.split(/\r?\n/)[0] ?? ''

function shaped<T>(shape: Shape<T>, body: string, host: string): T {
  return readAnswer(host, AzureFault, () => shape(jsonIn(body)))
}
