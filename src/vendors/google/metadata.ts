/**
 * The metadata service of a machine of Google Cloud. Light: machines use it too.
 * https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
 */
import { jsonIn } from '../../lib/answer.ts'
import { ask } from '../../lib/http.ts'
import { count, line, object } from '../../lib/shape.ts'
import { METADATA, METADATA_PATIENCE, metadataIn } from '../metadata-service.ts'

/** Seconds after which the service answers even if what it was asked to watch has not changed. */
const WAIT = 60
/** Milliseconds until it counts as silent during such a wait. */
const WAITING = 65_000
/** Bytes of an answer. */
const MOST = 1 << 20

export interface Metadatum {
  readonly text: string
  /** Identifies this state of it. */
  readonly etag: string
}

const lentToken = object<{ access_token: string; expires_in: number }>({ access_token: line(65_536), expires_in: count(1e6) })

/** The token in an answer, which says for how many seconds it is valid. Throws Misfit if there is none; the message does not quote the answer. */
export function tokenIn(json: string): { readonly credentials: { readonly token: string }; readonly until: string } {
  const { access_token: token, expires_in: seconds } = lentToken(jsonIn(json))
  return { credentials: { token }, until: new Date(Date.now() + seconds * 1000).toISOString() }
}

export class GoogleMetadata {
  readonly #endpoint: string

  /** `endpoint`: the variable `GCE_METADATA_HOST` of Google's own clients has no scheme. */
  constructor(endpoint: string = METADATA) {
    this.#endpoint = (endpoint.includes('://') ? endpoint : `http://${endpoint}`).replace(/\/+$/, '')
  }

  /** What is at `/computeMetadata/v1/<path>`; `undefined` if there is no such thing, perhaps not yet. Throws while nothing answers. */
  async get(path: string): Promise<string | undefined> {
    return (await this.#ask(path, {}, METADATA_PATIENCE))?.text
  }

  /** The same, as soon as it differs from the known state, or after a minute. */
  async changed(path: string, { etag }: Pick<Metadatum, 'etag'>, signal: AbortSignal): Promise<Metadatum | undefined> {
    const query = { wait_for_change: 'true', timeout_sec: String(WAIT), last_etag: etag }
    return await this.#ask(path, query, WAITING, signal)
  }

  /** A token of the machine's service account. Throws if it has none. */
  async token(): Promise<ReturnType<typeof tokenIn>> {
    const json = await this.get('instance/service-accounts/default/token')
    if (json === undefined) throw new Error('metadata service: this machine has no service account')
    return tokenIn(json)
  }

  async #ask(
    path: string,
    query: Readonly<Record<string, string>>,
    patience: number,
    signal?: AbortSignal,
  ): Promise<Metadatum | undefined> {
    const search = new URLSearchParams(query).toString()
    const url = `${this.#endpoint}/computeMetadata/v1/${path}${search && `?${search}`}`
    const answer = await ask(url, { headers: { 'metadata-flavor': 'Google' }, signal, patience, most: MOST })
    // Another server at that address does not send this header.
    if (answer.header('metadata-flavor') !== 'Google') throw new Error('metadata service: the answer is not from Google')
    if (answer.status === 404) return undefined
    return { text: metadataIn(answer, path, MOST), etag: answer.header('etag') ?? '0' }
  }
}
