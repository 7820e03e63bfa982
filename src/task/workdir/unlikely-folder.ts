/** Folders that hardly anybody means to upload, or to get results in. */
import { homedir } from 'node:os'
import { InputError } from '../../core/errors.ts'
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
 * The same for a folder that a link leads to. In a checkout, the link may be a stranger's: as a work directory, it would give the script the files
 * that it leads to, such as the keys of whoever starts the run; as an output folder, it would put results there. `real`: where it leads; `here`: the
 * current folder.
 */
export function linkConcern(folder: string, real: string, here: string): string | undefined {
  if (wayBelow(here, folder) === undefined || wayBelow(resolved(here), real) !== undefined) return undefined
  return `a link leads from "${folder}" out of the current folder, to "${real}"`
}

export const unsure = (option: 'workdir' | 'output-dir' | 'to', concern: string): InputError =>
  new InputError(`${option}: ${concern}`, { hint: 'if you mean it, give `yes: true`' })
