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

/** Sets the status if the token may do that. If it may not, that is common, and only a debug line says so. Never rejects. */
export async function setCommitStatus(host: Host, env: Env, token: string | undefined, status: CommitStatus): Promise<void> {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env
  try {
    const answer = await askWorkflow(env, token, `statuses/${await shownCommit(env, token, status)}`, {
      state: STATES[status.outcome],
      context: `tpi/${status.name}`,
      description: cutAt(status.description, MOST),
      target_url: `${server ?? 'https://github.com'}/${repository}/actions/runs/${run}`,
    })
    if (!answer || answer.status < 300) return
    if ([401, 403, 404].includes(answer.status)) host.debug(`no commit status: the token lacks "statuses: write" (HTTP ${answer.status})`)
    else host.info(`no commit status: ${api} answered ${answer.status}`)
  } catch (error) {
    host.info(`no commit status: ${messageOf(error)}`)
  }
}
