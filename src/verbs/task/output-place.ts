/** Where a task's outputs go: faults are refused before the start, because afterwards it would be too late. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InputError } from '../../core/errors.ts'
import { forgeAround } from '../../forges/registry.ts'
import type { Env } from '../../lib/env.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { quoted } from '../../lib/text.ts'
import type { TaskRequest } from '../../task/request.ts'
import { linkConcern, unsure } from '../../task/workdir/unlikely-folder.ts'
import type { VerbContext } from '../shared/context.ts'

/** The folder that the option names, if it is one or can be created, and is where it seems to be. */
export function needPlace({ values, cwd }: Pick<VerbContext, 'values' | 'cwd'>, option: 'output-dir' | 'to', path: string): string {
  const folder = resolve(cwd, path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new InputError(`${option}: ${quoted(folder)} is not a folder`, { hint: 'choose another one, or remove what has its name' })
  const real = resolvedParent(folder)
  if (isBelowGit(wayBelow(resolved(cwd), real) ?? real))
    throw new InputError(`${option}: ${quoted(folder)} leads into a repository's own folder, ${quoted(real)}`, {
      hint: 'choose another one',
    })
  const away = values.yes ? undefined : linkConcern(folder, real, cwd)
  if (away !== undefined) throw unsure(option, away)
  return folder
}

/** The folder below which this CI job can keep files; `undefined`: there is none. */
function workspaceOfJob(env: Env): { readonly root: string; readonly variable: string } | undefined {
  const variable = forgeAround(env)?.ci.keepsBelow
  const root = variable && env[variable]
  // A program that runs a pipeline locally may set the variable to a folder that only exists in a container.
  return root && existsSync(root) ? { root, variable } : undefined
}

/**
 * Paths of outputs are relative to this folder, so that a later command on another computer finds its own: the workspace of the CI job, or
 * the current folder.
 */
export function workspaceOf({ env, cwd }: Pick<VerbContext, 'env' | 'cwd'>): string {
  return workspaceOfJob(env)?.root ?? cwd
}

/** Warned of before the start: by the time when the forge finds no outputs to keep, the job is over. */
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

/** The path of the output folder relative to `workspaceOf`; `undefined`: it is not below it. */
export function outputPath(context: Pick<VerbContext, 'env' | 'cwd'>, folder: string | undefined): string | undefined {
  const path = folder === undefined ? undefined : wayBelow(resolved(workspaceOf(context)), resolvedParent(folder))
  return path === '' ? '.' : path
}

/** The real path of a folder that may not exist yet. */
function resolvedParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? resolved(folder) : join(resolvedParent(dirname(folder)), basename(folder))
}
