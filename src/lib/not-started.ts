/** Why a program could not be started, and what to do: the system's error names neither a missing interpreter nor a missing right. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { mayAccess } from './files.ts'
import { printable, quoted, shellQuoted } from './text.ts'

/** The kernel reads no more of a first line. */
const FIRST_LINE = 256

/** A blank, or a sign that only a shell understands. */
const SHELL_SIGNS = /[\s|&;<>$`*]/

/** It was given as the name of a program, but probably means a whole line for a shell. */
export const looksLikeShellLine = (word: string): boolean => SHELL_SIGNS.test(word)

export interface NotStarted {
  /** As shells have it: 127 not found, 126 cannot be run. */
  readonly code: number
  /** One line, without an end. */
  readonly why: string
}

/** Why nothing can be started in this folder; `undefined`: it is there. */
export async function whyNotIn(folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() ? undefined : `there is no folder ${folder} to start in`
}

/** `name`: what was to be started, as the user wrote it; `file`: what the system was asked to start. */
export function notStarted(
  error: NodeJS.ErrnoException,
  { name, file = name, cwd }: { name: string; file?: string; cwd: string },
): NotStarted {
  return { code: error.code === 'ENOENT' ? 127 : 126, why: `${printable(name)}: ${reasonOf(error, name, file, cwd)}` }
}

function reasonOf(error: NodeJS.ErrnoException, name: string, file: string, cwd: string): string {
  const path = resolve(cwd, file)
  if (error.code === 'EACCES' && name.includes('/') && !mayAccess(path, constants.X_OK) && mayAccess(path, constants.F_OK))
    return `not executable: make it so (chmod +x), or start its interpreter (bash ${shellQuoted(name)})`
  if (error.code === 'ENOTDIR') return 'what is in front of a / in it is not a folder'
  if (error.code !== 'ENOENT') return error.message
  if (!file.includes('/') && mayAccess(path, constants.F_OK)) return `not found in PATH (the one in the work directory is ./${file})`
  const interpreter = file.includes('/') ? interpreterOf(path) : undefined
  if (interpreter === undefined) return looksLikeShellLine(file) ? "not found: a shell line needs a shell (sh -c '…')" : 'not found'
  return interpreter.endsWith('\r')
    ? 'its lines end as on Windows, so its interpreter is not found: convert them (sed -i "s/\\r$//")'
    : `its first line names ${quoted(interpreter)}, which is not on this machine`
}

/** What follows `#!` in a program's first line: the interpreter, and perhaps one argument (execve(2)). */
export function interpreterLine(text: string): string | undefined {
  return /^#![ \t]*(\S[^\n]*)/.exec(text)?.[1]
}

function interpreterOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(FIRST_LINE)
      return interpreterLine(bytes.toString('latin1', 0, readSync(file, bytes)))
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
