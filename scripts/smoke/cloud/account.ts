/** What the checks of all clouds need from a cloud, with its own calls and the logins of the user who runs them. */
import type { CloudContext } from '../../../src/core/cloud.ts'

/** A resource that the vendor lists and bills, or that is in somebody's way. */
export interface Thing {
  /** One word; `machine`, `disk`, `interface` and `address` are those that belong to a machine. */
  readonly kind: string
  /** The vendor's name for it. */
  readonly name: string
}

export interface End {
  readonly at: Date
  readonly how: string
  /** Machines that may stay after that. Absent: none. */
  readonly leaves?: number
}

export interface GroupSeen {
  readonly wanted: number
  /** What ends its machines even if every process of tpi has died. */
  readonly ends: End | undefined
}

/** Runs are identified by their name, which is in the names or tags of everything that they make. */
export interface Account {
  things(run: string): Promise<readonly Thing[]>
  group(run: string): Promise<GroupSeen | undefined>
  /** Reclaims a machine. `machine`: its name in the record of a slot. */
  takeBack(run: string, machine: string): Promise<void>
}

/** What differs between the clouds in these checks. */
export interface Vendor {
  /** Its id in the registry. */
  readonly id: string
  /** Environment variables that commands need for their login. */
  readonly variables: RegExp
  /** A name that any machine can resolve. */
  readonly name: string
  /** Services of the machine that its script must not reach. */
  readonly closed: readonly string[]
  /** For the user: how it reclaims a machine on request. */
  readonly takesBack: string
  /** For the user: the rights that are needed in addition to those that `tpi permissions` prints. */
  readonly rights: string
  /** What its own checks make in addition to the two runs. `machines`: the most that work at a time. */
  readonly more?: { readonly runs: number; readonly machines: number }
  open(context: CloudContext): Promise<Account>
}
