/** Listing and mass removal. */
import { createHash } from 'node:crypto'
import { sideBySide } from '../../lib/side-by-side.ts'
import { type StoreEntry, StoreError } from '../../wire/store.ts'
import type { BucketPage } from '../bucket.ts'
import { odd } from '../call-error.ts'
import { checkPage } from '../keys.ts'
import { childrenOf, type Element, textOf, xmlText } from '../xml.ts'
import type { S3Client } from './client.ts'

interface Asked {
  readonly prefix: string
  readonly after: string | undefined
  readonly next: string | undefined
  readonly signal: AbortSignal | undefined
}

/** Keys and prefixes here are full ones, with the prefix of the URL. */
export async function pageOf(client: S3Client, { prefix, after, next, signal }: Asked): Promise<BucketPage> {
  const more = next === undefined ? after !== undefined && { 'start-after': after } : { 'continuation-token': next }
  const query = { 'list-type': '2', 'max-keys': '1000', prefix, ...more }
  const call = { operation: 'ListObjectsV2', method: 'GET', about: prefix, query, repeatable: true, signal } as const
  const page = await client.callXml(call, 'ListBucketResult')
  const entries = childrenOf(page, 'Contents').map(entryOf)
  // S3 starts after the given key.
  checkPage(prefix, next === undefined ? after : undefined, entries)
  if (textOf(page, 'IsTruncated') !== 'true') return { entries }
  const token = textOf(page, 'NextContinuationToken')
  // A page that is not the last and has no token for the next one must not count as the end.
  if (!token) throw odd('a page without continuation', `ListObjectsV2 s3://${client.settings.bucket}/${prefix}`)
  return { entries, next: token }
}

function entryOf(entry: Element): StoreEntry {
  return { key: textOf(entry, 'Key') ?? '', size: Number(textOf(entry, 'Size')) }
}

/** Keys that one request takes: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const BATCH = 1000
/** Requests at once. */
const LANES = 4
/** How often the removal of a key is tried if the server fails. */
const ROUNDS = 5

/** Removes objects by their full keys. */
export async function removeKeys(client: S3Client, keys: readonly string[]): Promise<void> {
  const batches: string[][] = []
  for (let at = 0; at < keys.length; at += BATCH) batches.push(keys.slice(at, at + BATCH))
  await sideBySide(LANES, batches, async (batch) => removeBatch(client, batch))
}

async function removeBatch(client: S3Client, keys: readonly string[]): Promise<void> {
  let remaining = keys
  for (let round = 1; remaining.length > 0; round++) {
    const [only] = remaining
    if (remaining.length === 1 && only !== undefined) {
      await client.call({ operation: 'DeleteObject', method: 'DELETE', key: only, repeatable: true })
      return
    }
    const failed = await removeOnce(client, remaining)
    if (failed.length > 0 && round >= ROUNDS) throw failure(client, failed)
    remaining = failed.filter((one) => again(client, one)).map((one) => one.key)
  }
}

interface Failed {
  readonly key: string
  readonly code: string
}

async function removeOnce(client: S3Client, keys: readonly string[]): Promise<readonly Failed[]> {
  const objects = keys.map((key) => `<Object><Key>${xmlText(key)}</Key></Object>`)
  const text = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects.join('')}</Delete>`
  const body = Buffer.from(text)
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  const call = {
    operation: 'DeleteObjects',
    method: 'POST',
    about: keys[0] ?? '',
    query: { delete: '' },
    headers,
    body,
    repeatable: true,
  } as const
  const result = await client.callXml(call, 'DeleteResult')
  const failed = childrenOf(result, 'Error').map((one) => ({ key: textOf(one, 'Key') ?? '', code: textOf(one, 'Code') ?? '' }))
  return failed.filter((one) => one.code !== 'NoSuchKey')
}

/** Whether to try this key again; throws if the failure is final. */
function again(client: S3Client, failed: Failed): boolean {
  if (failed.code === 'InternalError' || failed.code === 'SlowDown' || failed.code === 'ServiceUnavailable') return true
  throw failure(client, [failed])
}

function failure({ settings }: S3Client, failed: readonly Failed[]): StoreError {
  const [first] = failed
  const denied = first?.code === 'AccessDenied'
  const hint = denied ? ` (needs s3:DeleteObject on ${settings.bucket}/${settings.prefix}*)` : ''
  const message = `storage: DeleteObjects s3://${settings.bucket}/${first?.key ?? ''} failed: ${first?.code ?? 'unknown'}${hint}`
  return new StoreError(denied ? 'denied' : 'unavailable', message)
}
