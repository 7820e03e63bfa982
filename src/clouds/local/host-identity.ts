/** Which host and which set of processes a record speaks of: a home on a shared disk is seen from several. */
import { hostname } from 'node:os'
import { bootId } from '../../lib/clock.ts'
import { isAlive, type ProcessId, processSpace } from '../../lib/process.ts'
import { count, line, object, time } from '../../lib/shape.ts'

export interface HostIdentity {
  readonly host: string
  readonly boot: string
  /** Process namespace (containers); empty where there is no such thing. */
  readonly space: string
}

/** A process and where its pid means something. */
export interface HostedProcess {
  readonly process: ProcessId
  readonly place: HostIdentity
  /** ISO. */
  readonly at: string
}

export const placedShape = object<HostedProcess>({
  process: object<ProcessId>({ pid: count(), start: line(256) }),
  place: object<HostIdentity>({ host: line(1024), boot: line(256), space: line(256) }),
  at: time,
})

export function here(): HostIdentity {
  return { host: hostname(), boot: bootId(), space: processSpace() }
}

/** Whether our process table can say what became of processes there (also: that host has booted since, so they are gone). */
export function isHere(place: HostIdentity): boolean {
  const own = here()
  return place.host === own.host || (place.boot === own.boot && place.space === own.space)
}

/** A process of another host counts as alive: nobody here can tell. */
export function mayLive(placed: HostedProcess): boolean {
  return !isHere(placed.place) || isAlive(placed.process)
}
