/** What a machine is told at its birth: a file of its own, next to nothing in it is secret, and that part comes by pipe. */
import type { StoreAccess } from './store.ts'

export interface MachineConfig {
  readonly v: 1
  /** Which machine side of `clouds/machines.ts` serves notices and leaving. */
  readonly cloud: string
  readonly id: string
  readonly incarnation: string
  /** Name of this machine, unique for ever. Also `TPI_MACHINE` of everything it starts. */
  readonly machine: string
  /** Numbered groups bind slot = index; elsewhere the machine looks for a free slot. */
  readonly index?: number
  readonly address?: string
  /** Absolute folder of this machine: work/, tmp/, log files. */
  readonly home: string
  /** Machines of this group that are known to be dead, script and all: what they hold is taken over at once. */
  readonly dead?: readonly string[]
  /** The deployment may still be in the making when this machine is up. */
  readonly ahead?: boolean
  /** ISO. Whatever else happens, nothing of this machine runs past it. */
  readonly hardDeadline: string
  /** Place of the store. Its credentials, if any, come as one JSON line on stdin or from `credentialsFile`, which is removed once read. */
  readonly store: Omit<StoreAccess, 'credentials'>
  readonly credentialsFile?: string
  /** `stdin`: one JSON line with credentials (or `{}`) is waiting there. */
  readonly credentials: 'stdin' | 'file' | 'none'
}

/** Exit codes of the agent: the group reads them. */
export const AGENT_DONE = 0
/** The slot is still open (or never taken): replace this machine. */
export const AGENT_REPLACE = 75
