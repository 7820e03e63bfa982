/** What a task should bring back, and to where: faults are refused before the start, because afterwards it would be too late. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type Fault, InputError } from '../../core/errors.ts'
import { forgeAround } from '../../forges/registry.ts'
import type { Env } from '../../lib/env.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { quoted } from '../../lib/text.ts'
import type { TaskRequest } from '../../task/request.ts'
import type { VerbContext } from '../shared/context.ts'

/** The folder, if it is one or can be created. */
export function needPlace(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new InputError(`output-dir: ${quoted(folder)} is not a folder`, { hint: 'choose another one, or remove the file' })
  return folder
}

/** For `exclude` and `checkpoint`; a file in the work directory may also be named by its absolute path. */
export function globsOf(option: string, patterns: readonly string[], workdir: string | undefined): string[] {
  const faults = onlyNegated(option, patterns)
  if (faults.length > 0) throw new InputError(faults)
  return patterns.map((pattern) => {
    const [not, path] = withoutNot(pattern)
    return not + ((isAbsolute(path) ? belowWorkdir(path, workdir) : undefined) ?? path)
  })
}

/** They would match nothing, where all but these are meant. */
function onlyNegated(option: string, patterns: readonly string[]): Fault[] {
  const [first] = patterns
  if (first === undefined || patterns.some((pattern) => !pattern.startsWith('!'))) return []
  const message = `${option}: ${quoted(first)} takes away from what the globs before it match, and there is none`
  return [{ option, message, hint: `for everything else, give "**" before it` }]
}

function withoutNot(pattern: string): readonly [not: string, path: string] {
  return pattern.startsWith('!') ? ['!', pattern.slice(1)] : ['', pattern]
}

/** As globs below the work directory; the same, but all of them must be there: what they do not name is lost with the machine. */
export function outputsOf(patterns: readonly string[], workdir: string | undefined): string[] {
  const faults = onlyNegated('output', patterns)
  const globs = patterns.map((pattern) => {
    const [not, path] = withoutNot(pattern)
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

/** The folder below which this CI job can keep files; `undefined`: there is none. */
function workspaceOfJob(env: Env): { readonly root: string; readonly variable: string } | undefined {
  const variable = forgeAround(env)?.ci.keepsBelow
  const root = variable && env[variable]
  // Programs that play a pipeline outside the forge may name the folder as it would be in a container.
  return root && existsSync(root) ? { root, variable } : undefined
}

/** What a later command, maybe on another computer, has in the same place: the CI system's, else the folder that a command was given in. */
export function workspaceOf({ env, cwd }: Pick<VerbContext, 'env' | 'cwd'>): string {
  return workspaceOfJob(env)?.root ?? cwd
}

/** Reported before the start: afterwards the job is over, and the forge has not found them. */
export function warnOfOutputsOutOfReach({ host, env }: VerbContext, request: TaskRequest): void {
  const folder = request.outputDir ?? request.workdir
  const job = workspaceOfJob(env)
  if (!job || folder === undefined || request.output.length === 0) return
  const { root, variable } = job
  // Either path may contain a link.
  const ways = [root, resolved(root)].flatMap((above) => [folder, resolved(folder)].map((path) => wayBelow(above, path)))
  if (ways.some((way) => way !== undefined)) return
  host.warn(
    `outputs go to "${folder}", which is not below ${variable} ("${root}"): the job's artifacts cannot include them; see "output-dir"`,
  )
}

/** The path of the output folder relative to that; `undefined`: it is elsewhere. */
export function outputPath(context: Pick<VerbContext, 'env' | 'cwd'>, folder: string | undefined): string | undefined {
  const path = folder === undefined ? undefined : wayBelow(resolved(workspaceOf(context)), resolvedParent(folder))
  return path === '' ? '.' : path
}

/** The real path of a folder that may not exist yet. */
function resolvedParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? resolved(folder) : join(resolvedParent(dirname(folder)), basename(folder))
}
