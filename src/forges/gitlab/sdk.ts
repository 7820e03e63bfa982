/** The only file of the room that knows the vendor's client. */
import { type BaseResourceOptions, createRequesterFn, type RequestOptions } from '@gitbeaker/requester-utils'
import {
  Groups,
  Jobs,
  Metadata,
  PersonalAccessTokens,
  Pipelines,
  Projects,
  Runners,
  type AllRunnersOptions as RunnersQuery,
  Users,
} from '@gitbeaker/rest'
import type { Answer } from '../call.ts'
import { fetchedThere } from '../http.ts'

export type { RunnersQuery }

export interface Gitlab {
  readonly groups: Groups
  readonly jobs: Jobs
  readonly metadata: Metadata
  readonly pipelines: Pipelines
  readonly projects: Projects
  readonly runners: Runners
  readonly tokens: PersonalAccessTokens
  readonly users: Users
  /** Calls that the others do not have. */
  readonly raw: Runners['requester']
}

/** Makes one call of those that the client offers. */
export type Ask = (gitlab: Gitlab) => Promise<unknown>
export type Send = (ask: Ask, signal: AbortSignal) => Promise<Answer>

/**
 * Resolves to the answer, whatever its status; rejects only if there is none. By itself, the client would repeat calls by its own rules, and hide the
 * status and headers of a list. So each request goes through tpi's own handler.
 */
export function client(server: string, token: string): Send {
  return async (ask, signal) => {
    let answer: Answer | undefined
    const requesterFn = createRequesterFn(
      async (_, options) => options,
      async (endpoint, options) => {
        const [url, how] = requestOf(endpoint, options as RequestOptions, signal)
        answer = await fetchedThere(url, how, (next) => how.method === 'GET' && isApi(next))
        const headers = answer.headers as Record<string, string>
        return { status: answer.status, headers, body: answer.data as Record<string, unknown> }
      },
    )
    const data = await ask(resources({ host: server, token, requesterFn, queryTimeout: null, rateLimits: {} }))
    if (answer === undefined) throw new Error('no call was made')
    return { ...answer, data }
  }
}

/**
 * A redirect within the API means a project or group that has moved: https://docs.gitlab.com/api/rest/#redirects. Any other may lead to a sign-in
 * page, which must not be taken for the answer.
 */
const isApi = ({ pathname }: URL): boolean => pathname.includes('/api/')

function resources(options: BaseResourceOptions<false>): Gitlab {
  const runners = new Runners(options)
  return {
    groups: new Groups(options),
    jobs: new Jobs(options),
    metadata: new Metadata(options),
    pipelines: new Pipelines(options),
    projects: new Projects(options),
    runners,
    tokens: new PersonalAccessTokens(options),
    users: new Users(options),
    raw: runners.requester,
  }
}

function requestOf(endpoint: string, options: RequestOptions, signal: AbortSignal): [url: string, how: RequestInit] {
  const { prefixUrl = '', searchParams, method = 'GET', headers = {}, body } = options
  const query = searchParams ? `?${searchParams}` : ''
  // The client sends "{}" for an empty body, even with DELETE, whose bodies some proxies refuse.
  return [`${prefixUrl}${endpoint}${query}`, { method, headers, signal, ...(body && body !== '{}' ? { body } : {}) }]
}

/** Tags as GitLab documents them: one text, with commas. The client has another type for them, and would send a list in a form of its own. */
export function joined(tags: readonly string[]): string[] {
  return tags.join(',') as unknown as string[]
}
