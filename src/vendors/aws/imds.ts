/**
 * The metadata service of a machine of AWS (IMDS), version 2: a session first, then what is asked for. Light: machines use it too.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
import { jsonIn } from '../../lib/answer.ts'
import { ask, type HttpAnswer } from '../../lib/http.ts'
import { ServerTime } from '../../lib/server-time.ts'
import { foreignTime, line, maybe, object, text } from '../../lib/shape.ts'
import { METADATA, METADATA_PATIENCE, metadataIn } from '../metadata-service.ts'

/** Seconds; the longest session that there is. */
const SESSION = 21_600
/** Bytes of an answer. */
const MOST = 65_536
const ROLES = 'meta-data/iam/security-credentials/'

/** IMDS and the agents of containers say `Token`; a `credential_process` says `SessionToken`, and may write the time with `+00:00`. */
const answered = object<{ AccessKeyId: string; SecretAccessKey: string; Token?: string; SessionToken?: string; Expiration?: string }>({
  AccessKeyId: line(4096),
  SecretAccessKey: line(4096),
  Token: maybe(text(65_536)),
  SessionToken: maybe(text(65_536)),
  Expiration: maybe(foreignTime),
})

/** Keys in the JSON with which all sources of credentials of AWS answer. Throws if it is anything else, without quoting it. */
export function keysIn(json: string): { readonly credentials: Readonly<Record<string, string>>; readonly until?: string } {
  const value = jsonIn(json)
  if (value === undefined) throw new Error('the answer is not JSON')
  const { AccessKeyId, SecretAccessKey, Token, SessionToken = Token, Expiration } = answered(value)
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, ...(SessionToken && { sessionToken: SessionToken }) }
  return { credentials, ...(Expiration !== undefined && { until: Expiration }) }
}

export class Imds {
  readonly #endpoint: string
  /** The service's time, which its notices use: it dates its answers (https://github.com/jtblin/aws-mock-metadata/issues/3). */
  readonly time = new ServerTime()
  #session: string | undefined

  constructor(endpoint: string = METADATA) {
    this.#endpoint = endpoint.replace(/\/+$/, '')
  }

  /** What is at `/latest/<path>`; `undefined` if there is no such thing, perhaps not yet. Throws while nothing answers. */
  async get(path: string): Promise<string | undefined> {
    for (let renewed = false; ; renewed = true) {
      this.#session ??= await this.#begin()
      const answer = await this.#ask(path, 'GET', { 'x-aws-ec2-metadata-token': this.#session })
      if (answer.status === 401 && !renewed) this.#session = undefined
      else return bodyOf(answer, path)
    }
  }

  /** Credentials of the machine's role. Throws if it has none, perhaps not yet: a new role takes a while to be known here. */
  async roleCredentials(): Promise<ReturnType<typeof keysIn>> {
    const role = (await this.get(ROLES))?.split('\n')[0]?.trim()
    if (!role) throw new Error('metadata service: this machine has no role, or none yet')
    const json = await this.get(ROLES + encodeURIComponent(role))
    if (json === undefined) throw new Error(`metadata service: nothing yet for the role "${role}"`)
    return keysIn(json)
  }

  async #begin(): Promise<string> {
    const answer = await this.#ask('api/token', 'PUT', { 'x-aws-ec2-metadata-token-ttl-seconds': String(SESSION) })
    const session = bodyOf(answer, 'api/token')
    if (!session) throw new Error('metadata service: it does not start a session')
    return session
  }

  async #ask(path: string, method: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const answer = await ask(`${this.#endpoint}/latest/${path}`, { method, headers, patience: METADATA_PATIENCE, most: MOST })
    this.time.learn(answer.header('date'))
    return answer
  }
}

function bodyOf(answer: HttpAnswer, path: string): string | undefined {
  return answer.status === 404 ? undefined : metadataIn(answer, `/latest/${path}`, MOST)
}
