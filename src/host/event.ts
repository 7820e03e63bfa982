/** What started the workflow, as far as it changes what we may do. */

/** What the forge says of the run, as far as we look at it. */
export interface WorkflowContext {
  readonly eventName: string
  /** As the forge's webhooks have it. */
  readonly payload: unknown
}

export interface WorkflowEvent {
  /** Anyone may read the repository. */
  readonly isPublic: boolean
  /** The checked-out code may be a stranger's, while the job has the rights of this repository. */
  readonly untrusted: boolean
}

/** `undefined`: of a run that nothing is known of. */
export function eventOf(context: WorkflowContext | undefined): WorkflowEvent {
  const event = context?.payload
  return { isPublic: at(at(event, 'repository'), 'private') === false, untrusted: isUntrusted(context?.eventName, event) }
}

/** Both run with the secrets of the repository on behalf of somebody who may have none. */
function isUntrusted(name: string | undefined, event: unknown): boolean {
  const own = at(at(event, 'repository'), 'full_name')
  if (name === 'pull_request_target') return differs(at(at(at(at(event, 'pull_request'), 'head'), 'repo'), 'full_name'), own)
  if (name === 'workflow_run') return differs(at(at(at(event, 'workflow_run'), 'head_repository'), 'full_name'), own)
  return false
}

/** A fork that was deleted has no name any more: still a stranger's. */
function differs(head: unknown, own: unknown): boolean {
  return own !== undefined && head !== own
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
