/** What started the workflow, as far as it changes what tpi may do. */
import { existsSync } from 'node:fs'

/** The forge's description of the run, as far as tpi uses it. */
export interface WorkflowContext {
  readonly eventName: string
  /** As the forge's webhooks have it. */
  readonly payload: unknown
}

export interface WorkflowEvent {
  /** Anyone may read the repository. */
  readonly isPublic: boolean
  /** Only its members may; where an event does not say, it is neither. */
  readonly isPrivate: boolean
  /** Why the checked-out code may be a stranger's, while the job has the rights of this repository; `undefined`: it is not. */
  readonly untrusted?: string
  /** It is, only if the code of this pull request is a fork's: the event does not say. */
  readonly unlessOwn?: number
}

/** `undefined` where nothing is known: runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
export async function workflowContext(eventFile: string | undefined): Promise<WorkflowContext | undefined> {
  // The toolkit would print about it.
  if (!eventFile || !existsSync(eventFile)) return undefined
  try {
    const { context } = await import('@actions/github')
    return context
  } catch {
    // It reads the file as it is loaded.
    return undefined
  }
}

/** `undefined`: of a run that nothing is known of. */
export function eventOf(context: WorkflowContext | undefined): WorkflowEvent {
  const event = context?.payload
  const untrusted = strangerIn(context?.eventName ?? '', event)
  const number = untrusted?.endsWith(MAY_BE_OF_FORK) ? at(event, 'issue', 'number') : undefined
  return {
    isPublic: at(event, 'repository', 'private') === false,
    isPrivate: at(event, 'repository', 'private') === true,
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
  }
}

const MAY_BE_OF_FORK = 'on a pull request, which may come from a fork,'

/** Events that run with the secrets of the repository on behalf of people without access to them. */
function strangerIn(name: string, event: unknown): string | undefined {
  const own = at(event, 'repository', 'full_name')
  const ofFork = own === undefined ? undefined : `"${name}" of a fork`
  if (name === 'pull_request_target') return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork
  if (name === 'workflow_run') return at(event, 'workflow_run', 'head_repository', 'full_name') === own ? undefined : ofFork
  const spoken = SPOKEN[name]
  if (spoken === undefined) return undefined
  if (!MEMBERS.has(String(at(event, spoken, 'author_association')))) return `"${name}" by somebody who is not a member of the repository`
  if (at(event, 'pull_request') !== undefined) return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork
  return at(event, 'issue', 'pull_request') === undefined ? undefined : `"${name}" ${MAY_BE_OF_FORK}`
}

/** Anyone may comment on a repository that they can read. Event → where its payload has the comment. */
const SPOKEN: Readonly<Record<string, string>> = {
  issue_comment: 'comment',
  commit_comment: 'comment',
  discussion_comment: 'comment',
  pull_request_review: 'review',
  pull_request_review_comment: 'comment',
}
const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[name] : undefined),
    value,
  )
}
