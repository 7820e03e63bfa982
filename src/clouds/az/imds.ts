/**
 * What the metadata service of Azure has of this machine, besides the tokens of `lib/azure/login.ts`.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
 */
import { ServerTime } from '../../lib/server-time.ts'
import { either, line, list, maybe, object, oneOf } from '../../lib/shape.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { parseShape } from '../../wire/parse.ts'

const EVENTS = 'scheduledevents?api-version=2020-07-01'
const OURS = 'http://169.254.169.254'
/** Milliseconds: the service is on the same host. */
const PATIENCE = 5_000
/** Characters of an answer. */
const MOST = 1 << 20

/** https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#event-properties */
export interface ScheduledEvent {
  readonly EventId: string
  readonly EventType: string
  /** Names of machines: an event of many shows on all machines of their group, and a machine that lets it begin does so for each of them. */
  readonly Resources: readonly string[]
  readonly EventStatus: string
  /** RFC 1123, or what that is by this machine's clock; empty once it has begun. */
  readonly NotBefore?: string | null
}

const scheduled = object<{ readonly Events: readonly ScheduledEvent[] }>({
  Events: list(
    object<ScheduledEvent>({
      EventId: line(256),
      EventType: line(64),
      Resources: list(line(256), 10_000),
      EventStatus: line(64),
      NotBefore: maybe(either(line(64), oneOf(null))),
    }),
    1000,
  ),
})

export const isOf = ({ machine }: MachineConfig, { Resources }: ScheduledEvent): boolean =>
  Resources.some((name) => name.toLowerCase() === machine.toLowerCase())

/** Of the service, as far as it dates its answers: times of events are meant by that clock. */
const time = new ServerTime()

/** Throws while nothing answers. `limit`: the very first question may take minutes. */
export async function eventsOf(config: MachineConfig, limit?: AbortSignal): Promise<readonly ScheduledEvent[]> {
  const { Events } = parseShape(scheduled, await ask(config, EVENTS, { limit }))
  return Events.map((event) => (event.NotBefore ? { ...event, NotBefore: time.here(event.NotBefore) } : event))
}

/** Nobody here needs them to wait any longer. */
export async function startEvents(config: MachineConfig, ids: readonly string[]): Promise<void> {
  const body = JSON.stringify({ StartRequests: ids.map((EventId) => ({ EventId })) })
  await ask(config, EVENTS, { body })
}

interface Compute {
  readonly location: string
  readonly vmSize: string
  /** `Spot`, `Regular` or nothing. */
  readonly priority?: string
  readonly zone?: string
}

const instance = object<{ readonly compute: Compute }>({
  compute: object<Compute>({ location: line(64), vmSize: line(64), priority: maybe(line(64)), zone: maybe(line(64)) }),
})

export async function computeOf(config: MachineConfig): Promise<Compute> {
  return parseShape(instance, await ask(config, 'instance?api-version=2021-02-01')).compute
}

/** `undefined`: where the vendor has it. */
export const metadataOf = ({ side = {} }: MachineConfig): string | undefined => side['metadata']

interface Asking {
  readonly limit?: AbortSignal | undefined
  readonly body?: string
}

async function ask(config: MachineConfig, path: string, { limit = AbortSignal.timeout(PATIENCE), body }: Asking = {}): Promise<string> {
  const url = new URL(`/metadata/${path}`, metadataOf(config) ?? OURS)
  const how = { headers: { metadata: 'true', 'content-type': 'application/json' }, redirect: 'error', signal: limit } as const
  const answer = await fetch(url, body === undefined ? how : { ...how, method: 'POST', body })
  time.learn(answer.headers.get('date'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(`metadata service: ${url.pathname} answers ${answer.status}`)
  if (text.length > MOST) throw new Error(`metadata service: ${url.pathname} has more than ${MOST} characters`)
  return text
}
