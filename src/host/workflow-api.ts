/** Small calls to the forge whose workflow this step belongs to. None of them is worth a long wait. */
import { jsonIn, textUpTo } from '../lib/answer.ts'
import type { Env } from '../lib/env.ts'
import { either, line, object, oneOf } from '../lib/shape.ts'

/** Milliseconds for an answer. */
const PATIENCE = 10_000
/** Bytes of an answer: a pull request has a twentieth of that. */
const LARGEST = 1 << 20

interface WorkflowAnswer {
  readonly status: number
  /** `undefined`: it is not JSON, or is longer than `LARGEST`. */
  readonly data: unknown
}

/** `path`: below the repository's. Resolves to `undefined` if there is no such API, or no token. Rejects if there is no answer. */
export async function askWorkflow(
  { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository }: Env,
  token: string | undefined,
  path: string,
  body?: object,
): Promise<WorkflowAnswer | undefined> {
  if (!token || !api || !repository) return undefined
  const answer = await fetch(`${api}/repos/${repository}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE),
  })
  return { status: answer.status, data: jsonIn(await textUpTo(LARGEST, answer)) }
}

const NAMED = object({ full_name: line(1024) })
/** Source: "Get a pull request" of GitHub's documentation. `null`: the fork is gone. */
const PULL = object({ head: object({ repo: either(NAMED, oneOf(null)) }) })

/** Whether the code of this pull request is in the repository itself, according to the forge. False if it does not answer. */
export async function isOwnPull(env: Env, token: string | undefined, number: number): Promise<boolean> {
  try {
    const answer = await askWorkflow(env, token, `pulls/${number}`)
    return answer?.status === 200 && PULL(answer.data).head.repo?.full_name === env['GITHUB_REPOSITORY']
  } catch {
    return false
  }
}
