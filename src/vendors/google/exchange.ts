/** Tokens by a credential file of Google: each type of file has its own way to get them (https://google.aip.dev/auth). */

import { readFile } from 'node:fs/promises'
import { jsonIn } from '../../lib/answer.ts'
import { isConfidential } from '../../lib/confidential.ts'
import { fieldsIn } from '../../lib/record.ts'
import { dictionary, json, line, list, Misfit, maybe, object, type Shape, text, time } from '../../lib/shape.ts'
import { signedToken } from '../../lib/signed-token.ts'
import { oneLine } from '../../lib/text.ts'
import { type LoginCall, LoginFault, loginAnswer, readAnswer } from '../login-fault.ts'
import { METADATA_HOST } from '../metadata-service.ts'
import { tokenIn } from './metadata.ts'

export interface GoogleLent {
  readonly credentials: { readonly token: string }
  /** ISO. */
  readonly until?: string
}

export interface FileLogin {
  /** For people: what kind of account it is, and its name. */
  readonly who: string
  readonly email?: string
  readonly project?: string
  lend(): Promise<GoogleLent>
  /** It needs nothing but the file, so the file can be sent to a machine and works there for as long as here. */
  readonly portable: boolean
}

export class GoogleFault extends LoginFault {
  override readonly name = 'GoogleFault'
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
/** Seconds: the longest that Google lends for without being asked to. */
const HOUR = 3600

const long = line(8192)

/** By the `type` of the file. */
const TYPES: Readonly<Record<string, (file: unknown) => FileLogin>> = {
  service_account: serviceAccount,
  authorized_user: authorizedUser,
  external_account: externalAccount,
  impersonated_service_account: impersonated,
}

/** Throws GoogleFault if it is not such a file. Makes no call yet. */
export function loginOfFile(content: string): FileLogin {
  const file = jsonIn(content)
  if (file === undefined) throw new GoogleFault(true, 'it is not JSON')
  const { type = '' } = shaped(object<{ type?: string }>({ type: maybe(line(64)) }), file)
  const make = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (!make) throw new GoogleFault(true, `its type is "${type}"; allowed: ${Object.keys(TYPES).join(', ')}`)
  return make(file)
}

interface ServiceAccount {
  readonly client_email: string
  readonly private_key: string
  readonly private_key_id?: string
  readonly token_uri?: string
  readonly project_id?: string
}

const serviceAccountShape = object<ServiceAccount>({
  client_email: line(512),
  private_key: text(65_536),
  private_key_id: maybe(line(512)),
  token_uri: maybe(long),
  project_id: maybe(line(256)),
})

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest: an assertion that the key signs. */
function serviceAccount(value: unknown): FileLogin {
  const file = shaped(serviceAccountShape, value)
  const uri = address(file.token_uri ?? TOKEN_URI)
  return {
    who: `the service account ${file.client_email}`,
    email: file.client_email,
    ...(file.project_id && { project: file.project_id }),
    portable: true,
    lend: async () => {
      const assertion = signed(file, uri.href)
      return await post(uri, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    },
  }
}

function signed({ client_email: iss, private_key: key, private_key_id: kid }: ServiceAccount, aud: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss, scope: SCOPE, aud, iat: now, exp: now + HOUR }
  try {
    return signedToken({ alg: 'RS256', typ: 'JWT', ...(kid && { kid }) }, claims, key)
  } catch (cause) {
    throw new GoogleFault(true, 'its "private_key" is not an RSA key in PEM format', { cause })
  }
}

interface AuthorizedUser {
  readonly client_id: string
  readonly client_secret: string
  readonly refresh_token: string
  readonly token_uri?: string
  readonly quota_project_id?: string
}

const authorizedUserShape = object<AuthorizedUser>({
  client_id: long,
  client_secret: long,
  refresh_token: long,
  token_uri: maybe(long),
  quota_project_id: maybe(line(256)),
})

/** https://developers.google.com/identity/protocols/oauth2/web-server#offline: what `gcloud auth application-default login` leaves. */
function authorizedUser(value: unknown): FileLogin {
  const { token_uri: uri = TOKEN_URI, quota_project_id: project, ...fields } = shaped(authorizedUserShape, value)
  const url = address(uri)
  return {
    who: 'the user who has signed in with gcloud',
    ...(project && { project }),
    portable: true,
    lend: async () => await post(url, { ...fields, grant_type: 'refresh_token' }),
  }
}

interface Source {
  readonly file?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly format?: { readonly type?: string; readonly subject_token_field_name?: string }
}

interface ExternalAccount {
  readonly audience: string
  readonly subject_token_type: string
  readonly token_url: string
  readonly service_account_impersonation_url?: string
  readonly credential_source: Source
}

const externalAccountShape = object<ExternalAccount>({
  audience: long,
  subject_token_type: long,
  token_url: long,
  service_account_impersonation_url: maybe(long),
  credential_source: object<Source>({
    file: maybe(long),
    url: maybe(long),
    headers: maybe(dictionary(line(256), long, 32)),
    format: maybe(object<NonNullable<Source['format']>>({ type: maybe(line(16)), subject_token_field_name: maybe(line(256)) })),
  }),
})

/**
 * Workload identity federation (https://google.aip.dev/auth/4117): exchanges a token of an issuer whom Google trusts for one of Google's,
 * and that for one of a service account, if the file names one.
 */
function externalAccount(value: unknown): FileLogin {
  const file = shaped(externalAccountShape, value)
  const { file: path, url } = file.credential_source
  if (!path && !url)
    throw new GoogleFault(true, 'its "credential_source" names neither "file" nor "url": tokens of programs and of AWS are not supported')
  const sts = address(file.token_url)
  const onward = file.service_account_impersonation_url
  const email = onward && accountIn(onward)
  return {
    who: `workload identity federation${email ? ` as ${email}` : ''}`,
    ...(email && { email }),
    portable: false,
    lend: async () => {
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        audience: file.audience,
        scope: SCOPE,
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: await subjectToken(file.credential_source),
        subject_token_type: file.subject_token_type,
      }
      const lent = await post(sts, form)
      return onward ? await impersonate(address(onward), lent.credentials.token) : lent
    },
  }
}

async function subjectToken({ file, url, headers, format }: Source): Promise<string> {
  const said = file
    ? await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new GoogleFault(true, `the token file "${file}" cannot be read`, { cause })
      })
    : await ask(address(url ?? ''), { headers: headers ?? {} })
  if (format?.type !== 'json') return said.trim()
  const name = format.subject_token_field_name ?? ''
  const token = fieldsIn(jsonIn(said))[name]
  if (typeof token === 'string' && token !== '') return token
  throw new GoogleFault(true, `there is no token under "${name}" where its "credential_source" says`)
}

interface Impersonated {
  readonly service_account_impersonation_url: string
  readonly delegates?: readonly string[]
  readonly source_credentials: unknown
}

const impersonatedShape = object<Impersonated>({
  service_account_impersonation_url: long,
  delegates: maybe(list(line(512), 32)),
  source_credentials: json(),
})

/** `gcloud auth application-default login --impersonate-service-account`: one login that may speak for another. */
function impersonated(value: unknown): FileLogin {
  const { service_account_impersonation_url: url, source_credentials: source, delegates } = shaped(impersonatedShape, value)
  const own = loginOfFile(JSON.stringify(source))
  const onward = address(url)
  const email = accountIn(url)
  return {
    ...own,
    who: `${email ?? 'a service account'}, impersonated by ${own.who}`,
    ...(email && { email }),
    lend: async () => await impersonate(onward, (await own.lend()).credentials.token, delegates),
  }
}

const accountIn = (url: string): string | undefined => /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url)?.[1]

const generated = object<{ accessToken: string; expireTime: string }>({ accessToken: line(65_536), expireTime: time })

/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function impersonate(url: URL, token: string, delegates?: readonly string[]): Promise<GoogleLent> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...(delegates && { delegates }), scope: [SCOPE], lifetime: `${HOUR}s` })
  const said = await ask(url, { method: 'POST', headers, body })
  const { accessToken, expireTime } = readAnswer(url.host, GoogleFault, () => generated(jsonIn(said)))
  return { credentials: { token: accessToken }, until: expireTime }
}

function address(url: string): URL {
  const found = URL.canParse(url) ? new URL(url) : undefined
  if (found && isConfidential(found, [METADATA_HOST])) return found
  throw new GoogleFault(true, `it names "${oneLine(url).slice(0, 200)}", which is not an https address`)
}

/** The token that a service of OAuth gives for a form. */
async function post(url: URL, form: Readonly<Record<string, string>>): Promise<GoogleLent> {
  const said = await ask(url, { method: 'POST', body: new URLSearchParams(form) })
  return readAnswer(url.host, GoogleFault, () => tokenIn(said))
}

const refusal = object<{ error?: unknown; error_description?: string }>({ error: maybe(json()), error_description: maybe(text(4096)) })
const detail = object<{ message?: string }>({ message: maybe(text(4096)) })

async function ask(url: URL, call: LoginCall): Promise<string> {
  return await loginAnswer(url, call, { Fault: GoogleFault, words })
}

/** OAuth answers with a word and a sentence; Google's other services have a message in an object. */
function words(said: unknown): string {
  const { error, error_description: more } = refusal(said)
  return (typeof error === 'string' ? [error, more] : [detail(error).message]).filter(Boolean).join(': ')
}

/** The fields of a file. */
function shaped<T>(shape: Shape<T>, file: unknown): T {
  try {
    return shape(file)
  } catch (error) {
    if (error instanceof Misfit) throw new GoogleFault(true, error.message)
    throw error
  }
}
