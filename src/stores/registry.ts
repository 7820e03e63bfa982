/** The list of stores: one line per scheme. */
import { resolve } from 'node:path'
import { isThisHost } from '../lib/confidential.ts'
import type { Env } from '../lib/env.ts'
import type { Lender } from '../wire/credentials.ts'
import { type OpenStore, type Store, type StoreAccess, StoreError } from '../wire/store.ts'
import { azFault, gsFault, s3Fault } from './bucket-url.ts'
import { dirFault, dirPath, dirUrl } from './dir/url.ts'
import { httpFault } from './http/url.ts'

interface Scheme {
  /** What its URLs look like, for people; absent if users cannot use it. */
  readonly like?: string
  /** What such a bucket may be, for people; absent if it is not a bucket. */
  readonly bucket?: string
  /** What is wrong with a URL of this scheme, for people. */
  readonly fault: (url: URL) => string | undefined
  /** The folder of this computer that a URL means. */
  readonly folder?: (url: string) => string
  readonly load: () => Promise<{ readonly open: OpenStore }>
  /** Finds the controller's credentials and settings for a store of this scheme; absent if none are needed. */
  readonly access?: () => Promise<{ readonly accessFromEnv: AccessFromEnv }>
  /** Matches names of variables with its credentials, or with the path of their file or of the folder in which a login tool keeps them. */
  readonly variables: RegExp | 'none'
  /** How a request proves its right. A token opens more than this store, so it is sent to these hosts only, unless the user names another. */
  readonly proof: 'none' | 'signature' | { readonly tokenTo: RegExp }
}

type AccessFromEnv = (
  url: string,
  env: Env,
  options: Pick<StoreParams, 'region' | 'endpoint' | 'profile' | 'clock'>,
) => Promise<StoreAccess>

/** Options about the store; each wins over the environment. */
export interface StoreParams {
  readonly region?: string | undefined
  readonly endpoint?: string | undefined
  /** A profile of `~/.aws`. */
  readonly profile?: string | undefined
  /** Plain http is allowed, to any host. */
  readonly insecure?: boolean | undefined
  /** The clock of the process that keeps the store open. */
  readonly clock?: Lender['clock'] | undefined
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  s3: {
    like: 's3://BUCKET/PREFIX',
    bucket: 'anything that speaks S3',
    fault: s3Fault,
    load: () => import('./s3/index.ts'),
    access: () => import('./s3/access.ts'),
    variables:
      /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|SECURITY_TOKEN|WEB_IDENTITY_TOKEN\w*|CONTAINER_\w+|SHARED_CREDENTIALS_FILE|CONFIG_FILE|LOGIN_CACHE_DIRECTORY)$/,
    proof: 'signature',
  },
  gs: {
    like: 'gs://BUCKET/PREFIX',
    bucket: 'Google Cloud Storage',
    fault: gsFault,
    load: () => import('./gs/index.ts'),
    access: () => import('./gs/access.ts'),
    variables:
      /^(?:GOOGLE_APPLICATION_CREDENTIALS\w*|GOOGLE_CREDENTIALS|GOOGLE_GHA_CREDS_PATH|CLOUDSDK_AUTH_\w+|CLOUDSDK_CONFIG|GOOGLE_OAUTH_ACCESS_TOKEN)$/,
    // https://cloud.google.com/storage/docs/request-endpoints
    proof: { tokenTo: /\.googleapis\.com$/ },
  },
  az: {
    like: 'az://ACCOUNT/CONTAINER/PREFIX',
    bucket: 'Azure Blob Storage',
    fault: azFault,
    load: () => import('./az/index.ts'),
    access: () => import('./az/access.ts'),
    variables:
      /^(?:AZURE|ARM)_(?:CLIENT_SECRET|CLIENT_CERTIFICATE\w*|PASSWORD|ACCESS_KEY|SAS_TOKEN|OIDC_\w*|FEDERATED_TOKEN\w*|STORAGE_\w*KEY|STORAGE_CONNECTION_STRING|CONFIG_DIR)$/,
    // https://learn.microsoft.com/azure/storage/common/storage-account-overview
    proof: { tokenTo: /\.blob\.(core\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)|storage\.azure\.net)$/ },
  },
  dir: {
    like: 'dir:///FOLDER or the path of a folder',
    fault: dirFault,
    folder: dirPath,
    load: () => import('./dir/index.ts'),
    variables: 'none',
    proof: 'none',
  },
  // Ours, beside machines: users cannot name one.
  http: { fault: httpFault, load: () => import('./http/index.ts'), variables: 'none', proof: 'none' },
  https: { fault: httpFault, load: () => import('./http/index.ts'), variables: 'none', proof: 'none' },
}

/** What users write for a bucket, and what it may be. */
export const bucketForms: readonly { readonly like: string; readonly bucket: string }[] = Object.values(SCHEMES).flatMap(
  ({ like, bucket }) => (like !== undefined && bucket !== undefined ? [{ like, bucket }] : []),
)

/** Whether a variable of this name holds a credential for a store, or the path of one or of a folder of them. */
export function opensStore(variable: string): boolean {
  return Object.values(SCHEMES).some(({ variables }) => variables !== 'none' && variables.test(variable))
}

/** What is sent there does not leave this computer: `*.localhost` always names it (RFC 6761). */
const isNear = (host: string): boolean => isThisHost(host) || host.endsWith('.localhost')

/** Whether a store of this URL sends a token, and `host` is neither the vendor's nor this computer. */
export function leaksToken(url: string, host: string): boolean {
  const proof = known(url)?.proof
  return typeof proof === 'object' && !proof.tokenTo.test(host) && !isNear(host)
}

const ALLOWED = `allowed: ${Object.values(SCHEMES)
  .map(({ like }) => like)
  .filter((like) => like !== undefined)
  .join(', ')}`

/** Opens the store of a URL or an absolute path; makes no call yet. Throws kind `invalid` with a sentence for the user. */
export async function openStore(access: StoreAccess): Promise<Store> {
  const url = parseStoreUrl(access.url)
  const { open } = await schemeOf(url).load()
  return await open({ ...access, url })
}

/** Where on this computer a store keeps its files; `undefined` for one that is elsewhere. */
export function storeFolder(url: string): string | undefined {
  return known(url)?.folder?.(url)
}

/** The place with the credentials that this controller has for it, from options and environment. Throws kind `denied` without any. */
export async function storeAccess(place: StoreAccess, env: Env, params: StoreParams = {}): Promise<StoreAccess> {
  const access = await found(schemeOf(place.url), place, env, params)
  if (!isReadable(access) || brought(place)) return access
  if (params.insecure !== true && place.settings?.[PLAIN] !== 'true') throw plain(access)
  // Recorded, so that later commands do not need the option again.
  return { ...access, settings: { ...access.settings, [PLAIN]: 'true' } }
}

async function found({ access }: Scheme, place: StoreAccess, env: Env, params: StoreParams): Promise<StoreAccess> {
  if (!access || brought(place)) return place
  const { accessFromEnv } = await access()
  const { region = place.settings?.['region'], profile, clock } = params
  const recorded = place.settings?.['endpoint']
  const at = async (endpoint: string | undefined) => accessFromEnv(place.url, env, { region, endpoint, profile, clock })
  if (params.endpoint !== undefined || recorded === undefined || !wouldLeakTo(place.url, recorded)) return at(params.endpoint ?? recorded)
  // The recorded endpoint comes from a run's tags, which anyone may write who may make machines. It alone must not decide who gets a token.
  const named = (await at(undefined)).settings?.['endpoint']
  // Origins are compared, because the address in Google's own variable also has the path of the API.
  if (named === undefined || new URL(named).origin !== new URL(recorded).origin) throw onlyRecorded(place.url, recorded)
  return at(recorded)
}

const wouldLeakTo = (url: string, endpoint: string): boolean => URL.canParse(endpoint) && leaksToken(url, new URL(endpoint).hostname)

function onlyRecorded(url: string, endpoint: string): StoreError {
  const why = `the run says that "${url}" is at "${endpoint}", which would get the token that opens ${nameOf(url)}:// for you`
  return new StoreError('invalid', `storage: ${why}; if that is intended, give this address as "storage-endpoint"`)
}

/** The setting that records that the user has allowed plain http. */
const PLAIN = 'plain'

/** Anyone on the network path can read and change what is sent. */
function isReadable({ url, settings }: StoreAccess): boolean {
  const { protocol, hostname } = new URL(settings?.['endpoint'] ?? url)
  return protocol === 'http:' && !isNear(hostname)
}

/** Whether the place came with credentials: a cloud has its own for its stores, and secures the connection itself. */
const brought = (place: StoreAccess): boolean => place.credentials !== undefined || place.source !== undefined

function plain({ url, settings }: StoreAccess): StoreError {
  const address = settings?.['endpoint'] ?? url
  const why = 'anyone on the network path could read and change all of it, and read the token of temporary credentials'
  return new StoreError('invalid', `storage: "${address}" is plain http: ${why}; use https, or allow it with "storage-insecure"`)
}

/**
 * The URL that a user's `storage:` means, checked. A path becomes `dir:///…`; a relative one needs `base`, the folder that it starts from.
 * Throws kind `invalid` with a sentence for the user, which never shows a credential.
 */
export function parseStoreUrl(text: string, base?: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(text, 'is empty')
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(trimmed)) return parsePath(trimmed, base)
  if (!URL.canParse(trimmed)) throw invalid(text, 'is not a URL')
  const url = new URL(trimmed)
  if (url.username !== '' || url.password !== '')
    throw invalid(`${url.protocol}//***@${url.host}${url.pathname}`, 'carries credentials: give them by the environment')
  if (url.search !== '' || url.hash !== '') throw invalid(text, 'has a "?" or "#" part: give credentials by the environment')
  const fault = schemeOf(trimmed).fault(url)
  if (fault) throw invalid(text, fault)
  return url.href.replace(/\/+$/, '')
}

/** The program that puts any store behind HTTP for the machine beside it; resolves to its exit code. */
export async function serveGate(argv: readonly string[]): Promise<number> {
  return await (await import('./gate.ts')).serveGate(argv, openStore)
}

/** The program that puts a folder store behind HTTP; resolves to its exit code. */
export async function serveStore(argv: readonly string[]): Promise<number> {
  return await (await import('./serve.ts')).serveStore(argv)
}

function parsePath(path: string, base: string | undefined): string {
  if (path.startsWith('~')) throw invalid(path, 'begins with "~", which no shell has replaced')
  if (base === undefined && !path.startsWith('/')) throw invalid(path, 'is neither a URL nor an absolute path')
  const url = dirUrl(resolve(base ?? '/', path))
  const fault = dirFault(new URL(url))
  if (fault) throw invalid(path, fault)
  return url
}

const nameOf = (url: string): string => url.slice(0, url.indexOf(':')).toLowerCase()

function known(url: string): Scheme | undefined {
  const name = nameOf(url)
  return Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined
}

function schemeOf(url: string): Scheme {
  const scheme = known(url)
  if (!scheme) throw invalid(url, `has the unknown scheme "${nameOf(url)}"`)
  return scheme
}

function invalid(text: string, fault: string): StoreError {
  return new StoreError('invalid', `storage: "${shown(text)}" ${fault}; ${ALLOWED}`)
}

/** Without what may be a credential: a user and password, and everything behind "?" or "#", such as the SAS token in an address of Azure. */
function shown(text: string): string {
  return text.replace(/\/\/.*:.*@/s, '//***@').replace(/([?#]).+$/s, '$1***')
}
