/**
 * What a token must be allowed to do, by purpose. Messages and `tpi permissions github` are derived from this. Source: the "permissions"
 * tables of GitHub's REST reference.
 */
import type { RunnerTarget } from '../../core/forge.ts'

export type Scope = RunnerTarget['kind']

interface Right {
  readonly fine?: string
  readonly classic: string
}

const REGISTER: Readonly<Record<Scope, Right>> = {
  repository: { fine: 'Administration: write', classic: 'repo' },
  organization: { fine: 'Self-hosted runners: write', classic: 'admin:org' },
  enterprise: { classic: 'manage_runners:enterprise' },
}
const RERUN: Right = { fine: 'Actions: write', classic: 'repo' }

const ONLY_RETRY = ' (only for "tpi retry")'

const NEVER = '; GITHUB_TOKEN of a workflow can never do it'

/** The rights to register and remove runners of that place, for the end of a message. */
export function registering(scope: Scope): string {
  const { fine, classic } = REGISTER[scope]
  return fine === undefined
    ? `the scope "${classic}" (classic token)`
    : `"${fine}" (fine-grained token or App) or the scope "${classic}" (classic token)${NEVER}`
}

/** The rights to re-run jobs. */
export const RERUNNING = `"${RERUN.fine}" (fine-grained token, App, or GITHUB_TOKEN with "actions: write") or the scope "${RERUN.classic}" (classic token)`

/** The rights to comment on a pull request. */
export const COMMENTING =
  '"Pull requests: write" (fine-grained token, or GITHUB_TOKEN with "pull-requests: write") or the scope "repo" (classic token)'

export const permissions = [
  'GitHub: any one of these tokens, or an App with the same permissions (app-id, app-key)',
  ...(Object.keys(REGISTER) as Scope[]).map(describe),
  'The token never reaches a machine. GITHUB_TOKEN of a workflow can never register a runner; with "actions: write" it can run jobs again.',
  `Comments on a pull request ("tpi comment", "comment: true") take ${COMMENTING}.`,
].join('\n\n')

function describe(scope: Scope): string {
  const { fine, classic } = REGISTER[scope]
  const finely = fine === undefined ? [] : [`  fine-grained token, App   ${fine}, ${RERUN.fine}${ONLY_RETRY}, Metadata: read`]
  const both = classic === RERUN.classic ? classic : `${classic}, ${RERUN.classic}${ONLY_RETRY}`
  return [`runners of ${scope === 'repository' ? 'a' : 'an'} ${scope}`, ...finely, `  classic token             ${both}`].join('\n')
}
