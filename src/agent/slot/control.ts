/** Requests of controllers, and whether this incarnation is still the current one. */
import { pause } from '../../lib/clock.ts'
import type { ExecRequest } from '../../wire/exec.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { currentKey } from '../../wire/layout.ts'
import { CONTROL, CURRENT, type InterruptRequest, type StopRequest } from '../../wire/records.ts'
import type { Store } from '../../wire/store.ts'
import { readRecord } from '../../wire/swap.ts'
import type { MachineContext } from '../machine-context.ts'
import { mayPass, tellOnce } from '../outage.ts'

/** Milliseconds between two looks, unless the lease's beat is shorter. */
const POLL = 1000
/** Only every tenth look checks whether the incarnation is still the current one. */
const SELDOM = 10

/** The deployment is being removed, or another incarnation has replaced it: this machine is not needed any more. */
export class Gone extends Error {
  override readonly name = 'Gone'
}

export interface ControlEvents {
  onStop(request: StopRequest): void
  /** A request that is newer than the first look. */
  onInterrupt(request: InterruptRequest): void
  /** At each look: all commands that `tpi exec` waits for. */
  onExecs(requests: readonly ExecRequest[]): void
  /** Another incarnation is current, or this one is being removed. */
  onGone(reason: Gone): void
}

export class Control {
  readonly #context: MachineContext
  #seen: Set<string> | undefined
  #stop: StopRequest | undefined
  #online: string | undefined
  #price: number | undefined

  constructor(context: MachineContext) {
    this.#context = context
  }

  get stop(): StopRequest | undefined {
    return this.#stop
  }

  /** ISO: when a controller had seen all runners of the launch online; `undefined`: not recorded. */
  get online(): string | undefined {
    return this.#online
  }

  /** USD per hour of a machine, as recorded by a controller. */
  get price(): number | undefined {
    return this.#price
  }

  /** Reads the requests. Interruptions that the first look finds are old, so they are not reported. */
  async look(events: ControlEvents, signal: AbortSignal): Promise<void> {
    const { store, keys } = this.#context
    const record = (await readRecord(CONTROL, store, keys.control, signal))?.value
    this.#online = record?.online
    this.#price = record?.price
    const seen = this.#seen
    const interrupts = record?.interrupts ?? []
    this.#seen = new Set(interrupts.map((request) => request.id))
    if (record?.stop && record.stop.at !== this.#stop?.at) {
      this.#stop = record.stop
      events.onStop(record.stop)
    }
    events.onExecs(record?.execs ?? [])
    if (seen) for (const request of interrupts) if (!seen.has(request.id)) events.onInterrupt(request)
  }

  /** Looks again and again until the signal. An outage of the store is not reported here: the holder's heartbeat does that. */
  async watch(events: ControlEvents, signal: AbortSignal): Promise<void> {
    const { config, spec, store, say } = this.#context
    const trouble = tellOnce(say, 'requests to this run')
    for (let round = 1; !signal.aborted; round++) {
      try {
        await this.look(events, signal)
        if (round % SELDOM === 0) {
          const gone = await incarnationFault(store, config.id, config.incarnation, signal)
          if (gone) events.onGone(new Gone(gone))
        }
      } catch (error) {
        if (!signal.aborted && !mayPass(error)) trouble(error)
      }
      await pause(Math.min(POLL, spec.lease.beat), signal).catch(() => undefined)
    }
  }
}

/** Why this incarnation must not go on; `undefined`: it may, because it is the current one. */
export async function incarnationFault(store: Store, id: string, incarnation: string, signal: AbortSignal): Promise<string | undefined> {
  return removalOf((await readRecord(CURRENT, store, currentKey(id), signal))?.value, incarnation)
}
