/** How any bucket service is called: with credentials that are renewed, again after a failure if that is safe, and without secrets in messages. */
import { retry } from '../lib/backoff.ts'
import { type CredentialSource, type Credentials, type OnBytes, type StoreAccess, StoreError } from '../wire/store.ts'
import { CallError, lost, mayRepeat, PAUSES } from './call-error.ts'
import { type HttpReply, Transport } from './transport.ts'

export interface BucketSettings {
  readonly source: CredentialSource
  /** Tries of a call that may be repeated. */
  readonly tries: number
}

export interface BucketCall {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Doing it twice is as good as once, even if only the answer was lost. */
  readonly repeatable: boolean
  /** Statuses other than 2xx that are valid answers. */
  readonly fine?: readonly number[]
  /** Answers with these statuses are not worth another try. */
  readonly final?: readonly number[]
  readonly signal?: AbortSignal | undefined
  readonly sent?: OnBytes | undefined
  readonly received?: OnBytes | undefined
}

/** Enough for about ten seconds of failures. A caller with more patience calls again. */
const DEFAULT_TRIES = '7'

/** The setting `tries` of a store. Throws StoreError. */
export function triesOf({ settings }: StoreAccess): number {
  const { tries = DEFAULT_TRIES } = settings ?? {}
  if (!/^[1-9]\d?$/.test(tries)) throw new StoreError('invalid', `storage: "${tries}" is not a valid number of tries; use 1 to 99`)
  return Number(tries)
}

/** Credentials that came with the address of the store. Throws StoreError if there are none. */
export function travelled({ url, credentials }: StoreAccess): Credentials {
  if (!credentials) throw new StoreError('denied', `storage: no credentials for "${url}"`)
  return credentials
}

/** How many secrets of former credentials are remembered: answers to requests that were made with them may still come. */
const FORMER = 3

export abstract class BucketClient<S extends BucketSettings, C extends BucketCall> {
  readonly settings: S
  protected readonly transport: Transport
  /** Secrets that answers may mention: no message shows them. */
  protected secrets: readonly string[] = []

  constructor(settings: S, endpoint: URL) {
    this.settings = settings
    this.transport = new Transport(endpoint)
  }

  /** The answer, if its status is 2xx or one that the call names. Otherwise throws CallError, or the signal's reason. */
  async call(call: C): Promise<HttpReply> {
    const again = (error: unknown): boolean | number => {
      if (error instanceof CallError && call.final?.includes(error.status)) return false
      return mayRepeat(error, call.repeatable)
    }
    return await retry(() => this.#once(call), { ...PAUSES, tries: this.settings.tries, again, signal: call.signal })
  }

  close(): void {
    this.transport.close()
  }

  protected abstract send(call: C, credentials: Credentials): Promise<HttpReply>
  /** The call, for people. */
  protected abstract describe(call: C): string
  protected abstract faultOf(reply: HttpReply, call: C): CallError

  /** Whether the failure says that the credentials are no longer accepted. */
  protected isStale({ status }: CallError, _call: C): boolean {
    return status === 401
  }

  /** Adds the secrets of the credentials in use. The first one tells sets of credentials apart. */
  protected remember(first: string, ...others: readonly string[]): void {
    if (!this.secrets.includes(first)) this.secrets = [first, ...others, ...this.secrets.slice(0, FORMER)]
  }

  async #once(call: C): Promise<HttpReply> {
    const held = await this.settings.source.get()
    const reply = await this.send(call, held).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      if (error instanceof StoreError) throw error
      throw lost(error, this.describe(call), this.secrets)
    })
    if ((reply.status >= 200 && reply.status < 300) || call.fine?.includes(reply.status)) return reply
    const fault = this.faultOf(reply, call)
    if (!this.isStale(fault, call) || !this.settings.source.refused(held)) throw fault
    const { code, status, message } = fault
    throw new CallError('unavailable', message, { code, status, again: 'always' })
  }
}
