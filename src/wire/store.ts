/**
 * The contract of a store: the only channel between controller and agents.
 *
 * A store holds immutable objects and small records under `/`-separated keys. Records (`current.json`, `control.json`, `slot.json`) change
 * only by compare-and-swap: a write that names the version it replaces, or that wants the key absent.
 */

/** Opaque name of one state of one object. Two different writes never yield the same version of a key, even when the bytes are equal. */
export type Version = string

/** What must hold at the moment of the write, or it fails with kind `conflict` and changes nothing. */
export type Condition = { readonly absent: true } | StateCondition

export interface StateCondition {
  readonly version: Version
}

export interface StoredObject {
  /** Not shared: the receiver may keep or change them. */
  readonly bytes: Uint8Array
  readonly version: Version
}

export interface StoreEntry {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

/** A record, and the folder of write-once objects that it speaks of. */
export interface WatchRequest {
  readonly record: string
  /** Ends in `/`. */
  readonly folder: string
  /** The last key of the folder that is known already. */
  readonly after?: string
}

export interface Change {
  readonly key: string
  /** Absent: the record is no longer there. */
  readonly object?: StoredObject
}

/** Half-open byte range `[from, to)`; without `to`, up to the end. A range past the end yields fewer (or no) bytes. */
export interface Range {
  readonly from: number
  readonly to?: number
}

/** A body that comes piece by piece. Reading it rejects if it ends too early or does not end. */
export interface Incoming {
  /** Bytes in all. */
  readonly size: number
  readonly pieces: AsyncIterable<Uint8Array>
}

/** Called with the number of bytes of a body transferred so far; starts again with each try. */
export type OnBytes = (bytes: number) => void

/** The largest body that `write` takes. Larger things are cut into chunks by their writers. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024

export interface Store {
  /** Where it is, for people and records: never carries a credential. */
  readonly url: string
  /**
   * Makes a prefix writable. Only controllers call it, once per incarnation. A backend that has folders refuses (kind `gone`) every write
   * below an incarnation (`<id>/<incarnation>`) that was never initialised or has been cleared: nothing re-creates a destroyed deployment.
   */
  init(prefix: string): Promise<void>
  /** The whole object, or a range of it. `undefined` means: it does not exist. If that cannot be determined, it throws. */
  read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined>
  /**
   * Durable when it resolves. Without a condition it replaces whatever is there. At most `MAX_OBJECT_BYTES`. A backend that
   * does not send over a network, or sends in parts, does not have to call `sent`.
   */
  write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal, sent?: OnBytes): Promise<Version>
  /**
   * `write` for a server that would otherwise hold the bodies of many writers at once: an incomplete body is never visible. Absent
   * if the body would have to be collected first.
   */
  writeFrom?(key: string, body: Incoming, condition?: Condition, signal?: AbortSignal): Promise<Version>
  /** Copies an object where it is, so that its bytes do not travel; `false`: it does not exist. Absent if a backend cannot do that. */
  copy?(from: string, to: string, signal?: AbortSignal): Promise<boolean>
  /** Every object whose key starts with `prefix` and is greater than `after`, in the byte order of keys. */
  list(prefix: string, after?: string, signal?: AbortSignal): AsyncIterable<StoreEntry>
  /** A list reads all that comes before `after`, too. */
  readonly listsFromStart?: boolean
  /**
   * Removes objects; one that is already gone is fine. With a condition it removes one object if that is still in this state, and otherwise fails
   * with kind `conflict`.
   */
  remove(keys: readonly string[], condition?: StateCondition): Promise<void>
  /** Removes everything below `prefix` (a folder: ends in `/`), and what the backend keeps beside it. Idempotent. */
  clear(prefix: string): Promise<void>
  /** Removes what killed processes have left and no list shows. Absent if there can be no such thing. */
  tidy?(): Promise<void>
  /**
   * One long answer instead of many short ones: pushes what exists and then what is added. The objects of a folder in the order of their keys,
   * each once; a record whenever it changed, after every object that existed before that change. `caught-up`: everything that existed at
   * the beginning is reported. It ends now and then; a caller that wants more calls again. Absent if reading repeatedly is just as good.
   */
  watch?(requests: readonly WatchRequest[], signal: AbortSignal): AsyncIterable<Change | 'caught-up'>
  /** Releases sockets and timers. */
  close?(): Promise<void>
}

/**
 * Why a store call failed.
 * `conflict` the condition did not hold · `corrupt` what is there was not written by this version of this program · `gone` the incarnation
 * (or the store) does not exist · `denied` credentials or permission · `full` no space or quota · `unavailable` out of reach or failing for
 * now: retried by the caller within its own deadline · `invalid` the call itself is wrong (our bug, or a bad URL).
 */
export type StoreFault = 'conflict' | 'corrupt' | 'gone' | 'denied' | 'full' | 'unavailable' | 'invalid'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreFault
  constructor(kind: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export function isStoreError(error: unknown, kind?: StoreFault): error is StoreError {
  return error instanceof StoreError && (kind === undefined || error.kind === kind)
}

/** Credentials and place of a store as they travel to a machine (by pipe or file only) or stay in the controller. */
export interface StoreAccess {
  /** `dir:///absolute/folder`, `s3://bucket/prefix`, `http://host:port/prefix` */
  readonly url: string
  /** Backend settings that are not secret: `region`, `endpoint`, … */
  readonly settings?: Readonly<Record<string, string>>
  /** Secret: `accessKeyId`, `secretAccessKey`, `sessionToken`, `token`, … Never in argv, environment, spec or logs. */
  readonly credentials?: Readonly<Record<string, string>>
  /** ISO, until when `credentials` are valid, if that is known. */
  readonly until?: string
  /** `credentials` expire, and nobody says when. */
  readonly temporary?: boolean
  /** Source of credentials that expire or are not known yet; it wins over `credentials`, and is never sent anywhere. */
  readonly source?: CredentialSource
}

/** What of it may be written down. */
export type StorePlace = Omit<StoreAccess, 'credentials' | 'until' | 'temporary' | 'source'>

/** A setting, `true`: nothing is ever written there. */
export const ONLY_READ = 'only-read'

/** Opens a store; makes no call yet. */
export type OpenStore = (access: StoreAccess) => Promise<Store>

export type Credentials = Readonly<Record<string, string>>

/** Credentials that run out are asked for before each call; `credentials.ts` has sources. */
export interface CredentialSource {
  /** The credentials to use now. While renewing fails, the previous ones until they have really expired; then it throws what the lender throws. */
  get(): Promise<Credentials>
  /** The server no longer accepts these, whatever their stated expiry. `true`: `get` asks for new ones; `false`: there are none. */
  refused(credentials: Credentials): boolean
}
