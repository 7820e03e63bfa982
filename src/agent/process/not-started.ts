/** Why a program could not be started, and what to do: the system's error names neither a missing interpreter nor a missing right. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { mayAccess } from '../../lib/files.ts'
import { quoted } from '../../lib/text.ts'

/** The kernel reads no more of a first line. */
const FIRST_LINE = 256

/** `name`: what was to be started, as the user wrote it. */
export function whyNotStarted(error: NodeJS.ErrnoException, name: string, file: string, cwd: string): string {
  const path = resolve(cwd, file)
  if (error.code === 'EACCES' && name.includes('/') && !mayAccess(path, constants.X_OK) && mayAccess(path, constants.F_OK))
    return `not executable: make it so (chmod +x), or start its interpreter (bash ${name})`
  if (error.code !== 'ENOENT') return error.message
  if (!file.includes('/'))
    return mayAccess(path, constants.F_OK) ? `not found in PATH (the one in the work directory is ./${file})` : 'not found'
  const interpreter = interpreterOf(path)
  if (interpreter === undefined) return 'not found'
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
