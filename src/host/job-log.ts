/** The log of a CI job that a command writes into: people read it in a browser, and some forges execute lines of it. */
import { fstatSync } from 'node:fs'

export interface JobLog {
  /** Which of the streams end there. */
  readonly out: boolean
  readonly err: boolean
  /** It carries out lines that any program prints (`::name::`, `##[name]`). */
  readonly commands: boolean
}

export const NO_JOB: JobLog = { out: false, err: false, commands: false }

interface Stream {
  readonly isTTY?: boolean
  readonly fd?: number
}

/** Output to a pipe may end up in the job's log (there is no way to know); output to a file does not. */
export function jobLog(inJob: boolean, commands: boolean, { out, err }: { readonly out: Stream; readonly err: Stream }): JobLog {
  const isRead = ({ isTTY, fd }: Stream): boolean => inJob && isTTY !== true && (fd === undefined || !fstatSync(fd).isFile())
  return { out: isRead(out), err: isRead(err), commands }
}

/** Still readable, but not a command of GitHub's runner, which accepts a line that begins so after any space, and the older kind anywhere. */
export function inert(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')
}

/** JSON that says the same. Its lines begin otherwise. */
export function inertJson(text: string): string {
  return text.replaceAll('##[', '#\\u0023[')
}
