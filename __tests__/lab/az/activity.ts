/**
 * What was done in the subscription, and how it ended: https://learn.microsoft.com/rest/api/monitor/activity-logs/list. The columns are those of
 * https://learn.microsoft.com/azure/azure-monitor/platform/activity-log-schema (administrative, autoscale).
 */
import { randomUUID } from 'node:crypto'
import type { CloudClock } from '../vm/simulation/clock.ts'
import { ArmFault } from './fault.ts'
import { SUBSCRIPTION, TENANT } from './resources.ts'
import type { Fields } from './tables.ts'

export interface Happening {
  /** `Microsoft.Compute/virtualMachineScaleSets/write` */
  readonly operation: string
  /** The id of the resource. */
  readonly id: string
  readonly status: 'Started' | 'Accepted' | 'Succeeded' | 'Failed'
  readonly error?: Fields
  readonly category?: 'Administrative' | 'Autoscale'
  readonly said?: string
}

export class Activity {
  /** Milliseconds until an entry can be read: at the vendor it takes minutes. */
  lag = 0
  readonly #clock: CloudClock
  readonly #all: { readonly at: number; readonly group: string; readonly fields: Fields }[] = []

  constructor(clock: CloudClock) {
    this.#clock = clock
  }

  note({ operation, id, status, error, category = 'Administrative', said }: Happening): void {
    const at = this.#clock.now()
    const [, group = ''] = /resourceGroups\/([^/]+)/i.exec(id) ?? []
    const [, provider = '', type = ''] = /providers\/([^/]+)\/([^/]+)/i.exec(id) ?? []
    const time = new Date(at).toISOString()
    const named = (value: string): Fields => ({ value, localizedValue: value })
    const fields = {
      caller: category === 'Autoscale' ? 'Microsoft.Insights/autoscaleSettings' : '11111111-2222-3333-4444-555555555555',
      correlationId: randomUUID(),
      eventDataId: randomUUID(),
      eventName: named(status === 'Started' ? 'BeginRequest' : 'EndRequest'),
      category: named(category),
      id: `${id}/events/${randomUUID()}/ticks/${at}`,
      level: status === 'Failed' ? 'Error' : 'Informational',
      resourceGroupName: group,
      resourceProviderName: named(provider),
      resourceId: id,
      resourceType: named(`${provider}/${type}`),
      operationId: randomUUID(),
      operationName: named(operation),
      status: named(status),
      subStatus: named(error ? 'Conflict' : ''),
      eventTimestamp: time,
      submissionTimestamp: time,
      subscriptionId: SUBSCRIPTION,
      tenantId: TENANT,
      ...(said !== undefined && { description: said }),
      properties: {
        entity: id,
        ...(error && {
          statusCode: 'Conflict',
          statusMessage: JSON.stringify({
            status: 'Failed',
            error: {
              code: 'ResourceOperationFailure',
              message: "The resource operation completed with terminal provisioning state 'Failed'.",
              details: [error],
            },
          }),
        }),
      },
    }
    this.#all.push({ at, group: group.toLowerCase(), fields })
  }

  /** `eventTimestamp ge '…' and eventTimestamp le '…' and resourceGroupName eq '…'`: the operation's page lists the filters. Newest first. */
  list(filter: string, select: string | null): readonly Fields[] {
    const parts = filter.split(/ and /i).map((part) => /^\s*(\w+)\s+(ge|le|eq)\s+'([^']*)'\s*$/i.exec(part))
    const first = parts.findIndex((part) => part === null)
    if (first >= 0) throw new ArmFault(400, 'BadRequest', `The filter '${filter}' is not valid.`)
    const of = (name: string, comparison: string): string | undefined =>
      parts.find((part) => part?.[1]?.toLowerCase() === name.toLowerCase() && part[2] === comparison)?.[3]
    const since = of('eventTimestamp', 'ge')
    if (since === undefined) throw new ArmFault(400, 'BadRequest', 'The start time must be provided in the filter.')
    const until = Date.parse(of('eventTimestamp', 'le') ?? new Date(this.#clock.now()).toISOString())
    const group = of('resourceGroupName', 'eq')?.toLowerCase()
    const id = of('resourceUri', 'eq')?.toLowerCase()
    const found = this.#all.filter(
      ({ at, group: of_, fields }) =>
        at >= Date.parse(since) &&
        at <= until &&
        at <= this.#clock.now() - this.lag &&
        (group === undefined || of_ === group) &&
        (id === undefined || String(fields['resourceId']).toLowerCase() === id),
    )
    const names = select?.split(',').map((name) => name.trim())
    return found
      .toReversed()
      .map(({ fields }) => (names ? Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) : fields))
  }
}
