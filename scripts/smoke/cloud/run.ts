/** One run of the checks, and the operations on it. */
import type { Begun } from '../begun.ts'
import type { Commands } from '../commands.ts'
import type { Account } from './account.ts'

export interface Run {
  readonly name: string
  readonly command: Begun
  /** The earliest time at which its programs are told to end; the timeout counts from the creation. */
  readonly timeout: Date
}

/** Seconds. */
export interface Times {
  /** Timeout of the run with two machines. */
  readonly pair: number
  /** Timeout of the run that no command looks after. */
  readonly hung: number
  /** From its deadline until the cloud must have ended it. */
  readonly late: number
  /** After that, the time for which nothing may come back. */
  readonly rest: number
  /** How long to wait for anything that must happen. */
  readonly patience: number
}

export interface Stage {
  readonly account: Account
  readonly commands: Commands
  readonly times: Times
  /** `act`: what its machines do, as arguments of their program. */
  start(what: string, seconds: number, more: readonly string[], act: string): Run
  /** Parts of machines that exist, counted by kind. */
  parts(run: Run): Promise<ReadonlyMap<string, number>>
  /** Resolves to the seconds until no machine of it is left; `undefined`: not in time. */
  deserted(run: Run, seconds: number): Promise<number | undefined>
}
