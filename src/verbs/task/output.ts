/** What a task should bring back, and to where: faults are refused before the start, because afterwards it would be too late. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { type Fault, InputError } from '../../core/errors.ts'
import { forgeAround } from '../../forges/registry.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { quoted } from '../../lib/text.ts'
import { resolved } from '../../task/workdir/never-uploaded.ts'
import type { VerbContext } from '../shared/context.ts'

/** The folder, if it is one or can be created. */
export function needPlace(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new InputError(`output-dir: ${quoted(folder)} is not a folder`, { hint: 'choose another one, or remove the file' })
  return folder
}

/** As globs below the work directory; a file in it may also be named by its absolute path. */
export function outputsOf(patterns: readonly string[], workdir: string | undefined): string[] {
  const faults: Fault[] = []
  const globs = patterns.map((pattern) => {
    const [, not = '', path = ''] = /^(!?)(.*)$/s.exec(pattern) ?? []
    const glob = isAbsolute(path) ? belowWorkdir(path, workdir) : path
    if (glob === undefined)
      faults.push({
        option: 'output',
        message: `output: ${quoted(pattern)} is not below the work directory${workdir === undefined ? ', and there is none' : ` (${quoted(workdir)})`}`,
        hint: 'outputs are globs relative to it, such as "results/**"',
      })
    else if (not === '' && isBelowGit(glob))
      faults.push({
        option: 'output',
        message: `output: ${quoted(pattern)} is below .git, and nothing of a run is ever put there`,
        hint: 'let the script make a file of its commits, such as with "git bundle create commits.bundle HEAD", and name that',
      })
    return not + (glob ?? path)
  })
  if (faults.length > 0) throw new InputError(faults)
  return globs
}

function belowWorkdir(path: string, workdir: string | undefined): string | undefined {
  if (workdir === undefined) return undefined
  for (const root of [workdir, resolved(workdir)]) {
    if (path.replace(/\/+$/, '') === root) return '.'
    if (path.startsWith(root === '/' ? root : `${root}/`)) return path.slice(root.length).replace(/^\/+/, '') || '.'
  }
  return undefined
}

/** What a later command, maybe on another computer, has in the same place: the CI system's, else the folder that a command was given in. */
export function workspaceOf({ env, cwd }: Pick<VerbContext, 'env' | 'cwd'>): string {
  const variable = forgeAround(env)?.ci.keepsBelow
  const root = variable && env[variable]
  return root && existsSync(root) ? root : cwd
}

/** The path of the output folder relative to that; `undefined`: it is elsewhere. */
export function outputPath(context: Pick<VerbContext, 'env' | 'cwd'>, folder: string | undefined): string | undefined {
  const path = folder === undefined ? '..' : relative(resolved(workspaceOf(context)), resolvedParent(folder))
  return path === '..' || path.startsWith('../') ? undefined : path || '.'
}

/** The real path of a folder that may not exist yet. */
function resolvedParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? resolved(folder) : join(resolvedParent(dirname(folder)), basename(folder))
}
