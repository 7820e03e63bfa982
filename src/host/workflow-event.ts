/** What started the workflow, as far as it changes what tpi may do. */
import { existsSync } from 'node:fs'
import { fieldsIn } from '../lib/record.ts'

/** The forge's description of the run, as far as tpi uses it. */
export interface WorkflowContext {
  readonly eventName: string
  /** As the forge's webhooks have it. */
  readonly payload: unknown
}

export interface WorkflowEvent {
  /** Anyone may read the repository. */
  readonly isPublic: boolean
  /** Only its members may read it. If the event does not say, the repository is neither. */
  readonly isPrivate: boolean
  /** Why the checked-out code may be a stranger's, although the job has the rights of this repository; absent: it is not. */
  readonly untrusted?: string
  /** The number of a pull request. `untrusted` does not hold if its code is in the repository itself, which the event does not say. */
  readonly unlessOwn?: number
}

/** `undefined`: nothing is known. Runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
export async function workflowContext(eventFile: string | undefined): Promise<WorkflowContext | undefined> {
  // Without a file, the toolkit would print a message.
  if (!eventFile || !existsSync(eventFile)) return undefined
  try {
    const { context } = await import('@actions/github')
    return context
  } catch {
    // The toolkit reads the file as it is loaded, and throws if it is broken.
    return undefined
  }
}

/** `context`: as `workflowContext` found it. */
export function eventOf(context: WorkflowContext | undefined): WorkflowEvent {
  const event = context?.payload
  return {
    isPublic: at(event, 'repository', 'private') === false,
    isPrivate: at(event, 'repository', 'private') === true,
    ...strangerIn(context?.eventName ?? '', event),
  }
}

/** Whether an event runs with the secrets of the repository on behalf of people without access to them; empty: it does not. */
function strangerIn(name: string, event: unknown): Pick<WorkflowEvent, 'untrusted' | 'unlessOwn'> {
  const own = at(event, 'repository', 'full_name')
  const unlessFrom = (...head: readonly string[]): Pick<WorkflowEvent, 'untrusted'> =>
    own === undefined || at(event, ...head, 'full_name') === own ? {} : { untrusted: `"${name}" of a fork` }
  if (name === 'pull_request_target') return unlessFrom('pull_request', 'head', 'repo')
  if (name === 'workflow_run') return unlessFrom('workflow_run', 'head_repository')
  const spoken = SPOKEN[name]
  if (spoken === undefined) return {}
  if (!MEMBERS.has(String(at(event, spoken, 'author_association'))))
    return { untrusted: `"${name}" by somebody who is not a member of the repository` }
  if (at(event, 'pull_request') !== undefined) return unlessFrom('pull_request', 'head', 'repo')
  if (at(event, 'issue', 'pull_request') === undefined) return {}
  const number = at(event, 'issue', 'number')
  return {
    untrusted: `"${name}" on a pull request, which may come from a fork,`,
    ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
  }
}

/** Events that anyone can cause who can read the repository, by a comment, and where their payload has that. */
const SPOKEN: Readonly<Record<string, string>> = {
  issue_comment: 'comment',
  commit_comment: 'comment',
  discussion_comment: 'comment',
  pull_request_review: 'review',
  pull_request_review_comment: 'comment',
}
const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

function at(value: unknown, ...names: readonly string[]): unknown {
  let inner = value
  for (const name of names) inner = fieldsIn(inner)[name]
  return inner
}
