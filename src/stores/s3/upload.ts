/** Uploads large bodies in parts, several at once. One last call makes them the object, on the condition of the write. */
import type { Version } from '../../wire/store.ts'
import { etagOf } from '../bucket.ts'
import { CallError, odd } from '../call-error.ts'
import { sendParts, type Upload, uploadAnew } from '../upload.ts'
import { childrenOf, textOf, xmlText } from '../xml.ts'
import type { S3Client } from './client.ts'

/** Bodies up to this size are sent in one request. Bytes. */
export const SINGLE_BYTES = 16 * 1024 * 1024
/** Bytes of a part; S3 wants at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024

export interface S3Upload extends Upload<S3Client> {
  /** The condition, for the last step. */
  readonly headers: Readonly<Record<string, string>>
}

export async function uploadParts(upload: S3Upload): Promise<Version> {
  return await uploadAnew({
    begin: async () => begin(upload),
    send: async (id) => complete(upload, id, await send(upload, id)),
    // Parts that stay are removed by `clear` or by the bucket's life-cycle rule.
    abandon: async (id) => abortUpload(upload.client, upload.key, id).catch(() => undefined),
    again: (error) => beginAnew(error, upload),
  })
}

/**
 * Whether to upload anew: after a race with another writer, or if the upload is gone. In that case the object may be there already, so it is safe
 * only without a condition.
 */
function beginAnew(error: unknown, { headers }: S3Upload): boolean {
  if (!(error instanceof CallError)) return false
  return error.status === 409 || (error.code === 'NoSuchUpload' && Object.keys(headers).length === 0)
}

async function begin({ client, key, signal }: S3Upload): Promise<string> {
  const call = { operation: 'CreateMultipartUpload', method: 'POST', key, query: { uploads: '' }, repeatable: true, signal } as const
  const id = textOf(await client.callXml(call, 'InitiateMultipartUploadResult'), 'UploadId')
  if (!id) throw odd('the server began an upload without naming it', `CreateMultipartUpload s3://${client.settings.bucket}/${key}`)
  return id
}

/** ETags of the parts. */
async function send(upload: S3Upload, uploadId: string): Promise<readonly string[]> {
  const { client, key } = upload
  return sendParts(upload, PART_BYTES, async (body, index, signal) => {
    const query = { partNumber: String(index + 1), uploadId }
    const { headers } = await client.call({ operation: 'UploadPart', method: 'PUT', key, query, body, repeatable: true, signal })
    return headers.etag ?? ''
  })
}

async function complete({ client, key, headers, signal }: S3Upload, uploadId: string, etags: readonly string[]): Promise<Version> {
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
  return etagOf({ headers: { etag: textOf(result, 'ETag') } }, key)
}

async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.call({ operation: 'AbortMultipartUpload', method: 'DELETE', key, query: { uploadId }, repeatable: true })
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'NoSuchUpload')) throw error
  }
}

/** Aborts every upload that was begun below a prefix and neither completed nor aborted. */
export async function abortUploads(client: S3Client, prefix: string): Promise<void> {
  // Aborted uploads leave the list, so the first page is read again until it is empty.
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
