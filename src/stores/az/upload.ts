/** Bodies: small ones in one request, large ones in blocks, which count once a list of them is put. */
import type { Version } from '../../wire/store.ts'
import { etagOf } from '../bucket.ts'
import { CallError } from '../call-error.ts'
import type { AzClient, Call } from './client.ts'

/** Bodies up to this size go in one request; larger ones in blocks of it. Bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024

export interface Upload {
  readonly client: AzClient
  /** Full key. */
  readonly key: string
  readonly body: Uint8Array
  /** The condition. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const TYPE = { 'content-type': 'application/octet-stream' }

export async function upload(params: Upload): Promise<Version> {
  const { client, key, body, headers, signal } = params
  const repeatable = Object.keys(headers).length === 0
  const call = { method: 'PUT', key, repeatable, signal } as const
  if (body.length <= BLOCK_BYTES) {
    // https://learn.microsoft.com/rest/api/storageservices/put-blob
    const own = { ...TYPE, 'x-ms-blob-type': 'BlockBlob', ...headers }
    return etagOf(await client.call({ ...call, operation: 'Put Blob', headers: own, body }), key)
  }
  try {
    return await putBlocks(params, call)
  } catch (error) {
    // Another writer of the object was faster: what was not listed by then is gone.
    if (!repeatable || !(error instanceof CallError) || error.code !== 'InvalidBlockList') throw error
    return await putBlocks(params, call)
  }
}

/**
 * `Latest`: a list that is put again, because the answer was lost, finds its blocks committed. Ids are this write's own, so that nothing else is meant.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
async function putBlocks(params: Upload, call: Pick<Call, 'method' | 'key' | 'repeatable' | 'signal'>): Promise<Version> {
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
 * Ids of the blocks. Those of two writers differ, so that neither puts a list with blocks of the other. What is never listed is forgotten after a
 * week. When one fails the others are stopped, and all have ended when this rejects.
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 */
async function sendBlocks({ client, key, body, signal }: Upload): Promise<readonly string[]> {
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const own = crypto.randomUUID()
  const ids = Array.from({ length: Math.ceil(body.length / BLOCK_BYTES) }, (_, index) =>
    Buffer.from(`${own}-${String(index).padStart(4, '0')}`).toString('base64'),
  )
  const sends = ids.map(async (blockid, index) => {
    const block = body.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)
    const query = { comp: 'block', blockid }
    await client.call({ operation: 'Put Block', method: 'PUT', key, query, headers: TYPE, body: block, repeatable: true, signal: either })
  })
  try {
    await Promise.all(sends)
    return ids
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(sends)
    throw error
  }
}
