/** The log of a CI job that a command writes to: people read it in a browser, and some forges carry out lines of it. */
import { fstatSync } from 'node:fs'

export interface JobLog {
  /** Whether stdout and stderr end up there. */
  readonly out: boolean
  readonly err: boolean
  /** The forge carries out lines that any program prints (`::name::`, `##[name]`). */
  readonly commands: boolean
}

export const NO_JOB: JobLog = { out: false, err: false, commands: false }

interface Stream {
  readonly isTTY?: boolean
  readonly fd?: number
}

/** Which of these streams end up in the log of a job. A pipe may, as nobody can tell; a file does not. */
export function jobLog(inJob: boolean, commands: boolean, { out, err }: { readonly out: Stream; readonly err: Stream }): JobLog {
  const isRead = ({ isTTY, fd }: Stream): boolean => inJob && isTTY !== true && (fd === undefined || !fstatSync(fd).isFile())
  return { out: isRead(out), err: isRead(err), commands }
}

/** A text that stays readable, but has no command for GitHub's runner: `::` after spaces at the start of a line, or `##[` anywhere. */
export function inert(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')
}

/** The same for JSON, whose value does not change. Its lines do not begin with `::`. */
export function inertJson(text: string): string {
  return text.replaceAll('##[', '#\\u0023[')
}
