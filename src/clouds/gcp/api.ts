/** The calls to Google Cloud, by the vendor's names, with tpi's errors; and the caller's login and project. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { type GoogleLogin, googleLogin, projectOf } from '../../vendors/google/login.ts'
import type { CredentialSource } from '../../wire/store.ts'
import { Logins, type LoginWords } from '../vm/login.ts'
import { Once } from '../vm/once.ts'
import { filled, rootAt, send } from '../vm/transport.ts'
import { errorOf, isOneOf, manner } from './errors.ts'
import { type Answers, CALLS, type CallName, type Project, SERVICES, type Service } from './sdk.ts'
import type { Settings } from './settings.ts'

export interface Ask {
  /** Parts of the path; project and region are filled in. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** Cuts a long call off. Absent for removals: they go on when a command is told to end. */
  readonly signal?: AbortSignal
}

const WORDS: LoginWords = {
  cloud: 'gcp',
  product: 'Google Cloud',
  vendor: 'Google',
  howToLogIn: 'use google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
  howToLogInAgain: 'log in again: google-github-actions/auth, gcloud auth application-default login',
}

export class Api {
  readonly region: string
  readonly #env: CloudContext['env']
  readonly #named: string | undefined
  readonly #logins: Logins<GoogleLogin>
  readonly #project = new Once<Project>()
  #source: CredentialSource | undefined

  constructor({ env, clock }: Pick<CloudContext, 'env' | 'clock'>, { region, project }: Pick<Settings, 'region' | 'project'>) {
    this.#env = env
    this.#logins = new Logins({ words: WORDS, find: async () => googleLogin(env), errorOf, clock })
    this.region = region
    this.#named = project
  }

  /** `tried`: for people, such as "create group tpi-x". */
  async call<C extends CallName>(name: C, tried: string, ask: Ask = {}): Promise<Answers[C]> {
    try {
      return await this.#send(name, ask)
    } catch (error) {
      ask.signal?.throwIfAborted()
      throw errorOf(error, tried)
    }
  }

  /** The same, but resolves to `undefined` if the vendor answers with one of these reasons. */
  async unless<C extends CallName>(reasons: RegExp, name: C, tried: string, ask: Ask = {}): Promise<Answers[C] | undefined> {
    try {
      return await this.#send(name, ask)
    } catch (error) {
      ask.signal?.throwIfAborted()
      if (isOneOf(error, reasons)) return undefined
      throw errorOf(error, tried)
    }
  }

  async login(): Promise<GoogleLogin> {
    return this.#logins.login()
  }

  /** The project's id. */
  async project(): Promise<string> {
    const project = this.#named ?? projectOf(this.#env, await this.login())
    if (project !== undefined) return project
    throw new InputError([
      {
        option: 'gcp-project',
        message: 'no project of Google Cloud is given',
        hint: 'give --gcp-project, or set GOOGLE_CLOUD_PROJECT',
      },
    ])
  }

  /** The vendor's description of the project, read once. */
  async about(): Promise<Project> {
    return this.#project.get('', async () => this.call('compute:projects.get', `look at project ${await this.project()}`))
  }

  /** A source of tokens that are renewed in time; the store uses it too. */
  source(): CredentialSource {
    this.#source ??= this.#logins.source(async (login) => login.lend())
    return this.#source
  }

  /** The address of a service, with a trailing slash, if it is not the vendor's usual one. */
  elsewhere(service: Service): string | undefined {
    return rootAt(this.#env[SERVICES[service].variable])
  }

  async #send<C extends CallName>(name: C, { path = {}, query = {}, body, signal }: Ask): Promise<Answers[C]> {
    const [method, template] = CALLS[name]
    const service = name.slice(0, name.indexOf(':')) as Service
    const known = { project: await this.project(), region: this.region, ...path }
    // In paths, the vendor expects the `:` of methods and the `@` of service accounts as they are.
    const below = filled(template, known).replaceAll('%3A', ':').replaceAll('%40', '@')
    const url = new URL(below, this.elsewhere(service) ?? SERVICES[service].url)
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value))
    // Otherwise one zone or region that does not answer fails the list for all of them:
    // https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList. Version 2026-09-01 does that without being asked, but calls
    // that name no version get an older one: https://docs.cloud.google.com/compute/docs/api/how-tos/api-versioning-guide
    if (name.endsWith('.aggregatedList')) url.searchParams.set('returnPartialSuccess', 'true')
    const answer = await send({ method, url, body, held: template.endsWith('/wait') }, { source: this.source(), signal }, manner)
    return answer.value as Answers[C]
  }
}
