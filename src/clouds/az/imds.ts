/**
 * What the metadata service of Azure tells about this machine, except for the tokens of `vendors/azure/login.ts`.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
 */
import { ask, type HttpCall } from '../../lib/http.ts'
import { ServerTime } from '../../lib/server-time.ts'
import { either, line, list, maybe, object, oneOf } from '../../lib/shape.ts'
import { METADATA, metadataIn } from '../../vendors/metadata-service.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { parseShape } from '../../wire/parse.ts'

const EVENTS = 'scheduledevents?api-version=2020-07-01'
/** Milliseconds: the service is on the same host. */
const PATIENCE = 5_000
/** Bytes of an answer. */
const MOST = 1 << 20

/** https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#event-properties */
export interface ScheduledEvent {
  readonly EventId: string
  readonly EventType: string
  /** Names of the machines that it concerns. All machines of a group see it, and one that lets it begin does so for all of them. */
  readonly Resources: readonly string[]
  readonly EventStatus: string
  /** RFC 1123; from `eventsOf`, by this machine's clock. Empty once the event has begun. */
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

/** Whether it concerns this machine. */
export const isOf = ({ machine }: MachineConfig, { Resources }: ScheduledEvent): boolean =>
  Resources.some((name) => name.toLowerCase() === machine.toLowerCase())

/** The service's time, which events use, if its answers are dated. */
const time = new ServerTime()

/** All events of the group. Throws while there is no answer. `limits`: the very first request may take minutes. */
export async function eventsOf(config: MachineConfig, limits?: Pick<HttpCall, 'patience' | 'signal'>): Promise<readonly ScheduledEvent[]> {
  const { Events } = parseShape(scheduled, await askService(config, EVENTS, limits))
  return Events.map((event) => (event.NotBefore ? { ...event, NotBefore: time.here(event.NotBefore) } : event))
}

/** Tells Azure that these events may begin: it need not wait for this machine any longer. */
export async function startEvents(config: MachineConfig, ids: readonly string[]): Promise<void> {
  const body = JSON.stringify({ StartRequests: ids.map((EventId) => ({ EventId })) })
  await askService(config, EVENTS, { body })
}

interface Compute {
  readonly location: string
  readonly vmSize: string
  /** `Spot`, `Regular` or empty. */
  readonly priority?: string
  readonly zone?: string
}

const instance = object<{ readonly compute: Compute }>({
  compute: object<Compute>({ location: line(64), vmSize: line(64), priority: maybe(line(64)), zone: maybe(line(64)) }),
})

export async function computeOf(config: MachineConfig): Promise<Compute> {
  return parseShape(instance, await askService(config, 'instance?api-version=2021-02-01')).compute
}

/** `undefined`: the vendor's usual address. */
export const metadataOf = ({ side = {} }: MachineConfig): string | undefined => side['metadata']

type Asking = Pick<HttpCall, 'body' | 'signal'> & Partial<Pick<HttpCall, 'patience'>>

async function askService(config: MachineConfig, path: string, { body, ...limits }: Asking = {}): Promise<string> {
  const url = new URL(`/metadata/${path}`, metadataOf(config) ?? METADATA)
  const headers = { metadata: 'true', 'content-type': 'application/json' }
  const how = body === undefined ? { headers } : { method: 'POST', headers, body }
  const answer = await ask(url, { ...how, patience: PATIENCE, ...limits, most: MOST })
  time.learn(answer.header('date'))
  return metadataIn(answer, url.pathname, MOST)
}
