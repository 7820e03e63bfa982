/** The only way from the bytes of a store or a machine to a record, in controllers and agents: everything is checked. */
import { fieldsIn } from '../lib/record.ts'
import { Misfit, type Shape, text } from '../lib/shape.ts'
import { StoreError } from './store.ts'

/** The version in every record; it increases when an older program would misunderstand a newer record. */
export const VERSION = 2 as const
/** The most that a duration in a record may be, in seconds or milliseconds. */
export const LONG = 1e12

export interface RecordKind<T> {
  /** What it is, for people, with its article. */
  readonly what: string
  /** Bytes that it may have. */
  readonly most: number
  readonly shape: Shape<T>
}

/** The record in these bytes. `where`: its key. Throws StoreError `corrupt`, which names the record and what is wrong with it. */
export function parseRecord<T>(kind: RecordKind<T>, bytes: Uint8Array, where: string): T {
  const fault = (what: string, cause?: unknown): StoreError => new StoreError('corrupt', `record "${where}" ${what}`, { cause })
  if (bytes.length > kind.most)
    throw fault(`has ${bytes.length} bytes, and ${kind.what} has at most ${kind.most}: this program did not write it`)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw fault(`is cut off, or was not written by this program: it is not JSON, and should be ${kind.what}`, error)
  }
  const other = otherVersion(value)
  if (other !== undefined) throw fault(other)
  try {
    return kind.shape(value)
  } catch (error) {
    if (error instanceof Misfit) throw fault(`is not ${kind.what}: ${error.message}`, error)
    throw error
  }
}

/** If another version of tpi has written the record: a sentence that says so, for people. `undefined`: it is of this version, or names none. */
export function otherVersion(record: unknown): string | undefined {
  const { v } = fieldsIn(record)
  if (typeof v !== 'number' || v === VERSION) return undefined
  const [age, remedy] = v > VERSION ? ['a newer', 'update tpi'] : ['an older', 'use the version that wrote it']
  return `was written by ${age} version of tpi (its version is ${v}, and this program reads ${VERSION}): ${remedy}`
}

/** Data that tpi's own programs hand each other by pipe or file, and that has no version. Throws Misfit or SyntaxError. */
export function parseShape<T>(shape: Shape<T>, text: string): T {
  return shape(JSON.parse(text))
}

/** The bytes of a record. Throws StoreError `invalid` if they are more than a reader accepts. */
export function recordBytes<T>(kind: RecordKind<T>, record: T): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(record))
  if (bytes.length > kind.most)
    throw new StoreError('invalid', `storage: ${kind.what} of ${bytes.length} bytes cannot be written: the limit is ${kind.most}`)
  return bytes
}

/** Ids, names and incarnations of deployments: what a key, a label and a folder may be called. */
export const label = text(64, /^[a-z0-9][a-z0-9-]*$/, 'a name of lower-case letters, digits and dashes')
/** Machines, runners, forges and the like. */
export const word = text(256, /^[A-Za-z0-9][\w.:@-]*$/, 'a name of letters, digits, dots and dashes')
export const nonce = text(128, /^[\w.-]+$/, 'a nonce')
export const digest = text(64, /^[0-9a-f]{64}$/, 'a SHA-256 in hex')
