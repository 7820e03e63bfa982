/** Requests of a machine about a group and its autoscaler, with a token of the machine's own identity. */
import { randomUUID } from 'node:crypto'
import { ServerTime } from '../../lib/server-time.ts'
import { count, line, list, maybe, object } from '../../lib/shape.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import type { GoogleMetadata } from '../../vendors/google/metadata.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { parseShape } from '../../wire/parse.ts'
import { asked, patiently } from '../vm/machine-call.ts'
import { rootAt } from '../vm/transport.ts'
import { PASSING } from './passing.ts'
import type { Autoscaler } from './sdk.ts'

/** Most bytes of an answer. */
const LONGEST_ANSWER = 4 << 20
const COMPUTE = 'https://compute.googleapis.com/compute/v1/'

interface Failure {
  readonly code?: string
  readonly message?: string
}

interface Operation {
  readonly name: string
  readonly status: string
  readonly error?: { readonly errors?: readonly Failure[] }
}

const operation = object<Operation>({
  name: line(512),
  status: line(64),
  error: maybe(
    object<NonNullable<Operation['error']>>({
      errors: maybe(list(object<Failure>({ code: maybe(line(256)), message: maybe(line(4096)) }), 100)),
    }),
  ),
})
const manager = object<{ targetSize: number }>({ targetSize: count(100_000) })

export interface GroupParams {
  readonly name: string
  /** Milliseconds of trying. */
  readonly patience: number
  /** What was tried, for people: `could not …`. */
  readonly tried: string
}

export class Group {
  readonly #config: MachineConfig
  readonly #metadata: GoogleMetadata
  readonly #name: string
  readonly #tried: string
  readonly #end: number
  /** The vendor's time, which its schedules use: this machine's own clock may be minutes off. */
  readonly #time = new ServerTime()

  constructor(config: MachineConfig, metadata: GoogleMetadata, { name, patience, tried }: GroupParams) {
    this.#config = config
    this.#metadata = metadata
    this.#name = name
    this.#tried = tried
    this.#end = performance.now() + patience
  }

  /** The wanted size; `undefined`: there is no such group. */
  async size(): Promise<number | undefined> {
    const text = await this.#call('GET', this.#path())
    return text === undefined ? undefined : parseShape(manager, text).targetSize
  }

  /** Milliseconds since 1970, by the vendor's clock; `undefined`: there is no such group. */
  async now(): Promise<number | undefined> {
    return (await this.size()) === undefined ? undefined : this.#time.now().getTime()
  }

  /** `false`: there is no such group. */
  async deleteSelf(): Promise<boolean> {
    // Only the metadata service knows them for sure.
    const [name, zone] = await this.#patiently(async () => await Promise.all(['name', 'zone'].map((path) => this.#own(path))))
    const instances = [`zones/${zone?.split('/').at(-1)}/instances/${name}`]
    // An instance that is already being deleted is skipped.
    const body = { instances, skipInstancesOnValidationError: true }
    return await this.#change('POST', this.#path('/deleteInstances'), {}, body)
  }

  async resize(size: number): Promise<void> {
    await this.#change('POST', this.#path('/resize'), { size: String(size) })
  }

  /** Changes the group's autoscaler. `false`: it has none any more, because it was ended. */
  async autoscale(change: Autoscaler): Promise<boolean> {
    return await this.#change('PATCH', this.#region('autoscalers'), { autoscaler: this.#name }, change)
  }

  async endAutoscaling(): Promise<void> {
    await this.#change('DELETE', this.#region(`autoscalers/${this.#name}`), {})
  }

  /** Waits until the change is done, because only then do reads show it. If it fails with an error that passes, it is requested again. */
  async #change(method: string, url: string, params: Readonly<Record<string, string>>, body?: object): Promise<boolean> {
    const passes = (error: unknown): boolean => error instanceof FailedOperation && PASSING.test(error.code)
    return await patiently(this.#end, async () => await this.#changeOnce(method, url, params, body), passes)
  }

  async #changeOnce(method: string, url: string, params: Readonly<Record<string, string>>, body?: object): Promise<boolean> {
    // If an answer is lost, the request is repeated with the same id, and still counts only once.
    const query = new URLSearchParams({ ...params, requestId: randomUUID() })
    const text = await this.#call(method, `${url}?${query.toString()}`, body)
    for (let said = text; said !== undefined; ) {
      const { name, status, error } = parseShape(operation, said)
      const [first] = error?.errors ?? []
      if (first) throw new FailedOperation(this.#tried, first)
      if (status === 'DONE') return true
      said = await this.#call('POST', this.#region(`operations/${name}/wait`))
    }
    return false
  }

  async #own(path: string): Promise<string> {
    const text = await this.#metadata.get(`instance/${path}`)
    if (text === undefined) throw new Error(`metadata service: this machine has no ${path}`)
    return text.trim()
  }

  #region(path: string): string {
    const { project, region } = this.#config.side ?? {}
    if (!project || !region) throw new Error('config: project and region of the group are missing')
    return `${rootOf(this.#config)}projects/${project}/regions/${region}/${path}`
  }

  #path(more = ''): string {
    return this.#region(`instanceGroupManagers/${this.#name}${more}`)
  }

  /**
   * The answer; `undefined`: it does not exist. Almost every error is tried again: the rights of a new account take a while to work, and other
   * errors may pass, too.
   */
  async #call(method: string, url: string, body?: object): Promise<string | undefined> {
    return await this.#patiently(async () => {
      const { credentials } = await this.#metadata.token()
      const headers = { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' }
      const reply = await asked(url, { method, headers, ...(body && { body: JSON.stringify(body) }), most: LONGEST_ANSWER })
      const { ok, status, text } = reply
      this.#time.learn(reply.header('date'))
      if (status === 404) return undefined
      const final = status === 400 || status === 412
      if (!ok) throw new Refused(`${status} ${oneLine(/"message":\s*"([^"]*)"/.exec(text ?? '')?.[1] ?? '')}`, final)
      if (text === undefined) throw new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`)
      return text
    })
  }

  async #patiently<T>(body: () => Promise<T>): Promise<T> {
    const again = (error: unknown): boolean => !(error instanceof Refused && error.final)
    return await patiently(this.#end, body, again).catch((error: unknown) => {
      throw new Error(`could not ${this.#tried}: ${messageOf(error)}`, { cause: error })
    })
  }
}

class Refused extends Error {
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

class FailedOperation extends Error {
  readonly code: string
  constructor(tried: string, { code = '', message = '' }: Failure) {
    super(`could not ${tried}: ${oneLine(`${code}: ${message}`)}`)
    this.code = code
  }
}

export function rootOf({ side }: MachineConfig): string {
  return rootAt(side?.['endpoint']) ?? COMPUTE
}
