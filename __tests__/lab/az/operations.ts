/**
 * Changes take time: the answer comes at once, with two addresses to ask for progress, of which different clients use one or the other
 * (https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations).
 */
import { randomUUID } from 'node:crypto'
import type { CloudClock } from '../vm/simulation/clock.ts'
import { ArmFault } from './fault.ts'
import type { Fields } from './tables.ts'

export interface OperationParams {
  /** Path before its id: `/subscriptions/S/providers/Microsoft.Compute/locations/westeurope`. */
  readonly place: string
  /** The operation does not end before this is true. */
  readonly so?: (() => boolean) | undefined
  /** Asked at the end: why it failed. */
  readonly why?: (() => ArmFault | undefined) | undefined
  /** The resource in the end, as the last answer under `Location`. */
  readonly result?: (() => unknown) | undefined
}

interface Running extends OperationParams {
  readonly id: string
  readonly began: number
  ended?: number
  failed?: ArmFault | undefined
}

interface Progress {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const PATH = /\/(operations|operationresults)\/([0-9a-f-]{36})$/i

export class Operations {
  /** Milliseconds until a change is done. */
  time = 20
  /** Seconds that callers are asked to wait between two polls; the vendor asks for ten and more. */
  retryAfter = 1
  readonly #clock: CloudClock
  readonly #all = new Map<string, Running>()

  constructor(clock: CloudClock) {
    this.#clock = clock
  }

  /** Headers with the addresses to poll. */
  begin(params: OperationParams, origin: string, version: string): Readonly<Record<string, string>> {
    const id = randomUUID()
    this.#all.set(id, { ...params, id, began: this.#clock.now() })
    const url = (kind: string): string => `${origin}${params.place}/${kind}/${id}?api-version=${version}`
    return {
      'azure-asyncoperation': url('operations'),
      location: `${url('operationresults')}&monitor=true`,
      'retry-after': String(this.retryAfter),
    }
  }

  /** `undefined`: not the path of an operation. */
  ask(path: string): Progress | undefined {
    const [, kind = '', id = ''] = PATH.exec(path) ?? []
    if (id === '') return undefined
    const found = this.#all.get(id)
    if (!found) throw new ArmFault(404, 'NotFound', `The entity was not found. (operation ${id})`)
    const done = this.#done(found)
    const headers = done ? {} : { 'retry-after': String(this.retryAfter) }
    if (kind.toLowerCase() === 'operations') return { status: 200, headers, body: this.#fields(found, done) }
    if (!done) return { status: 202, headers: { ...headers, location: '' } }
    if (found.failed) throw found.failed
    const body = found.result?.()
    return { status: 200, ...(body !== undefined && { body }) }
  }

  #done(one: Running): boolean {
    if (one.ended !== undefined) return true
    if (this.#clock.now() - one.began < this.time || (one.so && !one.so())) return false
    one.ended = this.#clock.now()
    one.failed = one.why?.()
    return true
  }

  #fields({ id, began, ended, failed }: Running, done: boolean): Fields {
    const time = (at: number): string => new Date(at).toISOString().replace('Z', '0000+00:00')
    return {
      startTime: time(began),
      ...(ended !== undefined && { endTime: time(ended) }),
      status: done ? (failed ? 'Failed' : 'Succeeded') : 'InProgress',
      name: id,
      ...(failed && { error: failed.error }),
    }
  }
}
