/** What is uploaded at the start. The rules apply only to this upload, never to checkpoints or outputs. */

import { readFileSync } from 'node:fs'
import type { Env } from '../../lib/env.ts'
import { gitFolderOf } from '../../lib/git-name.ts'
import { globs } from '../../lib/glob.ts'
import { plural } from '../../lib/text.ts'
import { FOLDER, releaseStats, type Scan, scanTree } from '../../snapshot/folder/scan.ts'
import { comparePaths, nameSome, parentPath, showPath } from '../../snapshot/path.ts'
import type { Manifest } from '../../snapshot/types.ts'
import type { Selection } from './content-identity.ts'
import { dvcOutputs } from './dvc.ts'
import { type GitPlan, planGit } from './git-plan.ts'
import { lfsPointers } from './lfs.ts'
import { danglingLinks } from './links.ts'
import { neverUploaded } from './never-uploaded.ts'
import { type LeftOut, NOTHING, type WorkdirReport, weigh } from './report.ts'
import { askGit, gitRule, type Judge, readRules } from './rules.ts'
import { workdirConcern } from './unlikely-folder.ts'
import { unreadableIn } from './unreadable.ts'

const OWN_RULES = '.tpiignore'

/** What a task uploads at its start. */
export interface UploadPlan {
  readonly folder: string
  readonly size: { readonly files: number; readonly bytes: number }
  /** As in the report. */
  readonly leftOut: readonly LeftOut[]
  readonly select: (path: string, isFolder: boolean) => boolean
  /** What `select` selects, in order. */
  readonly paths: readonly string[]
  readonly overlay: ReadonlyMap<string, Uint8Array>
  /** The identity of a manifest or, without one, of the folder as it is now: see `contentIdentity`. */
  readonly identity: (manifest?: Manifest) => Promise<string>
  /** The folder as it is now. */
  readonly describe: () => Promise<Manifest>
}

export interface WorkdirOptions {
  /** Absolute. */
  readonly folder: string
  /** Globs of the user: what matches `output` is uploaded whatever the rules say; what matches `exclude` never is. */
  readonly output: readonly string[]
  readonly exclude: readonly string[]
  readonly git: 'auto' | boolean
  /** Absolute paths that are never uploaded, with what they are. */
  readonly stays?: ReadonlyMap<string, string>
  readonly env: Env
  /** The user has confirmed that `/` or the home folder is meant. */
  readonly yes?: boolean
  readonly signal?: AbortSignal
}

export interface Workdir extends Selection {
  /** What `select` selects, in order. */
  readonly paths: readonly string[]
  readonly report: WorkdirReport
  /** Why the user must confirm that this folder is uploaded: nothing in it was looked at. */
  readonly needsYes?: string
}

/**
 * If the folder has a `.tpiignore`, only `.tpiignore` files count, in folders below it, too; they have the syntax of `.gitignore`. Otherwise Git is
 * asked. If there is no Git or no repository, the `.gitignore` files are read as Git would. Throws SnapshotError `no-folder`.
 */
export async function selectWorkdir(options: WorkdirOptions): Promise<Workdir> {
  const { folder, env, signal } = options
  const needsYes = workdirConcern(folder, env)
  if (needsYes !== undefined && options.yes !== true)
    return { select: () => false, paths: [], overlay: new Map(), report: NOTHING, needsYes }
  const scan = await scanTree(folder, undefined, signal)
  const judge = await findJudge(folder, scan, env)
  const stays = neverUploaded(folder, options.stays ?? new Map())
  const unwanted = globs(options.exclude)
  const excluded = (path: string): boolean => stays(path) !== undefined || unwanted(path)
  const rule = (path: string): string | undefined => {
    if (excluded(path)) return 'option exclude'
    return judge.name === OWN_RULES ? judge.excluded.get(path) : undefined
  }
  const git = planGit(folder, scan, { git: options.git, barred: rule })
  const chosen = choose(scan, judge, { git, excluded, always: alwaysSent(options, scan, judge) })
  const unreadable = unreadableIn(folder, scan, { isSent: (path) => chosen.has(path), excluded: (path) => rule(path) !== undefined })
  const sent = unreadable.size === 0 ? chosen : new Set([...chosen].filter((path) => !unreadable.has(path)))
  const report = await makeReport(options, scan, { judge, sent, unreadable, git, excluded, stays })
  releaseStats(scan)
  // The set is not kept: it has megabytes for a hundred thousand paths.
  const paths = scan.paths.filter((path) => sent.has(path))
  return { select: among(paths), paths, overlay: git.overlay, report }
}

async function findJudge(folder: string, scan: Scan, env: Env): Promise<Judge> {
  const own = scan.paths.indexOf(OWN_RULES)
  if (own >= 0 && scan.kind[own] !== FOLDER) return readRules(folder, scan, OWN_RULES)
  return (await askGit(folder, scan, env)) ?? readRules(folder, scan, '.gitignore', localExcludes(folder))
}

function localExcludes(folder: string): string {
  try {
    return readFileSync(`${folder}/.git/info/exclude`, 'utf8')
  } catch {
    return '' // most folders have none
  }
}

function alwaysSent({ folder, output }: WorkdirOptions, scan: Scan, judge: Judge): (path: string) => boolean {
  const wanted = globs(output)
  const outputs = dvcOutputs(folder, scan, (path) => !judge.excluded.has(path))
  return (path) => {
    if (wanted(path)) return true
    for (let at = path; at !== ''; at = parentPath(at)) if (outputs.has(at)) return true
    return false
  }
}

interface Choice {
  readonly git: GitPlan
  readonly excluded: (path: string) => boolean
  readonly always: (path: string) => boolean
}

/** Files and links that are sent, the folders that contain them, and empty folders that no rule leaves out. */
function choose(scan: Scan, judge: Judge, { git, excluded, always }: Choice): ReadonlySet<string> {
  const sent = new Set<string>()
  for (const [number, path] of scan.paths.entries()) {
    const isSent = gitFolderOf(path) === undefined ? !excluded(path) && (!judge.excluded.has(path) || always(path)) : git.sent.has(path)
    if (!isSent) continue
    if (scan.kind[number] === FOLDER && judge.excluded.has(path)) continue // comes along if something in it does
    sent.add(path)
    for (let at = parentPath(path); at !== '' && !sent.has(at); at = parentPath(at)) sent.add(at)
  }
  return sent
}

interface Judgement {
  readonly judge: Judge
  readonly sent: ReadonlySet<string>
  readonly unreadable: ReadonlySet<string>
  readonly git: GitPlan
  readonly excluded: (path: string) => boolean
  readonly stays: (path: string) => string | undefined
}

async function makeReport(options: WorkdirOptions, scan: Scan, judgement: Judgement): Promise<WorkdirReport> {
  const { sent, unreadable, git, judge, excluded, stays } = judgement
  const isSent = (path: string): boolean => sent.has(path)
  const up = weigh(scan, isSent, (path) => path.split('/', 1)[0] ?? path)
  const here = weigh(
    scan,
    // Those that stay here in any case are in a notice, those that cannot be read in a warning.
    (path) => !sent.has(path) && !unreadable.has(path) && isOwn(path, git) && stays(path) === undefined,
    (path) => topmostExcluded(path, sent),
  )
  const leftOut: LeftOut[] = []
  for (const weight of here.largest) leftOut.push({ ...weight, ...(await reason(options, weight.path, judgement)) })
  const pointers = lfsPointers(options.folder, scan, isSent)
  const warnings = [
    ...(pointers.length > 0 ? [lfsWarning(pointers)] : []),
    ...(unreadable.size > 0 ? [`not sent because this user cannot read them: ${nameSome([...unreadable])}`] : []),
  ]
  const special = scan.special.filter((path) => gitFolderOf(path) === undefined && !excluded(path))
  const dangling = danglingLinks(options.folder, scan, isSent)
  const own = scan.paths.filter((path) => stays(path) !== undefined && stays(parentPath(path)) === undefined)
  const notices = [
    ...git.notices,
    ...own.map((path) => `${showPath(path)} stays here: ${stays(path) ?? ''}`),
    ...(special.length > 0 ? [`not sent because they are sockets, pipes, devices or views of the kernel: ${nameSome(special)}`] : []),
    ...(dangling.length > 0 ? [`what these links lead to is not uploaded, and may not be on the machine: ${nameSome(dangling)}`] : []),
    ...(judge.name === '.gitignore' && scan.paths.includes('.git') ? ['Git could not be run: .gitignore was read instead'] : []),
  ]
  const { total, largest, more: moreSent } = up
  return { files: total.files, bytes: total.bytes, largest, moreSent, leftOut, moreLeftOut: here.more, notices, warnings }
}

/** Not a part of a Git folder that is sent: nobody needs to know which parts of it are left out. */
function isOwn(path: string, git: GitPlan): boolean {
  const at = gitFolderOf(path)
  return at === undefined || git.excluded.has(at)
}

function topmostExcluded(path: string, sent: ReadonlySet<string>): string {
  let top = path
  for (let at = parentPath(path); at !== '' && !sent.has(at); at = parentPath(at)) top = at
  return top
}

async function reason(
  { folder, env }: WorkdirOptions,
  path: string,
  { judge, git, excluded }: Judgement,
): Promise<{ rule: string; remedy: string }> {
  const barred = git.excluded.get(gitFolderOf(path) ?? '')
  if (barred !== undefined) return barred
  if (excluded(path)) return { rule: 'option exclude', remedy: 'take it out of exclude to send it' }
  if (judge.name !== 'Git')
    return {
      rule: judge.excluded.get(path) ?? judge.name,
      remedy: `remove that line${judge.name === OWN_RULES ? '' : ', or write a .tpiignore'} to send it`,
    }
  return { rule: await gitRule(folder, path, env), remedy: 'write a .tpiignore, which replaces .gitignore here, to send it' }
}

function lfsWarning(pointers: readonly string[]): string {
  const what = pointers.length === 1 ? 'is a Git LFS pointer' : 'are Git LFS pointers'
  return `${plural(pointers.length, 'file')} ${what} without the content, like ${showPath(pointers[0] ?? '')}: run "git lfs pull" first`
}

/** Whether a path is among `paths`, which are in the order of `comparePaths`. Fastest if asked in the same order, as a scan does. */
export function among(paths: readonly string[]): (path: string) => boolean {
  let next = 0
  return (path) => {
    if (paths[next] !== path) next = firstFrom(paths, path)
    if (paths[next] !== path) return false
    next += 1
    return true
  }
}

/** Index of the first path that does not come before `path`. */
function firstFrom(paths: readonly string[], path: string): number {
  let [from, to] = [0, paths.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (comparePaths(paths[middle] ?? '', path) < 0) from = middle + 1
    else to = middle
  }
  return from
}
