/** What the init container of a task's pod is told: plain data on its command line, nothing secret. */
import type { StoreAccess } from '../../wire/store.ts'

export interface Furnishing {
  readonly id: string
  readonly incarnation: string
  /** Digest of the agent. */
  readonly agent: string
  readonly store: Omit<StoreAccess, 'credentials' | 'renew'>
  readonly ahead?: boolean
  /** Seconds between SIGTERM and SIGKILL. */
  readonly notice: number
  /** Bytes that the pod may write; absent: no limit of its own. */
  readonly disk?: number
  /** ISO. */
  readonly hardDeadline: string
}

/** `pod.json` in the machine's home. */
export interface PodFacts {
  readonly v: 1
  readonly notice: number
  readonly disk?: number
}
