/** Folders that hardly anybody means to upload. */
import { homedir } from 'node:os'
import type { Env } from '../../lib/env.ts'
import { resolved, wayBelow } from '../../lib/paths.ts'

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

/**
 * The same for a work directory that is a link, or below one. In a checkout it may be a stranger's: a script would get whatever it leads to, such as
 * the keys of whoever starts the run, and results would be put there. `real`: where it leads; `here`: where the command was given.
 */
export function linkConcern(workdir: string, real: string, here: string): string | undefined {
  if (wayBelow(here, workdir) === undefined || wayBelow(resolved(here), real) !== undefined) return undefined
  return `a link leads from the work directory "${workdir}" out of the current folder, to "${real}"`
}
