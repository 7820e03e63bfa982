/** The input of the init container in a task's pod: plain data on its command line, nothing secret. */

import { maybe, number, object, oneOf } from '../../lib/shape.ts'
import { VERSION } from '../../wire/parse.ts'
import type { StorePlace } from '../../wire/store.ts'

export interface PodInit {
  readonly id: string
  readonly incarnation: string
  /** Digest of the agent. */
  readonly agent: string
  readonly store: StorePlace
  readonly ahead?: boolean
  /** The namespace for the pods of its jobs. */
  readonly jobs?: string
  /** Seconds between SIGTERM and SIGKILL. */
  readonly notice: number
  /** Bytes that the pod may write; absent: no limit. */
  readonly disk?: number
  /** ISO. */
  readonly hardDeadline: string
}

/** `pod.json` in the machine's home. */
export interface PodFacts {
  readonly v: typeof VERSION
  readonly notice: number
  readonly disk?: number
}

export const podFacts = object<PodFacts>({ v: oneOf(VERSION), notice: number(0, 1e9), disk: maybe(number(0, 1e18)) })
