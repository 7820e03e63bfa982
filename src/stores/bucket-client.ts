/** How a bucket's service is called, whichever it is: with credentials that are renewed, again where that is safe, and so that no message shows a secret. */
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
  /** Doing it twice is as good as once, also when only the answer was lost. */
  readonly repeatable: boolean
  /** Statuses beside 2xx that are answers too. */
  readonly fine?: readonly number[]
  /** Answers with these statuses are not worth another try. */
  readonly final?: readonly number[]
  readonly signal?: AbortSignal | undefined
  readonly sent?: OnBytes | undefined
  readonly received?: OnBytes | undefined
}

/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_TRIES = '7'

/** The setting of a store's URL. Throws StoreError. */
export function triesOf({ settings }: StoreAccess): number {
  const { tries = DEFAULT_TRIES } = settings ?? {}
  if (!/^[1-9]\d?$/.test(tries)) throw new StoreError('invalid', `storage: "${tries}" is not a valid number of tries; use 1 to 99`)
  return Number(tries)
}

/** What has travelled with the address. Throws StoreError where nothing has. */
export function travelled({ url, credentials }: StoreAccess): Credentials {
  if (!credentials) throw new StoreError('denied', `storage: no credentials for "${url}"`)
  return credentials
}

/** Secrets of former credentials that are remembered: what they were sent with, or have signed, may be on its way. */
const FORMER = 3

export abstract class BucketClient<S extends BucketSettings, C extends BucketCall> {
  readonly settings: S
  protected readonly transport: Transport
  /** Of credentials that answers may still speak of: no message shows them. */
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

  /** The credentials of the call are not taken any more. */
  protected isStale({ status }: CallError): boolean {
    return status === 401
  }

  /** The first of them tells one set of credentials from another. */
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
    if (!this.isStale(fault) || !this.settings.source.refused(held)) throw fault
    const { code, status, message } = fault
    throw new CallError('unavailable', message, { code, status, again: 'always' })
  }
}
