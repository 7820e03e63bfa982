/** On which host, and in which process table, a recorded process runs: several hosts may share a home on a network disk. */
import { hostname } from 'node:os'
import { bootId } from '../../lib/clock.ts'
import { isAlive, type ProcessId, processSpace } from '../../lib/process.ts'
import { count, line, object, time } from '../../lib/shape.ts'

export interface HostIdentity {
  readonly host: string
  readonly boot: string
  /** Process namespace (containers); empty if the system has none. */
  readonly space: string
}

/** A process, and the host on which its pid is valid. */
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

/** Whether this host can tell if such a process is alive; also if this host has rebooted since, because then the process is gone. */
export function isHere(place: HostIdentity): boolean {
  const own = here()
  return place.host === own.host || (place.boot === own.boot && place.space === own.space)
}

/**
 * Another container on this host, or this one before it was restarted or made anew: this process table does not show its processes, but their beats
 * come from the same clock.
 */
export function isBeside(place: HostIdentity): boolean {
  const own = here()
  return place.boot === own.boot && place.space !== own.space
}

/** A process of another host counts as alive, because this host cannot tell. */
export function mayLive(placed: HostedProcess): boolean {
  return !isHere(placed.place) || isAlive(placed.process)
}
