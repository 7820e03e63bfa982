/** The workflow around us, as the forge's toolkit reads it from the environment of the process. */
import { existsSync } from 'node:fs'
import type { WorkflowContext } from './event.ts'

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
