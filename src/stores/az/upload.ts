/** Bodies: small ones in one request, large ones in blocks, which count once a list of them is put. */
import type { Version } from '../../wire/store.ts'
import { etagOf } from '../bucket.ts'
import { CallError } from '../call-error.ts'
import { sendParts, type Upload } from '../upload.ts'
import type { AzClient, Call } from './client.ts'

/** Bodies up to this size go in one request; larger ones in blocks of it. Bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024

interface AzUpload extends Upload<AzClient> {
  /** The condition. */
  readonly headers: Readonly<Record<string, string>>
}

const TYPE = { 'content-type': 'application/octet-stream' }

export async function upload(params: AzUpload): Promise<Version> {
  const { client, key, body, headers, signal, sent } = params
  const repeatable = Object.keys(headers).length === 0
  const call = { method: 'PUT', key, repeatable, signal } as const
  if (body.length <= BLOCK_BYTES) {
    // https://learn.microsoft.com/rest/api/storageservices/put-blob
    const own = { ...TYPE, 'x-ms-blob-type': 'BlockBlob', ...headers }
    return etagOf(await client.call({ ...call, operation: 'Put Blob', headers: own, body, sent }), key)
  }
  try {
    return await putBlocks(params, call)
  } catch (error) {
    // Another writer of the object was faster: blocks that were not listed by then are gone.
    if (!repeatable || !(error instanceof CallError) || error.code !== 'InvalidBlockList') throw error
    return await putBlocks(params, call)
  }
}

/**
 * `Latest` also finds blocks that are committed already, as they are when the list is put again because the answer was lost. Ids are this write's
 * own, so they name no other blocks.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
async function putBlocks(params: AzUpload, call: Pick<Call, 'method' | 'key' | 'repeatable' | 'signal'>): Promise<Version> {
  const { client, key, headers } = params
  const blocks = await sendBlocks(params)
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`
  const put: Call = {
    ...call,
    operation: 'Put Block List',
    query: { comp: 'blocklist' },
    headers: { 'content-type': 'application/xml', ...headers },
    body: Buffer.from(list),
  }
  return etagOf(await client.call(put), key)
}

/**
 * Ids of the blocks. Those of two writers differ, so that neither puts a list with blocks of the other. What is never listed is forgotten
 * after a week.
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 */
async function sendBlocks(params: AzUpload): Promise<readonly string[]> {
  const { client, key } = params
  const own = crypto.randomUUID()
  return sendParts(params, BLOCK_BYTES, async (body, index, signal) => {
    const blockid = Buffer.from(`${own}-${String(index).padStart(4, '0')}`).toString('base64')
    const query = { comp: 'block', blockid }
    await client.call({ operation: 'Put Block', method: 'PUT', key, query, headers: TYPE, body, repeatable: true, signal })
    return blockid
  })
}
