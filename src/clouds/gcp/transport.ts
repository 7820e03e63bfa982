/** One request to a service of Google, in JSON: tried again where the vendor says that it passes. */
import { pause } from '../../lib/clock.ts'
import { backoff } from '../../lib/retry.ts'
import { isOut, Refusal, refusalOf } from './errors.ts'
import type { Method } from './sdk.ts'

export interface Request {
  readonly method: Method
  readonly url: URL
  readonly body?: unknown
  /** The vendor holds it until something has happened, for two minutes at most. */
  readonly held: boolean
}

export interface Caller {
  token(): Promise<string>
  /** The other side does not take it any more; `true`: there may be another. */
  refused(token: string): boolean
  readonly signal?: AbortSignal
}

/** Milliseconds until a call counts as unanswered. https://cloud.google.com/compute/docs/reference/rest/v1/regionOperations/wait */
const PATIENCE = 30_000
const HELD = 150_000
/** Tries of one call; whoever waits longer asks again. */
const ATTEMPTS = 4
const PAUSES = { first: 200, longest: 3000 }

/** Throws Refusal where the answer says no, else what `fetch` throws. */
export async function send(request: Request, caller: Caller): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(request, caller)
    } catch (error) {
      caller.signal?.throwIfAborted()
      if (attempt >= ATTEMPTS || !passes(error)) throw error
      await pause(backoff(attempt, PAUSES), caller.signal)
    }
  }
}

/** https://cloud.google.com/storage/docs/retry-strategy : what is named by its request id or changes nothing may be said again. */
function passes(error: unknown): boolean {
  if (!(error instanceof Refusal)) return isOut(error)
  const { status, reason } = error
  return status >= 500 || status === 429 || (status === 403 && /^(?:user)?rateLimitExceeded$/i.test(reason))
}

async function once(request: Request, caller: Caller): Promise<unknown> {
  const token = await caller.token()
  const answer = await ask(request, token, caller.signal)
  if (answer.status === 401 && caller.refused(token)) return read(await ask(request, await caller.token(), caller.signal))
  return read(answer)
}

async function ask({ method, url, body, held }: Request, token: string, signal: AbortSignal | undefined): Promise<Response> {
  const limit = held ? AbortSignal.timeout(HELD) : AbortSignal.timeout(PATIENCE)
  return fetch(url, {
    method,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': 'tpi-action',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  const value = parsed(text)
  if (!answer.ok) throw refusalOf(answer.status, value ?? { error: { message: text.slice(0, 200) } })
  if (value === undefined && text !== '') throw new Refusal(`the answer is not JSON: ${text.slice(0, 80)}`, { status: 502 })
  return value ?? {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
