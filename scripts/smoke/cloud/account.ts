/** What the checks of all clouds ask of one of them, by calls of its own and the logins of whoever runs them. */
import type { CloudContext } from '../../../src/core/cloud.ts'

/** One that the vendor lists and bills, or that stands in somebody's way. */
export interface Thing {
  /** In one word: `machine`, `disk`, `interface` and `address` are those that go with a machine. */
  readonly kind: string
  /** As the vendor calls it. */
  readonly name: string
}

export interface End {
  readonly at: Date
  readonly how: string
  /** Machines that may stay all the same. Absent: none. */
  readonly leaves?: number
}

export interface GroupSeen {
  readonly wanted: number
  /** What ends its machines, whoever has died meanwhile. */
  readonly ends: End | undefined
}

/** Runs are known by their name, which is in the names or tags of all that they make. */
export interface Account {
  things(run: string): Promise<readonly Thing[]>
  group(run: string): Promise<GroupSeen | undefined>
  /** `machine`: as the record of a slot names it. */
  takeBack(run: string, machine: string): Promise<void>
}

/** What of the checks differs from one cloud to the next. */
export interface Vendor {
  /** As it is registered. */
  readonly id: string
  /** What is said of it, and where it says what is unproven. */
  readonly page: string
  /** Of the caller's environment: what commands need for their login. */
  readonly variables: RegExp
  /** A name that any machine can look up. */
  readonly name: string
  /** Services of the machine's own that its script is kept from. */
  readonly closed: readonly string[]
  /** How it takes a machine back on request, for people. */
  readonly takesBack: string
  /** What somebody needs besides what `tpi permissions` prints, for people. */
  readonly rights: string
  /** What its own checks make besides the two runs. `machines`: that work at a time, at most. */
  readonly more?: { readonly runs: number; readonly machines: number }
  open(context: CloudContext): Promise<Account>
}
