/** The configurations of the programs `agent serve-store CONFIG.json` and `agent serve-gate CONFIG.json`. */

import { count, flag, maybe, number, object, oneOf, text } from '../lib/shape.ts'
import { storePlace } from './machine.ts'
import { type RecordKind, VERSION } from './parse.ts'
import type { StorePlace } from './store.ts'

export interface ServeConfig {
  readonly v: typeof VERSION
  /** Absolute; the root of the folder store. */
  readonly folder: string
  /** The folder is on the user's own disk: it is created, and removed again once it is empty. */
  readonly guest?: boolean
  readonly port: number
  /** File with the token that clients must know. */
  readonly tokenFile: string
  /** A server that was told to end does so after so many seconds without a request, because machines may still be working. */
  readonly linger: number
}

export const SERVE: RecordKind<ServeConfig> = {
  what: 'the configuration of the server of a store',
  most: 65_536,
  shape: object<ServeConfig>({
    v: oneOf(VERSION),
    folder: text(4096),
    guest: maybe(flag),
    port: count(65_535),
    tokenFile: text(4096),
    linger: number(0, 1e9),
  }),
}

export interface GateConfig {
  readonly v: typeof VERSION
  /** The store behind the gate. */
  readonly store: StorePlace
  /** File with the credentials for that store; no other container of the pod has it. */
  readonly credentialsFile: string
  /** On which it listens, for its own pod only. */
  readonly port: number
  /** File with the key of the passes that machines show. */
  readonly tokenFile: string
}

export const GATE: RecordKind<GateConfig> = {
  what: 'the configuration of the gate of a store',
  most: 4 << 20,
  shape: object<GateConfig>({
    v: oneOf(VERSION),
    store: storePlace,
    credentialsFile: text(4096),
    port: count(65_535),
    tokenFile: text(4096),
  }),
}
