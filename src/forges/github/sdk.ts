/** The only file of the room that knows the vendor's client. */
import { Octokit } from '@octokit/rest'
import { RemoteError } from '../../core/errors.ts'
import type { Answer } from '../call.ts'
import { fetchedThere } from '../http.ts'

export type Send = (
  method: string,
  path: string,
  authorization: string,
  body: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
) => Promise<Answer>

/** Resolves to the answer, whatever its status. Rejects only if there is none. */
export function client(baseUrl: string): Send {
  const quiet = (): void => {}
  const octokit = new Octokit({ baseUrl, userAgent: 'tpi-action', log: { debug: quiet, info: quiet, warn: quiet, error: quiet } })
  return async (method, path, authorization, body, signal) => {
    const headers = { authorization, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
    try {
      const {
        status,
        headers: got,
        data,
      } = await octokit.request({
        method: method as 'GET',
        url: path,
        headers,
        request: { signal, fetch: send },
        ...(body ? { data: body } : {}),
      })
      return { status, headers: got, data }
    } catch (error) {
      const { response, cause } = error as { response?: Answer; cause?: unknown }
      if (response) return { status: response.status, headers: response.headers, data: response.data }
      // The error itself, not the one that the client has made of it.
      throw cause instanceof RemoteError ? cause : error
    }
  }
}

/**
 * Statuses of a redirect that is followed with the same method:
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
const SAME = [307, 308]

async function send(url: string, how: RequestInit): Promise<Response> {
  const { status, headers, text } = await fetchedThere(url, how, (_, code) => how.method === 'GET' || SAME.includes(code))
  return new Response(text === '' ? null : text, { status, headers: headers as Record<string, string> })
}
