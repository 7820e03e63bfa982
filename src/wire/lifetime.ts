/** All times of a run: when its programs are asked to end, when nothing of it runs any more, and until when what is left of it is kept. */
import { number, object, time } from '../lib/shape.ts'
import { LONG } from './parse.ts'

/** Fixed at creation. The resulting times, in milliseconds since 1970: `softDeadline`, `hardDeadline`, `keptUntil`. */
export interface Lifetime {
  /** ISO. The soft deadline: programs get SIGTERM. */
  readonly deadline: string
  /** Seconds between SIGTERM and SIGKILL. */
  readonly grace: number
  /** Seconds after that for the last save. At their end, the hard deadline, the dead-man's switch ends the machines. */
  readonly reserve: number
  /** Seconds for which store and last snapshots stay after the end. */
  readonly retention: number
}

/** `timeout`: seconds until the soft deadline. */
export interface LifetimeParams extends Omit<Lifetime, 'deadline'> {
  readonly timeout: number
}

/** For a deployment that is being made. `createdAt`: ISO. */
export function lifetimeOf(createdAt: string, { timeout, grace, reserve, retention }: LifetimeParams): Lifetime {
  return { deadline: new Date(Date.parse(createdAt) + timeout * 1000).toISOString(), grace, reserve, retention }
}

/** Seconds that a machine has left after the soft deadline. */
export function overtime({ grace, reserve }: Pick<Lifetime, 'grace' | 'reserve'>): number {
  return grace + reserve
}

/** Milliseconds since 1970 when programs are asked to end. */
export function softDeadline({ deadline }: Pick<Lifetime, 'deadline'>): number {
  return Date.parse(deadline)
}

/** Milliseconds since 1970 after which nothing runs on any machine. */
export function hardDeadline(lifetime: Omit<Lifetime, 'retention'>): number {
  return softDeadline(lifetime) + overtime(lifetime) * 1000
}

/** Milliseconds since 1970 after which nothing is kept, whatever became of the machines. */
export function keptUntil(lifetime: Lifetime): number {
  return retainedAfter(hardDeadline(lifetime), lifetime)
}

/** Until when a run is kept that ended at `end`; both in milliseconds since 1970. */
export function retainedAfter(end: number, { retention }: Pick<Lifetime, 'retention'>): number {
  return end + retention * 1000
}

export const lifetime = object<Lifetime>({
  deadline: time,
  grace: number(0, LONG),
  reserve: number(0, LONG),
  retention: number(0, LONG),
})
