/** Small records of a deployment besides the slots. */

export type Mode = 'task' | 'runner' | 'machine'

/** Where a deployment came from. */
export interface Origin {
  readonly repository?: string
  readonly commit?: string
  readonly ref?: string
  readonly runUrl?: string
  /** CI run and step: two steps of one run must never meet in one deployment. */
  readonly run?: string
  readonly step?: string
  /** Which try of the run: in one try a step comes only once, unless two jobs cannot be told apart. */
  readonly attempt?: string
  /** `user@host`, outside CI. */
  readonly user?: string
}

/** Which forge, and where there: as `runner.ts` says. Never a credential. */
export interface Registry {
  readonly forge: string
  readonly scope: Readonly<Record<string, string>>
}

/** `<id>/current.json`: which incarnation is the living one. Changes only by compare-and-swap. */
export interface CurrentRecord {
  readonly v: 1
  readonly nonce: string
  readonly id: string
  readonly name: string
  readonly incarnation: string
  readonly createdAt: string
  readonly origin: Origin
  /** Where registrations of it may be, from before the first one is made. */
  readonly registry?: Registry
  /** Its controller is still making it and renews the nonce at every beat; silent for one TTL = that controller is dead. */
  readonly creating?: boolean
  /** That TTL, in milliseconds, as the command that made it had it; absent in records of older versions. */
  readonly ttl?: number
  /** It makes room for another incarnation of itself: what that is made of, should the controller die in between. */
  readonly relaunch?: Relaunch
  /** Runners that have left: nothing that they were cut off from waits any more, so their store may go. */
  readonly settled?: boolean
  /** Somebody is removing it. A second controller that meets this ends with the recorded state. */
  readonly destroying?: boolean
}

/** Runners that jobs wait for, as their specification had them. */
export interface Relaunch {
  /** ISO. */
  readonly since: string
  readonly labels: readonly string[]
  readonly wish: Readonly<Record<string, unknown>>
  /** Where its jobs can be. */
  readonly repositories: readonly string[]
  /** Times in a row that they were started, and did not come. */
  readonly tries?: number
}

/** Wishes of controllers, and what they alone can see, read by every agent about once a second. Changes only by compare-and-swap. */
export interface ControlRecord {
  readonly v: 1
  readonly nonce: string
  readonly stop?: StopWish
  /** Rehearsed reclaims where the cloud has no notice of its own to give. */
  readonly interrupts?: readonly InterruptWish[]
  /** ISO, the controller's clock: when it had seen each runner of the launch online at the forge. */
  readonly online?: string
}

export interface StopWish {
  readonly at: string
  /** Who asked, for people: `cancel`, `stop`, `replace`, `fail-fast`, … */
  readonly by: string
  /** Seconds between SIGTERM and SIGKILL; the task's own grace when absent. */
  readonly grace?: number
}

export interface InterruptWish {
  readonly id: string
  readonly at: string
  /** Absent: every slot. */
  readonly slot?: number
}

/** `collected.json`, created once by the controller whose delivery is complete. */
export interface CollectedRecord {
  readonly v: 1
  readonly at: string
  readonly by: string
  readonly heads: Readonly<Record<string, string>>
}

/** `settled.json`: what a forge has said for good of jobs that were cut off. Changes only by compare-and-swap. */
export interface SettledRecord {
  readonly v: 1
  readonly nonce: string
  /** Execution of a job → what was said. */
  readonly jobs: Readonly<Record<string, string>>
  /** Names of registrations whose machine was taken away, but no job with it. */
  readonly unharmed: readonly string[]
}

/** `secrets/env.json`: secret environment of the script. Removed by whoever closes the last slot. */
export interface SecretsRecord {
  readonly v: 1
  readonly env: Readonly<Record<string, string>>
}
