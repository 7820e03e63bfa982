/** Runs a program to its end. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Resolves to what it printed. Rejects, with that in the error, if it fails or cannot be started. */
export const run = promisify(execFile)
