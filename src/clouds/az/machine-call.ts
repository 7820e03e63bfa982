/** Calls of Resource Manager that a machine makes by itself, with its own identity. No SDK. */
import { jsonIn } from '../../lib/answer.ts'
import { reachable } from '../../lib/reachable.ts'
import type { Fields } from '../../lib/record.ts'
import { ServerTime } from '../../lib/server-time.ts'
import { dictionary, line, list, maybe, object, type Shape } from '../../lib/shape.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import { MANAGEMENT, machineToken } from '../../vendors/azure/login.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { parseShape } from '../../wire/parse.ts'
import { asked, patiently } from '../vm/machine-call.ts'
import { Refusal } from '../vm/refusal.ts'
import { rootAt } from '../vm/transport.ts'
import { refusalOf } from './errors.ts'
import { metadataOf } from './imds.ts'
import type { AutoscaleProfile } from './sdk.ts'

/** Bytes of an answer. */
const LONGEST_ANSWER = 4 << 20
/** Other machines write at the same time. After so many tries the setting stays as it is, and the next machine that writes corrects it. */
const LOOKS = 8
const VERBS: Readonly<Record<string, string>> = { GET: 'read', DELETE: 'delete', PATCH: 'write' }

const fields: Shape<Fields> = dictionary(line(256), (value) => value, 100)
const resource = object<{ readonly properties: Fields }>({ properties: fields })
const profiles = object<{ readonly profiles: readonly Fields[] }>({ profiles: list(fields, 20) })
/** The fields of a profile that tpi reads; Azure writes numbers as text. */
const profile = object<
  Pick<AutoscaleProfile, 'name' | 'capacity'> & { readonly fixedDate?: { readonly start: string; readonly end: string } }
>({
  name: line(128),
  capacity: object({ minimum: line(16), maximum: line(16), default: line(16) }),
  fixedDate: maybe(object({ start: line(64), end: line(64) })),
})

interface Answer {
  readonly text: string
  readonly etag: string | undefined
}

/** Profiles as they are → as they should be; `undefined`: nothing has to change. `now`: milliseconds since 1970, by the vendor's clock. */
export type Change = (profiles: readonly AutoscaleProfile[], now: number) => Promise<readonly AutoscaleProfile[] | undefined>

export interface Asking {
  /** Milliseconds of trying. */
  readonly patience: number
  /** What the error says if a call fails for good. */
  readonly failure: string
}

export class Manager {
  readonly #config: MachineConfig
  readonly #end: number
  readonly #failure: string
  /** The vendor's time, which its profiles use: this machine's own clock may be minutes off. */
  readonly #time = new ServerTime()

  constructor(config: MachineConfig, { patience, failure }: Asking) {
    this.#config = config
    this.#end = performance.now() + patience
    this.#failure = failure
  }

  /** When patience is over, by `performance.now()`. */
  get end(): number {
    return this.#end
  }

  get machine(): string {
    return this.#path(`Microsoft.Compute/virtualMachines/${this.#config.machine}`, '2025-04-01')
  }

  /** `set`: the name of the scale set. */
  setting(set: string): string {
    return this.#path(`Microsoft.Insights/autoscalesettings/${set}`, '2022-10-01')
  }

  /**
   * Reads the setting, decides and writes, until nothing has to change: so the last one to write also looked last. `false`: there is no such
   * setting.
   */
  async change(set: string, how: Change): Promise<boolean> {
    for (let look = 0; look < LOOKS && (look === 0 || performance.now() < this.#end); look++) {
      const found = await this.call('GET', this.setting(set))
      if (!found) return false
      const { properties } = parseShape(resource, found.text)
      const changed = await how(profilesIn(properties), this.#time.now().getTime())
      if (!changed) return true
      await this.call('PATCH', this.setting(set), { body: { properties: { ...properties, profiles: changed } }, etag: found.etag })
    }
    return true
  }

  #path(what: string, version: string): string {
    const { subscription, resourceGroup } = this.#config.side ?? {}
    if (!subscription || !resourceGroup) throw new Error('config: subscription and resource group are missing')
    return `subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/${what}?api-version=${version}`
  }

  /**
   * The answer. `undefined`: the resource does not exist, or has changed since it was read. Tries again while a new role does not work yet, or
   * another operation is going on.
   */
  async call(method: string, path: string, { body, etag }: { body?: object; etag?: string | undefined } = {}): Promise<Answer | undefined> {
    const tryOnce = async (): Promise<Answer | undefined> => {
      const headers = { ...(await this.#proof()), 'content-type': 'application/json', ...(etag && { 'if-match': etag }) }
      const how = { method, headers, ...(body && { body: JSON.stringify(body) }), most: LONGEST_ANSWER }
      const reply = await asked(rootOf(this.#config) + path, how)
      const { text } = reply
      this.#time.learn(reply.header('date'))
      if (reply.status === 404 || reply.status === 204 || (etag && reply.status === 412)) return undefined
      if (text === undefined) throw new Error(`${reply.status} with an answer of more than ${LONGEST_ANSWER} bytes`)
      if (reply.ok) return { text, etag: reply.header('etag') }
      throw new Refused(reply.status, text, Number(reply.header('retry-after') ?? 0) * 1000)
    }
    const again = (error: unknown): boolean | number => !(error instanceof Refused) || (error.status !== 400 && error.after)
    return await patiently(this.#end, tryOnce, again).catch((cause: unknown) => {
      const action =
        cause instanceof Refused && cause.status === 403 ? ` (it may not do ${actionOf(method, path)}; see: tpi permissions az)` : ''
      throw new Error(`${this.#failure}: ${messageOf(cause)}${action}`, { cause })
    })
  }

  async #proof(): Promise<{ readonly authorization: string }> {
    const resource = rootOf(this.#config).replace(/\/$/, '')
    const { credentials } = await machineToken(resource, this.#config.side?.['clientId'], metadataOf(this.#config))
    return { authorization: `Bearer ${credentials.token}` }
  }
}

/** Proves that the API can be reached at all. */
export async function answersAtAll(config: MachineConfig): Promise<void> {
  await reachable(rootOf(config), 'the Azure Resource Manager', 'a subnet without a way out needs a NAT gateway or a public address')
}

/** Checks the profiles, and returns them with everything else that the vendor has added. */
function profilesIn(properties: Fields): readonly AutoscaleProfile[] {
  const all = profiles(properties).profiles
  for (const one of all) profile(one)
  return all as unknown as readonly AutoscaleProfile[]
}

class Refused extends Refusal {
  /** Milliseconds that the answer asks to wait. */
  readonly after: number
  constructor(status: number, text: string, after: number) {
    const { code, message } = refusalOf(status, jsonIn(text))
    super(oneLine(`${status} ${code}: ${message}`), { status, code })
    this.after = Number.isFinite(after) ? after : 0
  }
}

/**
 * The action of a call, by a rule that all providers follow.
 * https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations
 */
function actionOf(method: string, path: string): string {
  const [, provider = '', type = ''] = /\/providers\/([^/]+)\/([^/]+)/.exec(path) ?? []
  return `${provider}/${type}/${VERBS[method] ?? method}`
}

function rootOf({ side }: MachineConfig): string {
  return rootAt(side?.['endpoint']) ?? `${MANAGEMENT}/`
}
