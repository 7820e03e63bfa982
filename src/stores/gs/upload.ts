/**
 * Bodies: small ones in one request, large ones piece by piece, each of which may be sent again from where the server stands.
 * https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 */
import { retry } from '../../lib/backoff.ts'
import { object, text } from '../../lib/shape.ts'
import type { Version } from '../../wire/store.ts'
import { CallError, mayRepeat, odd, PAUSES } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { type Upload, uploadAnew } from '../upload.ts'
import { objectPath } from './address.ts'
import type { Call, GsClient } from './client.ts'

/** Bodies up to this size are sent in one request. Bytes. */
const SINGLE_BYTES = 8 * 1024 * 1024
/** Bytes. Google keeps a multiple of them of each piece. */
const UNIT_BYTES = 256 * 1024
const PIECE_BYTES = 64 * UNIT_BYTES
/** Answer to a piece that is not the last one, and to the question how much has arrived. */
const GO_ON = 308

interface GsUpload extends Upload<GsClient> {
  /** The condition. */
  readonly query: Readonly<Record<string, string>>
}

export const DIGITS = /^\d{1,32}$/
export const digits = text(32, DIGITS, 'digits')
export const made = object<{ generation: string }>({ generation: digits })

export async function upload(params: GsUpload): Promise<Version> {
  return await (params.body.length > SINGLE_BYTES ? uploadPieces(params) : uploadWhole(params))
}

function callOf({ client, key, query, signal }: GsUpload, uploadType: string): Omit<Call, 'repeatable'> {
  return {
    operation: 'objects.create',
    method: 'POST',
    path: `/upload${objectPath(client.settings.bucket)}`,
    about: key,
    query: { uploadType, name: key, fields: 'generation', ...query },
    headers: { 'content-type': 'application/octet-stream' },
    signal,
  }
}

async function uploadWhole(params: GsUpload): Promise<Version> {
  const repeatable = Object.keys(params.query).length === 0
  const { generation } = await params.client.callJson(
    { ...callOf(params, 'media'), body: params.body, sent: params.sent, repeatable },
    made,
  )
  return generation
}

async function uploadPieces(params: GsUpload): Promise<Version> {
  return await uploadAnew({
    begin: async () => begin(params),
    send: async (session) => sendPieces(params, session),
    abandon: async (session) => cancel(params.client, session),
    again: (error) => isLost(error, params),
  })
}

/** Whether to begin anew, because the server has forgotten the session. The object may be there already, so that is safe only without a condition. */
function isLost(error: unknown, { query }: GsUpload): boolean {
  return error instanceof CallError && (error.status === 404 || error.status === 410) && Object.keys(query).length === 0
}

interface Session {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly about: string
}

/** If it is called twice, the session that is not used is forgotten after a week. */
async function begin(params: GsUpload): Promise<Session> {
  const { client, key, body } = params
  const call = callOf(params, 'resumable')
  const headers = { 'x-upload-content-type': 'application/octet-stream', 'x-upload-content-length': String(body.length) }
  const { location } = (await client.call({ ...call, headers, repeatable: true })).headers
  // Of the address that the server gives, only the query is used: the token is sent to the endpoint alone.
  const url = location !== undefined && URL.canParse(location) ? new URL(location) : undefined
  const id = url?.searchParams.get('upload_id')
  if (!url || !id) throw odd('the server began an upload without naming it', `objects.create gs://${client.settings.bucket}/${key}`)
  return { path: call.path, query: Object.fromEntries(url.searchParams), about: key }
}

/** After a failure, first asks how much has arrived: any part of the last piece may be there, or even the whole object. */
async function sendPieces(params: GsUpload, session: Session): Promise<Version> {
  const { body, signal } = params
  let at = 0
  let furthest = 0
  let unsure = false
  const step = async (): Promise<Version | undefined> => {
    const end = Math.min(at + PIECE_BYTES, body.length)
    const asks = unsure
    unsure = true
    const reply = await (asks
      ? put(params, session, `bytes */${body.length}`)
      : put(params, session, `bytes ${at}-${end - 1}/${body.length}`, body.subarray(at, end)))
    unsure = false
    if (reply.status !== GO_ON) return params.client.parse(reply, callFor(session), made).generation
    at = Number(/^bytes=0-(\d+)$/.exec(reply.headers.range ?? '')?.[1] ?? -1) + 1
    return undefined
  }
  const { tries } = params.client.settings
  for (let idle = 0; idle < tries; ) {
    const done = await retry(step, { ...PAUSES, tries, signal, again })
    if (done !== undefined) return done
    if (at >= body.length) break
    // With a server that does not keep what it gets, this would go on for ever.
    idle = at >= furthest + UNIT_BYTES ? 0 : idle + 1
    furthest = Math.max(furthest, at)
  }
  throw stuck(session)
}

/** Repeatable even with a condition: the session knows how far it is. */
const again = (error: unknown): boolean | number => mayRepeat(error, true)

function stuck({ about }: Session): CallError {
  return new CallError('unavailable', `storage: the upload of "${about}" makes no progress`, { code: '', status: GO_ON, again: 'never' })
}

function callFor({ path, query, about }: Session): Call {
  return { operation: 'objects.create', method: 'PUT', path, query, about, repeatable: false, fine: [GO_ON] }
}

async function put({ client, signal }: GsUpload, session: Session, range: string, body?: Uint8Array): Promise<HttpReply> {
  return await client.call({ ...callFor(session), headers: { 'content-range': range }, ...(body && { body }), signal })
}

/** https://docs.cloud.google.com/storage/docs/performing-resumable-uploads#cancel-upload: 499 says that it is done. */
async function cancel(client: GsClient, session: Session): Promise<void> {
  const call = { ...callFor(session), method: 'DELETE', fine: [499] } as const
  // The first failure matters; a session that is left is forgotten after a week.
  await client.call(call).catch(() => undefined)
}
