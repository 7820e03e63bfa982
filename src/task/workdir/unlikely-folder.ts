/** Folders that hardly anybody means to upload. */
import { homedir } from 'node:os'
import type { Env } from '../../lib/env.ts'
import { resolved } from '../../lib/paths.ts'

/** Why this work directory needs a `--yes`; `undefined` for an ordinary one. Looks at names only, so it may be asked first. */
export function workdirConcern(folder: string, env: Env): string | undefined {
  const real = resolved(folder)
  if (real === '/') return 'the work directory is "/": the whole machine would be uploaded'
  const home = resolved(env['HOME'] ?? homedir())
  if (real === home) return `the work directory is the home folder "${folder}": private files and keys would be uploaded`
  if (home.startsWith(`${real}/`))
    return `the work directory "${folder}" contains the home folder: private files and keys would be uploaded`
  return undefined
}
