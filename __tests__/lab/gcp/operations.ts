/**
 * Changes take time: each starts an operation that is RUNNING and then DONE, with or without an error
 * (https://cloud.google.com/compute/docs/api/how-tos/api-requests-responses). A repeated request with the same `requestId` gets the same operation.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CloudClock } from '../vm/simulation/clock.ts'
import { linkTo, PROJECT } from './catalogue.ts'
import type { Fields } from './discovery.ts'
import { notFound } from './fault.ts'

/** `global`, `regions/us-central1` or `zones/us-central1-a` */
export type Scope = string

export interface OperationParams {
  readonly scope: Scope
  readonly type: string
  /** Path of the resource, and its number. */
  readonly target: string
  readonly targetId: string
  readonly user?: string
  readonly message?: string
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number }
  /** The operation does not end before this is true. */
  readonly so?: () => boolean
  /** How many milliseconds it takes, if not the default. */
  readonly takes?: number
}

interface Operation extends OperationParams {
  readonly name: string
  readonly id: string
  readonly began: number
  ended?: number
}

/** `wait` answers after two minutes at the latest. */
const PATIENCE = 120_000

export class Operations {
  /** Milliseconds until a change is done. */
  time = 20
  readonly #clock: CloudClock
  readonly #all: Operation[] = []
  readonly #asked = new Map<string, Operation>()
  #number = 7_000_000_000_000

  constructor(clock: CloudClock) {
    this.#clock = clock
  }

  number(): string {
    this.#number += 1
    return `${this.#number}`
  }

  /** The operation that was begun with that id before. */
  known(requestId: string | undefined): Fields | undefined {
    const found = requestId === undefined ? undefined : this.#asked.get(requestId)
    return found && this.#fields(found)
  }

  begin(params: OperationParams, requestId?: string): Fields {
    const operation = {
      ...params,
      name: `operation-${this.#clock.now()}-${randomUUID().slice(0, 13)}`,
      id: this.number(),
      began: this.#clock.now(),
    }
    this.#all.push(operation)
    if (requestId !== undefined) this.#asked.set(requestId, operation)
    return this.#fields(operation)
  }

  get(scope: Scope, name: string): Fields {
    return this.#fields(this.#named(scope, name))
  }

  async wait(scope: Scope, name: string): Promise<Fields> {
    const operation = this.#named(scope, name)
    const end = Date.now() + PATIENCE
    while (!this.#done(operation) && Date.now() < end) await sleep(5)
    return this.#fields(operation)
  }

  /** The operations of one scope, or of all. */
  list(scope?: Scope): readonly Fields[] {
    return this.#all.filter((one) => scope === undefined || one.scope === scope).map((one) => this.#fields(one))
  }

  scopes(): ReadonlyMap<Scope, readonly Fields[]> {
    return new Map([...new Set(this.#all.map(({ scope }) => scope))].map((scope) => [scope, this.list(scope)]))
  }

  #named(scope: Scope, name: string): Operation {
    const found = this.#all.find((one) => one.scope === scope && (one.name === name || one.id === name))
    if (!found) throw notFound(`projects/${PROJECT}/${scope}/operations/${name}`)
    return found
  }

  #done(operation: Operation): boolean {
    if (operation.ended !== undefined) return true
    const { began, takes = this.time, so } = operation
    if (this.#clock.now() - began < takes || (so && !so())) return false
    operation.ended = Math.max(began + takes, so ? this.#clock.now() : 0)
    return true
  }

  #fields(operation: Operation): Fields {
    const done = this.#done(operation)
    const { scope, name, id, type, target, targetId, user = `lab@${PROJECT}.iam.gserviceaccount.com`, error, message, began } = operation
    const time = (at: number): string => new Date(at).toISOString().replace('Z', '-00:00')
    const [kind, place] = scope.split('/')
    return {
      kind: 'compute#operation',
      id,
      name,
      operationType: type,
      targetLink: linkTo(target),
      targetId,
      user,
      status: done ? 'DONE' : 'RUNNING',
      progress: done ? 100 : 0,
      insertTime: time(began),
      startTime: time(began),
      ...(message !== undefined && { statusMessage: message }),
      ...(done && { endTime: time(operation.ended ?? began) }),
      ...(done && error && { error: { errors: [{ code: error.code, message: error.message }] } }),
      ...(done &&
        error && { httpErrorStatusCode: error.status ?? 400, httpErrorMessage: error.status === 403 ? 'FORBIDDEN' : 'BAD REQUEST' }),
      ...(place !== undefined && { [kind === 'regions' ? 'region' : 'zone']: linkTo(`projects/${PROJECT}/${scope}`) }),
      selfLink: linkTo(`projects/${PROJECT}/${scope}/operations/${name}`),
    }
  }
}
