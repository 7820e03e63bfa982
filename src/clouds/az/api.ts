/** The vendor's calls, with tpi's errors; and the caller's identity. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import { type AzureLogin, azureLogin, BLOBS, MANAGEMENT } from '../../vendors/azure/login.ts'
import type { CredentialSource } from '../../wire/store.ts'
import { Logins, type LoginWords } from '../vm/login.ts'
import { Once } from '../vm/once.ts'
import { type Answer, filled, rootAt, send } from '../vm/transport.ts'
import { errorOf, HOW_TO_LOG_IN_AGAIN, isGone, manner } from './errors.ts'
import { type Answers, CALLS, type CallName, type ItemOf, type Method, type Page } from './sdk.ts'
import { knownSubscription, type Settings } from './settings.ts'

export interface Ask {
  /** Parts of the path; the subscription is filled in. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Pages of a list that are read at most. */
  readonly pages?: number
  /** For calls that may take long. Absent: the call goes on when the command is told to end, as a removal must. */
  readonly signal?: AbortSignal
}

/** Variable with the address of another cloud than the public one, or of a test. */
const ELSEWHERE = 'AZURE_RESOURCE_MANAGER_URL'

const WORDS: LoginWords = {
  cloud: 'az',
  product: 'Azure',
  vendor: 'Azure',
  howToLogIn: 'use azure/login, az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET',
  howToLogInAgain: HOW_TO_LOG_IN_AGAIN,
}

export class Api {
  readonly region: string
  readonly #env: CloudContext['env']
  readonly #named: string | undefined
  readonly #sources = new Map<string, CredentialSource>()
  readonly #logins: Logins<AzureLogin>
  readonly #subscription = new Once<string>()

  constructor({ env, clock }: Pick<CloudContext, 'env' | 'clock'>, { region, subscription }: Pick<Settings, 'region' | 'subscription'>) {
    this.#env = env
    this.#logins = new Logins({ words: WORDS, find: async () => azureLogin(env), errorOf, clock })
    this.region = region
    this.#named = subscription
  }

  /** `tried`: for people, "create scale set tpi-x". */
  async call<C extends CallName>(name: C, tried: string, ask: Ask = {}): Promise<Answers[C]> {
    return (await this.answer(name, tried, ask)).value as Answers[C]
  }

  /** The same, but resolves to `undefined` if the resource does not exist. */
  async maybe<C extends CallName>(name: C, tried: string, ask: Ask = {}): Promise<Answers[C] | undefined> {
    return (await this.maybeAnswer(name, tried, ask))?.value as Answers[C] | undefined
  }

  /** The same, with everything that the answer tells about an operation. */
  async maybeAnswer(name: CallName, tried: string, ask: Ask = {}): Promise<Answer | undefined> {
    return this.answer(name, tried, ask).catch((error: unknown) => {
      if (isGone(error)) return undefined
      throw error
    })
  }

  async answer(name: CallName, tried: string, ask: Ask = {}): Promise<Answer> {
    const [method, template, version] = CALLS[name]
    const path = {
      ...ask.path,
      ...(template.includes('{subscription}') && { subscription: ask.path?.['subscription'] ?? (await this.subscription()) }),
    }
    const url = new URL(filled(template, path), this.root)
    url.searchParams.set('api-version', version)
    for (const [key, value] of Object.entries(ask.query ?? {})) if (value !== undefined) url.searchParams.set(key, value)
    return this.#send(method, url, tried, ask)
  }

  /** The items of all pages of a list, or of as many as the caller wants. */
  async all<C extends CallName>(name: C, tried: string, ask: Ask = {}): Promise<readonly ItemOf<C>[]> {
    const found: ItemOf<C>[] = []
    let page = (await this.answer(name, tried, ask)).value as Page<ItemOf<C>>
    for (let read = 1; ; read += 1) {
      found.push(...(page.value ?? []))
      if (!page.nextLink || read === ask.pages) return found
      page = (await this.follow(page.nextLink, tried, ask.signal)).value as Page<ItemOf<C>>
    }
  }

  /** Asks at an address that an answer named. Throws if it is not on the vendor's own server, which alone may see the token. */
  async follow(address: string, tried: string, signal?: AbortSignal): Promise<Answer> {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url?.origin !== new URL(this.root).origin)
      throw new RemoteError(`az: could not ${tried}: the answer names an address on another server, which must not see the token`)
    return this.#send('GET', url, tried, { ...(signal && { signal }) })
  }

  async login(): Promise<AzureLogin> {
    return this.#logins.login()
  }

  /** For people: the subscription, and who the caller is. */
  async names(): Promise<{ readonly subscription: string; readonly caller: string }> {
    const [{ displayName }, id, login] = await Promise.all([
      this.call('subscription.get', 'look at the subscription'),
      this.subscription(),
      this.login(),
    ])
    return { subscription: displayName ?? id, caller: login.who }
  }

  /** The subscription's id. */
  async subscription(): Promise<string> {
    return this.#subscription.get('', async () => this.#which())
  }

  /** A source of tokens for Blob Storage. */
  storage(): CredentialSource {
    return this.#source(BLOBS)
  }

  /** With a trailing slash. */
  get root(): string {
    return this.otherRoot() ?? `${MANAGEMENT}/`
  }

  /** The same if it is not the vendor's usual address. */
  otherRoot(): string | undefined {
    return rootAt(this.#env[ELSEWHERE])
  }

  async #which(): Promise<string> {
    const known = this.#named ?? (await knownSubscription(this.#env))
    if (known !== undefined) return known
    const { value = [] } = await this.call('subscriptions.list', 'look for your subscriptions')
    const usable = value.filter(({ state }) => state === undefined || state === 'Enabled')
    const [only] = usable
    if (usable.length === 1 && only?.subscriptionId) return only.subscriptionId
    const names = usable.slice(0, 8).map(({ subscriptionId, displayName }) => `${subscriptionId} (${displayName ?? ''})`)
    throw new InputError([
      {
        option: 'azure-subscription',
        message:
          names.length === 0 ? 'there is no Azure subscription that you may use' : `you may use several subscriptions: ${names.join(', ')}`,
        hint: 'give --azure-subscription, or set AZURE_SUBSCRIPTION_ID',
      },
    ])
  }

  #source(resource: string): CredentialSource {
    const known = this.#sources.get(resource)
    if (known) return known
    const source = this.#logins.source(async (login) => login.lend(resource))
    this.#sources.set(resource, source)
    return source
  }

  async #send(method: Method, url: URL, tried: string, { body, signal }: Ask): Promise<Answer> {
    const source = this.#source(new URL(this.root).origin)
    try {
      return await send({ method, url, body }, { source, signal }, manner)
    } catch (error) {
      signal?.throwIfAborted()
      throw errorOf(error, tried)
    }
  }
}
