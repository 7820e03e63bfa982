/** What started the workflow, as far as it changes what we may do. */
import { readFile } from 'node:fs/promises'

type Env = Readonly<Record<string, string | undefined>>

export interface WorkflowEvent {
  /** Anyone may read the repository. */
  readonly isPublic: boolean
  /** The checked-out code may be a stranger's, while the job has the rights of this repository. */
  readonly untrusted: boolean
}

export async function readEvent(env: Env): Promise<WorkflowEvent> {
  const event = await readJson(env['GITHUB_EVENT_PATH'])
  const repository = at(event, 'repository')
  return { isPublic: at(repository, 'private') === false, untrusted: isUntrusted(env['GITHUB_EVENT_NAME'], event) }
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

async function readJson(path: string | undefined): Promise<unknown> {
  if (!path) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch {
    // Runners that are not GitHub's may give none.
    return undefined
  }
}
