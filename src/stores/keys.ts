/** Rules for keys and objects that hold in every store, so that what works in one works in the others. */
import { MAX_OBJECT_BYTES, type StoreEntry, StoreError } from '../wire/store.ts'

/** Bytes of UTF-8; S3 allows 1024 with the prefix of the URL. */
const MAX_KEY_BYTES = 800

/** Throws kind `invalid` unless every backend can hold the key. */
export function checkKey(key: string): void {
  const fault = keyFault(key)
  if (fault) throw new StoreError('invalid', `storage: key ${JSON.stringify(key)} ${fault}`)
}

/** Throws kind `invalid` unless every backend can hold an object of so many bytes. */
export function checkSize(key: string, bytes: number): void {
  if (bytes > MAX_OBJECT_BYTES) throw new StoreError('invalid', `storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes`)
}

/** A folder: ends in `/`, names at least one segment. */
export function checkFolder(prefix: string): void {
  if (!prefix.endsWith('/')) throw new StoreError('invalid', `storage: folder ${JSON.stringify(prefix)} does not end in "/"`)
  checkKey(prefix.slice(0, -1))
}

/** What `list` takes: any beginning of a key. */
export function checkPrefix(prefix: string): void {
  const folder = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')))
  if (prefix.startsWith('/')) throw new StoreError('invalid', `storage: prefix ${JSON.stringify(prefix)} begins with "/"`)
  if (folder !== '') checkKey(folder)
}

/** The key that a conditional removal is about. */
export function onlyOne(keys: readonly string[]): string {
  const [key] = keys
  if (key === undefined || keys.length > 1)
    throw new StoreError('invalid', 'storage: only one object at a time can be removed on a condition')
  return key
}

function keyFault(key: string): string | undefined {
  if (key === '') return 'is empty'
  if (!key.isWellFormed()) return 'is not well-formed Unicode'
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`
  for (const segment of key.split('/')) {
    const fault = segment === '' ? 'has an empty segment' : segmentFault(segment)
    if (fault) return fault
  }
  return undefined
}

/** What is wrong with a segment of a key or of a store's URL, for people; `undefined`: nothing. */
export function segmentFault(segment: string): string | undefined {
  if (segment === '.' || segment === '..') return `has the segment "${segment}"`
  for (const char of segment) if (char < ' ' || char === '\u007f') return 'has control characters'
  return undefined
}

/** Nearly every key. Such a key compares as its bytes do. */
const ASCII = /^[ -~]*$/

/** A string that compares by `<` as the UTF-8 bytes of the key do (JavaScript compares UTF-16 units, which differs above U+D7FF). */
export function byteOrder(key: string): string {
  return ASCII.test(key) ? key : Buffer.from(key).toString('latin1')
}

/**
 * Checks a page of a list from a server: all its objects must be below the prefix and come after `last`. Otherwise tpi would read or remove what it
 * did not ask for, or a list that goes back would never end. Returns the last key. Throws `corrupt`.
 */
export function checkPage(prefix: string, last: string | undefined, page: readonly StoreEntry[]): string | undefined {
  const foreign = page.find(({ key, size }) => !key.startsWith(prefix) || !Number.isSafeInteger(size) || size < 0)
  if (foreign)
    throw new StoreError('corrupt', `storage: asked what lies below "${prefix}", the server lists ${JSON.stringify(foreign.key)}`)
  const [first] = page
  if (first && last !== undefined && byteOrder(first.key) <= byteOrder(last))
    throw new StoreError('corrupt', `storage: the list of what lies below "${prefix}" repeats itself`)
  return page.at(-1)?.key ?? last
}
