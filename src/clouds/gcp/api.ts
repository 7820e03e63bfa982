/** The calls of this room, by the vendor's names, with our errors; and who we are. */
import type { CloudContext } from '../../core/cloud.ts'
import { AuthError, InputError, RemoteError } from '../../core/errors.ts'
import { GoogleFault, type GoogleLogin, googleLogin, projectOf } from '../../lib/google/login.ts'
import { renewing } from '../../wire/credentials.ts'
import type { CredentialSource } from '../../wire/store.ts'
import { send } from '../vm/transport.ts'
import { errorOf, isOneOf, manner } from './errors.ts'
import { type Answers, CALLS, type CallName, type Project, SERVICES, type Service } from './sdk.ts'
import type { Settings } from './settings.ts'

export interface Ask {
  /** Parts of the path; project and region are known. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** For what may take long. Removing goes on when a command is told to end. */
  readonly signal?: AbortSignal
}

export class Api {
  readonly region: string
  readonly #env: CloudContext['env']
  readonly #clock: CloudContext['clock']
  readonly #named: string | undefined
  #login: Promise<GoogleLogin> | undefined
  #source: CredentialSource | undefined
  #project: Promise<Project> | undefined

  constructor({ env, clock }: Pick<CloudContext, 'env' | 'clock'>, { region, project }: Pick<Settings, 'region' | 'project'>) {
    this.#env = env
    this.#clock = clock
    this.region = region
    this.#named = project
  }

  /** `tried`: for people, "create group tpi-x". */
  async call<C extends CallName>(name: C, tried: string, ask: Ask = {}): Promise<Answers[C]> {
    try {
      return await this.#send(name, ask)
    } catch (error) {
      ask.signal?.throwIfAborted()
      throw errorOf(error, tried)
    }
  }

  /** The same, and `undefined` where the vendor answers with one of these words. */
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
    this.#login ??= this.#find()
    this.#login.catch(() => {
      this.#login = undefined
    })
    return this.#login
  }

  /** Its id. */
  async project(): Promise<string> {
    const project = this.#named ?? projectOf(this.#env, await this.login())
    if (project !== undefined) return project
    throw new InputError([
      {
        option: 'gcp-project',
        message: 'which project of Google Cloud is not said',
        hint: 'give --gcp-project, or set GOOGLE_CLOUD_PROJECT',
      },
    ])
  }

  /** What the vendor says of it: asked once. */
  async about(): Promise<Project> {
    this.#project ??= this.call('compute:projects.get', `look at project ${await this.project()}`)
    this.#project.catch(() => {
      this.#project = undefined
    })
    return this.#project
  }

  /** Of a token, renewed in time; for the store too. */
  source(): CredentialSource {
    this.#source ??= renewing({
      clock: this.#clock,
      lend: async () => {
        const login = await this.login()
        return login.lend().catch((error: unknown) => {
          throw loginFault(error, login.who)
        })
      },
    })
    return this.#source
  }

  /** Where a service is, with a slash at its end, if not where the vendor has it. */
  elsewhere(service: Service): string | undefined {
    const url = this.#env[SERVICES[service].variable]
    return url ? `${url.replace(/\/+$/, '')}/` : undefined
  }

  async #send<C extends CallName>(name: C, { path = {}, query = {}, body, signal }: Ask): Promise<Answers[C]> {
    const [method, template] = CALLS[name]
    const service = name.slice(0, name.indexOf(':')) as Service
    const known = { project: await this.project(), region: this.region, ...path }
    const filled = template.replace(/\{(\w+)\}/g, (_, part: string) =>
      encodeURIComponent(partOf(known, part)).replaceAll('%3A', ':').replaceAll('%40', '@'),
    )
    const url = new URL(filled, this.elsewhere(service) ?? SERVICES[service].url)
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value))
    const source = this.source()
    let held: Readonly<Record<string, string>> = {}
    const answer = await send(
      { method, url, body, held: template.endsWith('/wait') },
      {
        ...(signal && { signal }),
        token: async () => {
          held = await source.get()
          return held['token'] ?? ''
        },
        refused: () => source.refused(held),
      },
      manner,
    )
    return answer.value as Answers[C]
  }

  async #find(): Promise<GoogleLogin> {
    const login = await googleLogin(this.#env).catch((error: unknown) => {
      throw loginFault(error, 'Google')
    })
    if (login) return login
    throw new AuthError('gcp: there are no credentials for Google Cloud', {
      hint: 'use google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
    })
  }
}

function partOf(known: Readonly<Record<string, string>>, part: string): string {
  const value = known[part]
  if (value === undefined) throw new Error(`gcp: the path of a call lacks its ${part}`)
  return value
}

function loginFault(error: unknown, who: string): Error {
  if (!(error instanceof GoogleFault)) return errorOf(error, 'find credentials')
  const message = `gcp: no token from ${who}: ${error.message}`
  if (!error.final) return new RemoteError(message, { cause: error, retryable: true })
  return new AuthError(message, { cause: error, hint: 'log in again: google-github-actions/auth, gcloud auth application-default login' })
}
