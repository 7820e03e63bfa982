/**
 * The contract of a store, through which controllers and agents meet.
 *
 * A store has objects that never change, and small records, under keys whose parts are separated by `/`. Records (`current.json`, `control.json`,
 * `slot.json`) change only by compare-and-swap: a write names the version that it replaces, or asks that there be none.
 */

/** Names one state of an object. Callers only compare it. */
export type Version = string

/** What must be true when the write takes effect; otherwise the write fails with kind `conflict`, and changes nothing. */
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

/** A record, and a folder of objects that belong to it: both are watched. */
export interface WatchRequest {
  readonly record: string
  /** Ends in `/`. */
  readonly folder: string
  /** The last key of the folder that the caller knows already. */
  readonly after?: string
}

export interface Change {
  readonly key: string
  /** Absent: the record does not exist any more. */
  readonly object?: StoredObject
}

/** Bytes from `from` up to, but without, `to` (absent: to the end). Beyond the end of the object there are fewer bytes, or none. */
export interface Range {
  readonly from: number
  readonly to?: number
}

/** A body that comes piece by piece. Reading it rejects if it has fewer or more bytes than it should. */
export interface Incoming {
  /** Bytes in all. */
  readonly size: number
  readonly pieces: AsyncIterable<Uint8Array>
}

/** Called with the number of bytes of a body that are transferred so far; each try begins at 0. */
export type OnBytes = (bytes: number) => void

/** The largest body that `write` takes. Who has more writes it in parts. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024

export interface Store {
  /** Where it is, for people and records: never carries a credential. */
  readonly url: string
  /**
   * Makes a prefix writable. Only controllers call it, once for each incarnation. A store that has folders refuses (kind `gone`) every write below an
   * incarnation (`<id>/<incarnation>`) for which it was not called, or that was cleared: so nothing brings a removed deployment back.
   */
  init(prefix: string): Promise<void>
  /**
   * Resolves if the store answers. Throws kind `gone` if it does not exist (yet), which `read` takes for a store without objects. Absent: `read`
   * throws that itself.
   */
  reach?(): Promise<void>
  /** The whole object, or a range of it. `undefined`: it does not exist. Throws if that is not certain. */
  read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined>
  /**
   * Writes an object of at most `MAX_OBJECT_BYTES`; it is durable when this resolves. Without a condition it replaces whatever is there. Two writes
   * of a key never have the same version, unless their bytes are equal. A store that sends nothing over a network, or sends in parts, may ignore
   * `sent`.
   */
  write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal, sent?: OnBytes): Promise<Version>
  /**
   * `write`, for a server that would otherwise have the bodies of many writers in memory at once. An incomplete body is never visible. Absent if this
   * store would have to collect the body first.
   */
  writeFrom?(key: string, body: Incoming, condition?: Condition, signal?: AbortSignal): Promise<Version>
  /** Has the store copy an object, so that its bytes do not travel. `false`: it does not exist. Absent: the store cannot do that. */
  copy?(from: string, to: string, signal?: AbortSignal): Promise<boolean>
  /** Every object whose key starts with `prefix` and is greater than `after`, in the order of the bytes of keys. */
  list(prefix: string, after?: string, signal?: AbortSignal): AsyncIterable<StoreEntry>
  /** A list with `after` also reads all that comes before that, so it costs as much as one without. */
  readonly listsFromStart?: boolean
  /**
   * Removes objects, as far as they exist. With a condition it removes one object if that is still in this state, and otherwise fails with kind
   * `conflict`.
   */
  remove(keys: readonly string[], condition?: StateCondition): Promise<void>
  /** Removes everything below `prefix` (a folder: ends in `/`), and what the store keeps beside it. May be repeated. */
  clear(prefix: string): Promise<void>
  /** Removes what killed processes have left, and no list shows. Absent: there can be no such thing. */
  tidy?(): Promise<void>
  /**
   * Pushes what exists, and then what is added, in one long answer instead of many short ones: the objects of a folder in the order of their keys,
   * each once; a record whenever it has changed, after every object that existed before the change. `caught-up`: all that existed at the beginning
   * was pushed. It ends now and then, and may be called again. Absent: reading again and again is as good.
   */
  watch?(requests: readonly WatchRequest[], signal: AbortSignal): AsyncIterable<Change | 'caught-up'>
  /** Releases sockets and timers. */
  close?(): Promise<void>
}

/**
 * Why a call to a store has failed.
 * `conflict` its condition was not true · `corrupt` what is there was not written by this version of tpi · `gone` the incarnation, or the store,
 * does not exist · `denied` credentials or a permission are missing · `full` there is no room, or the quota is used up · `unavailable` the store is
 * out of reach, or fails for the moment: callers try again as long as they can wait · `invalid` the call itself is wrong (a bug of tpi, or a bad
 * URL)
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

/** Where a store is, with credentials for it: in a controller, or on the way to a machine (only by pipe or file). */
export interface StoreAccess {
  /** `dir:///absolute/folder`, `s3://bucket/prefix`, `http://host:port/prefix` */
  readonly url: string
  /** What else opening it takes, and is not secret: `region`, `endpoint`, … */
  readonly settings?: Readonly<Record<string, string>>
  /** Secret: `accessKeyId`, `secretAccessKey`, `sessionToken`, `token`, … Never in arguments, environment, specification or logs. */
  readonly credentials?: Readonly<Record<string, string>>
  /** ISO, until when `credentials` are valid, if that is known. */
  readonly until?: string
  /** `credentials` expire, but nobody says when. */
  readonly temporary?: boolean
  /** The source of credentials that expire, or are not known yet. It counts instead of `credentials`, and is never sent anywhere. */
  readonly source?: CredentialSource
}

/** The part of it that may be written down. */
export type StorePlace = Omit<StoreAccess, 'credentials' | 'until' | 'temporary' | 'source'>

/** The name of a setting; `true`: nothing is ever written there. */
export const ONLY_READ = 'only-read'

/** Opens a store; makes no call yet. */
export type OpenStore = (access: StoreAccess) => Promise<Store>

export type Credentials = Readonly<Record<string, string>>

/** Asked before each call for credentials that may expire. `credentials.ts` has sources. */
export interface CredentialSource {
  /**
   * The credentials to use now. While renewing fails, these are the previous ones, until they have expired; then it throws what the lender throws.
   */
  get(): Promise<Credentials>
  /**
   * To be called if the server no longer accepts these, whenever they should expire. `true`: `get` asks for new ones. `false`: there are no others.
   */
  refused(credentials: Credentials): boolean
}
