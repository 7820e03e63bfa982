/**
 * The caller's identity for Google, first match: a token in a variable · a credential in a variable · the file that a variable names · what
 * gcloud has stored · the machine's own service account. The last three are the order of Google's clients
 * (https://docs.cloud.google.com/docs/authentication/application-default-credentials); the first two win in `gcloud`, in other tools and in TPI.
 */
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Env } from '../../lib/env.ts'
import { isGone } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'
import { type FileLogin, GoogleFault, type GoogleLent, loginOfFile } from './exchange.ts'
import { GoogleMetadata } from './metadata.ts'

export { GoogleFault } from './exchange.ts'

export interface GoogleLogin {
  /** For people. */
  readonly who: string
  /** Of a service account, if it is known. */
  readonly email?: string
  /** The project that the credential itself names. */
  readonly project?: string
  /** The whole credential, if it also works on another computer and does not expire. Secret. */
  readonly file?: string
  /** Throws GoogleFault. */
  lend(): Promise<GoogleLent>
}

const INLINE = ['GOOGLE_APPLICATION_CREDENTIALS_DATA', 'GOOGLE_CREDENTIALS']
const TOKENS = ['CLOUDSDK_AUTH_ACCESS_TOKEN', 'GOOGLE_OAUTH_ACCESS_TOKEN']
const PROJECTS = ['GOOGLE_CLOUD_PROJECT', 'CLOUDSDK_CORE_PROJECT', 'GCLOUD_PROJECT', 'GOOGLE_PROJECT']

/** `undefined`: there is none here. Throws GoogleFault if one was set up and cannot be used; no other one is tried instead. */
export async function googleLogin(env: Env): Promise<GoogleLogin | undefined> {
  return ofToken(env) ?? ofVariable(env) ?? (await ofFile(env)) ?? (await ofGcloud(env)) ?? (await ofMachine(env))
}

/** The project to use: from the usual variables, otherwise the credential's own. */
export function projectOf(env: Env, login?: Pick<GoogleLogin, 'project'>): string | undefined {
  return first(env, PROJECTS)?.value ?? login?.project
}

function ofVariable(env: Env): GoogleLogin | undefined {
  const found = first(env, INLINE)
  // Some tools take a path in GOOGLE_CREDENTIALS.
  if (!found?.value.trimStart().startsWith('{')) return undefined
  return ofContent(found.value, found.name)
}

async function ofFile(env: Env): Promise<GoogleLogin | undefined> {
  const path = env['GOOGLE_APPLICATION_CREDENTIALS']
  if (!path) return undefined
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new GoogleFault(true, `GOOGLE_APPLICATION_CREDENTIALS names "${path}", which cannot be read`, { cause })
  })
  return ofContent(content, 'GOOGLE_APPLICATION_CREDENTIALS')
}

function ofToken(env: Env): GoogleLogin | undefined {
  const found = first(env, TOKENS)
  if (!found) return undefined
  return { who: `the token in ${found.name}`, lend: async () => ({ credentials: { token: found.value.trim() } }) }
}

async function ofGcloud(env: Env): Promise<GoogleLogin | undefined> {
  const home = env['HOME'] ?? ''
  const folder = env['CLOUDSDK_CONFIG'] || (isAbsolute(home) ? join(home, '.config', 'gcloud') : undefined)
  if (folder === undefined) return undefined
  const path = join(folder, 'application_default_credentials.json')
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (isGone(cause)) return undefined
    throw new GoogleFault(true, `"${path}" cannot be read`, { cause })
  })
  return content === undefined ? undefined : ofContent(content, `"${path}"`)
}

/** Tried last, and silently: on any other computer nothing answers there. */
async function ofMachine(env: Env): Promise<GoogleLogin | undefined> {
  if (env['NO_GCE_CHECK'] === 'true' || env['METADATA_SERVER_DETECTION'] === 'none') return undefined
  const metadata = new GoogleMetadata(env['GCE_METADATA_HOST'] || undefined)
  const there = await metadata.token().then(
    () => true,
    () => false,
  )
  if (!there) return undefined
  const [email, project] = await Promise.all(
    ['instance/service-accounts/default/email', 'project/project-id'].map((path) => metadata.get(path).catch(() => undefined)),
  )
  return {
    who: email === undefined ? 'the service account of this machine' : `the service account ${email} of this machine`,
    ...(email && { email }),
    ...(project && { project }),
    lend: async () =>
      await metadata.token().catch((cause: unknown) => {
        throw new GoogleFault(false, messageOf(cause), { cause })
      }),
  }
}

/** The login for a credential that was sent here. */
export function loginOf(content: string): GoogleLogin {
  return ofContent(content, 'the storage')
}

function ofContent(content: string, where: string): GoogleLogin {
  const named = (error: unknown): unknown =>
    error instanceof GoogleFault ? new GoogleFault(error.final, `the credential of ${where}: ${error.message}`, { cause: error }) : error
  let login: FileLogin
  try {
    login = loginOfFile(content)
  } catch (error) {
    throw named(error)
  }
  const { portable, ...rest } = login
  return {
    ...rest,
    who: `${login.who} (${where})`,
    ...(portable && { file: content }),
    lend: async () =>
      await login.lend().catch((error: unknown) => {
        throw named(error)
      }),
  }
}

function first(env: Env, names: readonly string[]): { readonly name: string; readonly value: string } | undefined {
  for (const name of names) {
    const value = env[name]
    if (value) return { name, value }
  }
  return undefined
}
