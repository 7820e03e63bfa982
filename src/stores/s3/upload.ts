/** Large bodies in parts, several at once; they become the object in one step, under the condition given. */
import type { Version } from '../../wire/store.ts'
import { childrenOf, textOf, xmlText } from '../xml.ts'
import type { S3Client } from './client.ts'
import { S3Error } from './errors.ts'

/** Bodies up to this size go in one request. Bytes. */
export const SINGLE_BYTES = 16 * 1024 * 1024
/** Bytes of a part; S3 wants at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024
/** Whole uploads begun again after one that the server has lost or refused for a race. */
const UPLOADS = 3

export interface Upload {
  readonly client: S3Client
  /** Full key. */
  readonly key: string
  readonly body: Uint8Array
  /** The condition, for the last step. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

export async function uploadParts(upload: Upload): Promise<Version> {
  for (let round = 1; ; round++) {
    const id = await begin(upload)
    try {
      return await complete(upload, id, await sendParts(upload, id))
    } catch (error) {
      await abortUpload(upload.client, upload.key, id).catch(() => {
        // The first failure is what matters; parts that stay are removed by `clear` or by the bucket's life-cycle rule.
      })
      if (round >= UPLOADS || !beginAnew(error, upload)) throw error
    }
  }
}

/** A race with another writer is decided again; an upload that is gone may have been completed by a try whose answer was lost. */
function beginAnew(error: unknown, { headers }: Upload): boolean {
  if (!(error instanceof S3Error)) return false
  return error.status === 409 || (error.code === 'NoSuchUpload' && Object.keys(headers).length === 0)
}

async function begin({ client, key, signal }: Upload): Promise<string> {
  const call = { operation: 'CreateMultipartUpload', method: 'POST', key, query: { uploads: '' }, repeatable: true, signal } as const
  const id = textOf(await client.callXml(call, 'InitiateMultipartUploadResult'), 'UploadId')
  if (!id) throw new Error('S3 began an upload without naming it')
  return id
}

/** ETags of the parts. When one fails the others are stopped, and all have ended when this rejects. */
async function sendParts({ client, key, body, signal }: Upload, uploadId: string): Promise<readonly string[]> {
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const count = Math.ceil(body.length / PART_BYTES)
  const sends = Array.from({ length: count }, async (_, index) => {
    const query = { partNumber: String(index + 1), uploadId }
    const part = body.subarray(index * PART_BYTES, (index + 1) * PART_BYTES)
    const call = { operation: 'UploadPart', method: 'PUT', key, query, body: part, repeatable: true, signal: either } as const
    const { headers } = await client.call(call)
    return headers.etag ?? ''
  })
  try {
    return await Promise.all(sends)
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(sends)
    throw error
  }
}

async function complete({ client, key, headers, signal }: Upload, uploadId: string, etags: readonly string[]): Promise<Version> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${xmlText(etag)}</ETag></Part>`)
  const body = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
  )
  const repeatable = Object.keys(headers).length === 0
  const call = {
    operation: 'CompleteMultipartUpload',
    method: 'POST',
    key,
    query: { uploadId },
    headers,
    body,
    repeatable,
    signal,
  } as const
  const result = await client.callXml({ ...call, final: [409] }, 'CompleteMultipartUploadResult')
  return textOf(result, 'ETag') ?? ''
}

export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.call({ operation: 'AbortMultipartUpload', method: 'DELETE', key, query: { uploadId }, repeatable: true })
  } catch (error) {
    if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error
  }
}

/** Aborts every upload that was begun below a prefix and neither completed nor aborted. */
export async function abortUploads(client: S3Client, prefix: string): Promise<void> {
  // What is aborted leaves the list, so the first page is asked for again until it is empty.
  for (let page = 0; page < 1000; page++) {
    const call = {
      operation: 'ListMultipartUploads',
      method: 'GET',
      about: prefix,
      query: { uploads: '', prefix },
      repeatable: true,
    } as const
    const uploads = childrenOf(await client.callXml(call, 'ListMultipartUploadsResult'), 'Upload')
    const mine = uploads.filter((one) => (textOf(one, 'Key') ?? '').startsWith(prefix))
    if (mine.length === 0) return
    await Promise.all(mine.map((one) => abortUpload(client, textOf(one, 'Key') ?? '', textOf(one, 'UploadId') ?? '')))
  }
}
