/** The only file of the room that knows the vendor's client. */
import { Octokit } from '@octokit/rest'
import type { Answer } from '../retry.ts'

export type Send = (
  method: string,
  path: string,
  authorization: string,
  body: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
) => Promise<Answer>

/** An answer of any status is an answer; only its absence throws. */
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
      } = await octokit.request({ method: method as 'GET', url: path, headers, request: { signal }, ...(body ? { data: body } : {}) })
      return { status, headers: got, data }
    } catch (error) {
      const { response } = error as { response?: Answer }
      if (response) return { status: response.status, headers: response.headers, data: response.data }
      throw error
    }
  }
}
