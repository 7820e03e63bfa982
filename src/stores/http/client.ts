/** One call to the server of a store: credentials, failures, and repeating it if that is safe. */

import { jsonIn } from '../../lib/answer.ts'
import { retry } from '../../lib/backoff.ts'
import { fieldsIn } from '../../lib/record.ts'
import { Refusals } from '../../lib/refusals.ts'
import { fixed } from '../../wire/credentials.ts'
import { type CredentialSource, type Credentials, isStoreError, type StoreAccess, StoreError } from '../../wire/store.ts'
import type { HttpRequest } from '../sockets.ts'
import { TooLarge, TransportError } from '../transport-error.ts'
import { ANSWER, faultOf, TOKEN } from './protocol.ts'
import { type Answer, type Security, Transport } from './transport.ts'

export interface Call extends Omit<HttpRequest, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Doing it twice is as good as once, even if only the answer was lost. */
  readonly repeatable: boolean
}

/** An answer of the store itself: status 2xx, or 404 for an object that does not exist. */
export interface Reply {
  readonly status: number
  readonly headers: Answer['headers']
  readonly body: Buffer
}

/** It did not reach the server, or the server did nothing: any call may be repeated. */
class Untouched extends StoreError {}

/** There is no such store: the API server on the way to it says so. */
export class NoStore extends StoreError {}

/** Short pauses: the store is a small server of one deployment, and starting machines are waiting for it. */
const RETRY = { tries: 18, first: 150, longest: 300 }
/** Milliseconds after which it is not tried again, however few tries there were: with a lost node, each takes half a minute. */
const LONGEST = 15_000

/** The right that a server on the way to the store, such as an API server, may refuse. */
const WAY = 'the way to the store'

export class Client {
  readonly #access: StoreAccess
  readonly #transport: Transport
  readonly #refusals = new Refusals()
  readonly #source: CredentialSource

  constructor(access: StoreAccess) {
    this.#access = access
    this.#source = access.source ?? fixed(access.credentials ?? {})
    this.#transport = new Transport(access.url)
  }

  /** Throws StoreError, or the signal's reason. */
  async call(call: Call): Promise<Reply> {
    const until = performance.now() + LONGEST
    const again = (error: unknown): boolean =>
      performance.now() < until && (error instanceof Untouched || (call.repeatable && isStoreError(error, 'unavailable')))
    return await retry(() => this.#whole(call), { ...RETRY, again, signal: call.signal })
  }

  /** The body as it comes, once. */
  async stream(call: Call): Promise<Answer['stream']> {
    return (await this.#once(call)).stream
  }

  close(): void {
    this.#transport.close()
  }

  async #whole(call: Call): Promise<Reply> {
    const answer = await this.#once(call)
    try {
      return { status: answer.status, headers: answer.headers, body: await answer.bytes() }
    } catch (error) {
      throw this.#lost(call, error)
    }
  }

  async #once(call: Call): Promise<Answer> {
    const held = await this.#source.get()
    // Without a token, the store did not exist yet when they were asked for: the next call asks again.
    if (held['token'] === undefined) this.#source.refused(held)
    const answer = await this.#send(call, held)
    // The credentials for the way to the store may have expired: get fresh ones, once.
    if ((answer.status !== 401 && answer.status !== 403) || !this.#source.refused(held)) return await this.#judge(answer)
    answer.stream.resume()
    return await this.#judge(await this.#send(call, await this.#source.get()))
  }

  async #send(call: Call, credentials: Credentials): Promise<Answer> {
    const { token, authorization } = credentials
    this.#transport.secure(this.#security(credentials))
    const headers: Record<string, string> = {
      'user-agent': 'tpi-action',
      ...call.headers,
      ...(token && { [TOKEN]: token }),
      ...(authorization && { authorization }),
      ...(call.body && { 'content-length': String(call.body.length) }),
    }
    try {
      return await this.#transport.send({ ...call, headers })
    } catch (error) {
      throw this.#lost(call, error)
    }
  }

  #lost(call: Call, error: unknown): unknown {
    call.signal?.throwIfAborted()
    if (error instanceof TooLarge) return new StoreError('corrupt', `storage: ${this.#access.url}: ${error.message}`, { cause: error })
    if (!(error instanceof TransportError)) return error
    this.#refusals.outOfReach()
    const Fault = error.sent ? StoreError : Untouched
    return new Fault('unavailable', `storage: ${this.#access.url} cannot be reached: ${error.message}`, { cause: error })
  }

  #security({ clientCertificate, clientKey }: Credentials): Security {
    const { ca, serverName, insecure, proxy } = this.#access.settings ?? {}
    return { ca, serverName, insecure: insecure === 'true', proxy, cert: clientCertificate, key: clientKey }
  }

  async #judge(answer: Answer): Promise<Answer> {
    const ours = answer.headers[ANSWER] !== undefined
    if (ours) this.#refusals.granted(WAY)
    if (ours && (answer.status < 300 || answer.status === 404)) return answer
    const said = saidIn(await answer.bytes().catch(() => Buffer.alloc(0)))
    if (ours) throw new StoreError(faultOf(answer.status), said || `storage: the server answers ${answer.status}`)
    const where = `storage: ${this.#access.url}: ${said || `answers ${answer.status}`}`
    const passes = answer.status === 401 ? this.#refusals.isSettling() : answer.status === 403 && this.#refusals.mayPass(WAY)
    if (passes) throw new Untouched('unavailable', where)
    if (answer.status === 401 || answer.status === 403) throw new StoreError('denied', where)
    if (answer.status === 404) throw new NoStore('gone', where)
    // 502, 503: nobody received it. After anything else it may have been received, and the answer lost.
    if (answer.status >= 500) this.#refusals.outOfReach()
    const Fault = answer.status === 502 || answer.status === 503 || answer.status === 429 ? Untouched : StoreError
    throw new Fault('unavailable', where)
  }
}

/** Why it was refused. tpi's server and an API server both answer with JSON that has a `message`. */
function saidIn(body: Buffer): string {
  const text = body.toString('utf8').trim()
  const { message } = fieldsIn(jsonIn(text))
  if (typeof message === 'string') return message
  // Text from some other server.
  return text.split('\n')[0]?.slice(0, 300) ?? ''
}
