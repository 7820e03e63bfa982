/**
 * Out of the group. A size that a sibling wanted lowered would let the vendor choose whom it takes, so there is no such thing: what is lowered is the
 * least that the group keeps, to the number of open slots, and the machine removes itself. Shut down alone, it would be paid for as before.
 * https://learn.microsoft.com/rest/api/monitor/autoscale-settings/update ; https://learn.microsoft.com/rest/api/compute/virtual-machines/delete
 */
import { machineToken } from '../../lib/azure/login.ts'
import { pause } from '../../lib/clock.ts'
import { reachable } from '../../lib/reachable.ts'
import { retry } from '../../lib/retry.ts'
import { dictionary, line, list, object, type Shape } from '../../lib/shape.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving, OpenSlots } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { parsed } from '../vm/transport.ts'
import { Refusal, refusalOf } from './errors.ts'
import { eventsOf, isOf, metadataOf, startEvents } from './imds.ts'

/** Milliseconds: a machine that cannot leave is switched off, which costs as much as one that works. */
const PATIENCE = 300_000
const TIMEOUT = 15_000
const PAUSES = { first: 500, longest: 8000 }
/** Milliseconds between two looks at whether a removal goes on. */
const LOOK = 1000
/** Milliseconds for an ordinary removal. One by force may leave network cards: https://github.com/MicrosoftDocs/azure-docs/issues/117342 */
const GENTLE = 120_000
/** So many looks in a row have to say that this machine, which runs, is not there: answers of the vendor may come from a copy that lags. */
const SURE = 3
/** Milliseconds until a new role is known everywhere: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting */
const PROPAGATION = 1_800_000
/** Others lower it at the same time: after so many looks it is left as it is, and whoever leaves next sees to it. */
const LOOKS = 8
const MANAGEMENT = 'https://management.azure.com/'
const OPEN = 'open'

type Fields = Readonly<Record<string, unknown>>
const fields: Shape<Fields> = dictionary(line(256), (value) => value, 100)
const profiles = object<{ readonly profiles: readonly Fields[] }>({ profiles: list(fields, 20) })
const resource = object<{ readonly properties: Fields }>({ properties: fields })
const machine = object<{ readonly properties: { readonly provisioningState: string } }>({
  properties: object({ provisioningState: line(64) }),
})
/** Numbers are text here. */
const capacity = object<{ readonly minimum: string; readonly maximum: string }>({ minimum: line(16), maximum: line(16) })

/**
 * Idempotent: a machine or a setting that is not there, and a group that wants none, are fine. Throws when it could not be done. An event that
 * nobody else has to get ready for may then begin. `look`: milliseconds between two looks at whether it goes on.
 */
export async function remove(config: MachineConfig, why: Leaving, open?: OpenSlots, look = LOOK): Promise<void> {
  const group = new Group(config, PATIENCE, 'could not leave the group')
  // One that is billed on is worse than a group that keeps too many for a while.
  const kept = why === 'done' ? await group.keep(open).catch((error: unknown) => error) : undefined
  await Promise.all([group.deleteSelf(look), release(config).catch(() => undefined)])
  if (kept instanceof Error) throw kept
}

/**
 * Proves that the API by which this machine leaves can be reached, and lets it in: where it does not, its work would never end. What it may change
 * cannot be tried without a change; the role that may read both may do that too. `patience`: milliseconds for a role that was only just given.
 */
export async function answers(config: MachineConfig, patience = PROPAGATION): Promise<void> {
  await reachable(rootOf(config), 'the Azure Resource Manager', 'a subnet without a way out needs a NAT gateway or a public address')
  await new Group(config, patience, 'this machine could not leave its group').look()
}

async function release(config: MachineConfig): Promise<void> {
  const own = (await eventsOf(config)).filter((event) => event.EventStatus === 'Scheduled' && isOf(config, event))
  const ids = own.filter(({ Resources }) => Resources.length === 1).map(({ EventId }) => EventId)
  if (ids.length > 0) await startEvents(config, ids)
}

interface Answer {
  readonly text: string
  readonly etag: string | null
}

class Group {
  readonly #config: MachineConfig
  readonly #end: number
  /** For people: what it is when a call fails for good. */
  readonly #failure: string

  constructor(config: MachineConfig, patience: number, failure: string) {
    this.#config = config
    this.#end = performance.now() + patience
    this.#failure = failure
  }

  async look(): Promise<void> {
    await Promise.all([this.#call('GET', this.#setting), this.#call('GET', this.#machine)])
  }

  /** Read, counted and written again until what it keeps is what is open: who writes last has counted last. Without that profile somebody has ended the group. */
  async keep(open: OpenSlots | undefined): Promise<void> {
    let ran = false
    for (let look = 0; look < LOOKS; look++) {
      const found = await this.#call('GET', this.#setting)
      if (!found) return
      const { properties } = parseShape(resource, found.text)
      const all = profiles(properties).profiles
      const own = all.find(({ name }) => name === OPEN)
      const wanted = own && capacity(own['capacity'])
      const openWork = await open?.()
      ran ||= openWork?.stopped === false
      // At a stop too siblings may save for as long as their grace lasts. One that came since the first look may have ended the group, and we have written over that.
      const count = openWork?.stopped && ran ? 0 : openWork?.open
      if (!wanted || count === undefined || (count > 0 && Number(wanted.minimum) === count)) return
      const said = String(count)
      const changed = count === 0 ? [] : [{ ...own, capacity: { minimum: said, maximum: wanted.maximum, default: said } }]
      const body = { properties: { ...properties, profiles: all.flatMap((one) => (one === own ? changed : one)) } }
      await this.#call('PATCH', this.#setting, { body, etag: found.etag })
    }
  }

  /** Until nothing is left of it, which nobody here lives to see; an operation that comes to nothing is begun again, by force then. */
  async deleteSelf(pace: number): Promise<void> {
    for (let force = ''; performance.now() < this.#end; force = '&forceDeletion=true') {
      await this.#call('DELETE', `${this.#machine}${force}`)
      if (await this.#isGone(Math.min(this.#end, performance.now() + GENTLE), pace)) return
    }
    throw new Error('could not leave the group: the removal of this machine comes to nothing')
  }

  /** `false`: its removal does not go on, or not until `end`. */
  async #isGone(end: number, pace: number): Promise<boolean> {
    for (let absent = 0; performance.now() < end; ) {
      await pause(pace)
      const found = await this.#call('GET', this.#machine)
      if (found && parseShape(machine, found.text).properties.provisioningState !== 'Deleting') return false
      absent = found ? 0 : absent + 1
      if (absent === SURE) return true
    }
    return false
  }

  get #machine(): string {
    return this.#path(`Microsoft.Compute/virtualMachines/${this.#config.machine}`, '2024-11-01')
  }

  get #setting(): string {
    return this.#path(`Microsoft.Insights/autoscalesettings/${this.#config.side?.['group'] ?? ''}`, '2022-10-01')
  }

  #path(what: string, version: string): string {
    const { subscription, resourceGroup } = this.#config.side ?? {}
    if (!subscription || !resourceGroup) throw new Error('config: subscription and resource group are missing')
    return `subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/${what}?api-version=${version}`
  }

  /** What it answers; `undefined`: there is no such thing, or what was read has changed since. Rights may take a while to be known, and other operations are waited for. */
  async #call(method: string, path: string, { body, etag }: { body?: object; etag?: string | null } = {}): Promise<Answer | undefined> {
    const attempt = async (): Promise<Answer | undefined> => {
      const headers = { ...(await this.#proof()), 'content-type': 'application/json', ...(etag && { 'if-match': etag }) }
      const how = { method, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) } as const
      const reply = await fetch(rootOf(this.#config) + path, body ? { ...how, body: JSON.stringify(body) } : how)
      const text = await reply.text()
      if (reply.status === 404 || reply.status === 204 || (etag && reply.status === 412)) return undefined
      if (reply.ok) return { text, etag: reply.headers.get('etag') }
      throw new Refused(reply.status, text, Number(reply.headers.get('retry-after') ?? 0) * 1000)
    }
    const again = (error: unknown): boolean | number => {
      const wait = error instanceof Refused ? error.after : 0
      if ((error instanceof Refused && error.status === 400) || performance.now() + wait > this.#end) return false
      return wait
    }
    return await retry(attempt, { ...PAUSES, again }).catch((cause: unknown) => {
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

class Refused extends Refusal {
  /** Milliseconds that we were asked to wait. */
  readonly after: number
  constructor(status: number, text: string, after: number) {
    const { code, message } = refusalOf(status, parsed(text))
    super(oneLine(`${status} ${code}: ${message}`), { status, code })
    this.after = Number.isFinite(after) ? after : 0
  }
}

/** By the rule that all providers keep to. https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations */
function actionOf(method: string, path: string): string {
  const [, provider = '', type = ''] = /\/providers\/([^/]+)\/([^/]+)/.exec(path) ?? []
  return `${provider}/${type}/${method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'write'}`
}

function rootOf({ side }: MachineConfig): string {
  return (side?.['endpoint'] ?? MANAGEMENT).replace(/\/*$/, '/')
}
