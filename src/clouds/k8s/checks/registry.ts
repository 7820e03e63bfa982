/** What a registry knows of an image, asked as a node would ask (OCI Distribution Specification 1.1; tokens as CNCF Distribution's "token" specification). */
import { messageOf } from '../../../lib/text.ts'
import { type ImageName, USUAL_REGISTRY } from '../image-name.ts'
import type { Login } from './pull-login.ts'

export type Answer =
  /** `platforms`: such as `linux/amd64`; none where the registry does not say. */
  | { readonly state: 'there'; readonly platforms: readonly string[] }
  | { readonly state: 'missing' }
  /** A registry that hides what is not for everybody says so of what does not exist, too. */
  | { readonly state: 'denied' }
  | { readonly state: 'unknown'; readonly why: string }

/** Where the registry that is called `docker.io` answers. */
const DOCKER_HUB = 'registry-1.docker.io'
/** Milliseconds for all of one image. */
const PATIENCE = 10_000

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

interface Platform {
  readonly os?: string
  readonly architecture?: string
}

interface Manifest {
  readonly manifests?: readonly { readonly platform?: Platform }[]
  readonly config?: { readonly digest?: string }
}

export async function askRegistry({ registry, path, version }: ImageName, login?: Login): Promise<Answer> {
  const base = `${originOf(registry)}/v2/${path}`
  const call = { accept: MANIFESTS.join(', '), login, signal: AbortSignal.timeout(PATIENCE) }
  try {
    const answer = await ask(`${base}/manifests/${version.slice(1)}`, call)
    if (answer.status === 404) return { state: 'missing' }
    if (answer.status === 401 || answer.status === 403) return { state: 'denied' }
    if (!answer.ok) return { state: 'unknown', why: `it answers ${answer.status}` }
    const { manifests, config } = (await answer.json()) as Manifest
    if (manifests) return { state: 'there', platforms: named(manifests.map(({ platform }) => platform)) }
    if (config?.digest === undefined) return { state: 'there', platforms: [] }
    const made = await ask(`${base}/blobs/${config.digest}`, { ...call, accept: '*/*' })
    return { state: 'there', platforms: made.ok ? named([(await made.json()) as Platform]) : [] }
  } catch (error) {
    return { state: 'unknown', why: reasonOf(error) }
  }
}

/** As container runtimes do: without TLS on this very machine only. */
function originOf(registry: string): string {
  if (registry === USUAL_REGISTRY) return `https://${DOCKER_HUB}`
  const { hostname } = new URL(`https://${registry}`)
  return `${hostname === 'localhost' || hostname.startsWith('127.') ? 'http' : 'https'}://${registry}`
}

/** Lists also hold attestations, of an unknown platform. */
function named(platforms: readonly (Platform | undefined)[]): string[] {
  const known = platforms.flatMap((one) => (one?.os && one.architecture && one.os !== 'unknown' ? [`${one.os}/${one.architecture}`] : []))
  return [...new Set(known)]
}

interface Call {
  readonly accept: string
  readonly login: Login | undefined
  readonly signal: AbortSignal
}

async function ask(url: string, call: Call): Promise<Response> {
  const { accept, signal } = call
  const first = await fetch(url, { headers: { accept }, signal })
  if (first.status !== 401) return first
  const authorization = await answerTo(first.headers.get('www-authenticate') ?? '', new URL(url), call)
  return authorization === undefined ? first : await fetch(url, { headers: { accept, authorization }, signal })
}

/** What a challenge wants to hear; `undefined`: nothing that we have. */
async function answerTo(challenge: string, asked: URL, { login, signal }: Call): Promise<string | undefined> {
  const basic = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const [, scheme = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(challenge) ?? []
  if (scheme.toLowerCase() === 'basic') return basic
  const { realm, service, scope } = Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]))
  if (scheme.toLowerCase() !== 'bearer' || realm === undefined) return undefined
  const url = new URL(realm, asked)
  // A login that came to us encrypted does not go on in the clear.
  if (url.protocol !== 'https:' && asked.protocol === 'https:') return undefined
  if (service !== undefined) url.searchParams.set('service', service)
  if (scope !== undefined) url.searchParams.set('scope', scope)
  const answer = await fetch(url, { headers: basic === undefined ? {} : { authorization: basic }, signal })
  if (!answer.ok) return undefined
  const { token, access_token: other } = (await answer.json()) as { token?: string; access_token?: string }
  return `Bearer ${token ?? other ?? ''}`
}

/** `fetch` says little itself: its cause does. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${PATIENCE / 1000} s`
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
}
