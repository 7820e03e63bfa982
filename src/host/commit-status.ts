/** The commit status, which the forge shows as a mark beside a commit. */
import type { Outcome } from '../core/exit-codes.ts'
import type { Host } from '../core/host.ts'
import type { Env } from '../lib/env.ts'
import { line, list, object } from '../lib/shape.ts'
import { cutAt, messageOf } from '../lib/text.ts'
import { askWorkflow } from './workflow-api.ts'

export interface CommitStatus {
  readonly sha: string
  /** The git ref that was checked out. */
  readonly ref: string | undefined
  /** Name of the deployment. */
  readonly name: string
  readonly outcome: Outcome
  readonly description: string
}

/** The commit status for each outcome: "failure" is the program's, "error" is anything that kept it from its result. */
const STATES: Readonly<Record<Outcome, 'pending' | 'success' | 'failure' | 'error'>> = {
  running: 'pending',
  success: 'success',
  'script-failed': 'failure',
  'setup-failed': 'failure',
  'timed-out': 'error',
  stopped: 'error',
  invalid: 'error',
  denied: 'error',
  'no-capacity': 'error',
  'remote-error': 'error',
  bug: 'error',
}

/** Characters that GitHub takes of a description. */
const MOST = 140

/** Ref of the trial merge of a pull request, which its workflows check out. */
const TRIAL = /^refs\/pull\/\d+\/merge$/
/** Source: "Get a commit object" of GitHub's documentation. */
const COMMIT = object({ parents: list(object({ sha: line(64) }), 16) })

/**
 * The commit whose status the forge shows. GitHub makes a new trial merge whenever the base changes, and no longer shows the status of the
 * old one. So for a trial merge it is the commit that was merged: the second parent.
 */
async function shownCommit(env: Env, token: string | undefined, { sha, ref = '' }: CommitStatus): Promise<string> {
  const answer = TRIAL.test(ref) ? await askWorkflow(env, token, `git/commits/${sha}`) : undefined
  return (answer?.status === 200 ? COMMIT(answer.data).parents[1]?.sha : undefined) ?? sha
}

/** Most statuses of an answer: GitHub has one for each context, and gives so many at once. */
const PAGE = 100
/** Source: "Get the combined status for a specific reference" of GitHub's documentation. */
const LATEST = object({ statuses: list(object({ state: line(32), context: line(1024) }), PAGE) })

/** Sets the status if the token may do that. If it may not, that is common, and only a debug line says so. Never rejects. */
export async function setCommitStatus(host: Host, env: Env, token: string | undefined, status: CommitStatus): Promise<void> {
  try {
    await post(host, env, token, await shownCommit(env, token, status), status)
  } catch (error) {
    host.info(`no commit status: ${messageOf(error)}`)
  }
}

/** The same, but only in place of one of this name that says something else: a commit without one stays so. Never rejects. */
export async function correctCommitStatus(host: Host, env: Env, token: string | undefined, status: CommitStatus): Promise<void> {
  try {
    const sha = await shownCommit(env, token, status)
    const answer = await askWorkflow(env, token, `commits/${sha}/status?per_page=${PAGE}`)
    if (!answer) return
    if (answer.status !== 200)
      return host.debug(`an earlier commit status, if any, stays: the forge does not show it (HTTP ${answer.status})`)
    const there = LATEST(answer.data).statuses.find(({ context }) => context === contextOf(status))
    if (there && there.state !== STATES[status.outcome]) await post(host, env, token, sha, status)
  } catch (error) {
    host.debug(`an earlier commit status, if any, stays: ${messageOf(error)}`)
  }
}

const contextOf = ({ name }: CommitStatus): string => `tpi/${name}`

async function post(host: Host, env: Env, token: string | undefined, sha: string, status: CommitStatus): Promise<void> {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env
  const answer = await askWorkflow(env, token, `statuses/${sha}`, {
    state: STATES[status.outcome],
    context: contextOf(status),
    description: cutAt(status.description, MOST),
    target_url: `${server ?? 'https://github.com'}/${repository}/actions/runs/${run}`,
  })
  if (!answer || answer.status < 300) return
  if ([401, 403, 404].includes(answer.status)) host.debug(`no commit status: the token lacks "statuses: write" (HTTP ${answer.status})`)
  else host.info(`no commit status: ${api} answered ${answer.status}`)
}
