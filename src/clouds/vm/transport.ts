/** JSON requests to a vendor's service, tried again if the error may pass. */
import { jsonIn } from '../../lib/answer.ts'
import { retry } from '../../lib/backoff.ts'
import { ask, type HttpAnswer, Unanswered } from '../../lib/http.ts'
import type { CredentialSource, Credentials } from '../../wire/store.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly body?: unknown
  /** The vendor holds the answer until something has happened, for two minutes at most. */
  readonly held?: boolean
}

export interface Caller {
  /** Of tokens. */
  readonly source: CredentialSource
  readonly signal?: AbortSignal | undefined
}

/** Fills in a path with parts such as `{name}`. */
export function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = parts[part]
    if (value === undefined) throw new Error(`the path of a call lacks its ${part}`)
    return encodeURIComponent(value)
  })
}

/** The root of a service at another address, with a trailing slash. */
export function rootAt(url: string | undefined): string | undefined {
  return url ? `${url.replace(/\/+$/, '')}/` : undefined
}

/** How a vendor refuses. */
export interface Manner {
  refusalOf(status: number, body: unknown): Error
  /** Whether an error of `refusalOf` passes by itself. */
  passes(error: unknown): boolean
}

export interface Answer extends Pick<HttpAnswer, 'status' | 'header'> {
  /** `{}` if the body is empty. */
  readonly value: unknown
}

/** Milliseconds until a call counts as unanswered, and until one does that the vendor holds. */
export const PATIENCE = 30_000
const HELD = 150_000
/** Bytes of an answer: a page of five hundred machines is much shorter. */
const LARGEST = 64 << 20
/** Tries of one call, and milliseconds of pauses. A caller that can wait longer calls again. */
const RETRY = { tries: 4, first: 200, longest: 3000 }

/**
 * Changes are tried again, too, so each must have the same effect twice as once: by the name of what it makes, or by a request id. Throws what
 * `refusalOf` made, or `Unanswered`.
 */
export async function send(call: Call, caller: Caller, manner: Manner): Promise<Answer> {
  const again = (error: unknown): boolean => error instanceof Unanswered || manner.passes(error)
  return await retry(async () => once(call, caller, manner), { ...RETRY, again, signal: caller.signal })
}

async function once(call: Call, { source, signal }: Caller, manner: Manner): Promise<Answer> {
  const held = await source.get()
  const answer = await askBy(call, held, signal)
  if (answer.status === 401 && source.refused(held)) return read(await askBy(call, await source.get(), signal), manner)
  return read(answer, manner)
}

async function askBy({ method, url, body, held }: Call, { token = '' }: Credentials, signal: AbortSignal | undefined): Promise<HttpAnswer> {
  return await ask(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    patience: held ? HELD : PATIENCE,
    most: LARGEST,
  })
}

function read({ ok, status, text, header }: HttpAnswer, manner: Manner): Answer {
  if (text === undefined) throw manner.refusalOf(502, { error: { message: `the answer is longer than ${LARGEST} bytes` } })
  const value = jsonIn(text)
  if (!ok) throw manner.refusalOf(status, value ?? { error: { message: text.slice(0, 200) } })
  if (value === undefined && text !== '')
    throw manner.refusalOf(502, { error: { message: `the answer is not JSON: ${text.slice(0, 80)}` } })
  return { status, header, value: value ?? {} }
}
