/** One run of the checks, and what is done with it. */
import type { Begun } from '../begun.ts'
import type { Commands } from '../commands.ts'
import type { Account } from './account.ts'

export interface Run {
  readonly name: string
  readonly command: Begun
  /** When its programs are told to end; at the earliest, as it counts from the creation. */
  readonly timeout: Date
}

/** Seconds. */
export interface Times {
  /** Until the two machines have to have ended. */
  readonly pair: number
  /** The same for the machine that nobody looks after. */
  readonly hung: number
  /** From then on until the cloud has ended it. */
  readonly late: number
  /** For which nothing may come back after that. */
  readonly rest: number
  /** Until what has to come has come. */
  readonly patience: number
}

export interface Stage {
  readonly account: Account
  readonly commands: Commands
  readonly times: Times
  /** `act`: what its machines do, in words of their program. */
  start(what: string, seconds: number, more: readonly string[], act: string): Run
  /** Of what goes with machines: how many of each kind. */
  parts(run: Run): Promise<ReadonlyMap<string, number>>
  /** Resolves to the seconds until no machine of it is left; `undefined`: not in time. */
  deserted(run: Run, seconds: number): Promise<number | undefined>
}
