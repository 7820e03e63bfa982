/** Which paths are left out of an upload, and by which rule: according to Git, or to files of rules. */
import { existsSync, readFileSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import type { Env } from '../../lib/env.ts'
import { gitFolderOf } from '../../lib/git-name.ts'
import { localError } from '../../snapshot/errors.ts'
import { FOLDER, type Scan } from '../../snapshot/folder/scan.ts'
import { decodeName, nativePath, parentPath, showPath } from '../../snapshot/path.ts'
import { git, names } from './git.ts'

export interface Judge {
  /** For people: `.tpiignore`, `Git`, … */
  readonly name: string
  /** Paths (files, links, and folders in which nothing is wanted) that are left out, with the rule if it is known. */
  readonly excluded: ReadonlyMap<string, string>
}

/** Applies the files called `name` in all folders, each to what is below it. `extra`: more rules for the top folder. */
export function readRules(folder: string, scan: Scan, name: string, extra = ''): Judge {
  const excluded = new Map<string, string>()
  const rules = new Map<string, Ignore>()
  const isRules = (path: string, number: number): boolean => (path === name || path.endsWith(`/${name}`)) && scan.kind[number] !== FOLDER
  const present = new Set(scan.paths.filter(isRules))
  const read = (at: string): void => {
    const file = at === '' ? name : `${at}/${name}`
    const text = (at === '' ? `${extra}\n` : '') + (present.has(file) ? readText(`${folder}/${file}`) : '')
    if (text.trim() !== '') rules.set(at, ignore({ ignorecase: false }).add(text))
  }
  read('')
  for (const [number, path] of scan.paths.entries()) {
    const isFolder = scan.kind[number] === FOLDER
    const rule = excluded.get(parentPath(path)) ?? ruleFor(rules, path, isFolder, name)
    if (rule !== undefined) excluded.set(path, rule)
    else if (isFolder) read(path)
  }
  return { name, excluded }
}

/** Throws if rules cannot be read: otherwise, what they leave out would be uploaded. */
function readText(path: string): string {
  try {
    return readFileSync(nativePath(path), 'utf8')
  } catch (error) {
    throw localError(`read ${showPath(path)}`, error)
  }
}

/** The rule that leaves out a path. The deepest file that has a rule for it decides. */
function ruleFor(rules: ReadonlyMap<string, Ignore>, path: string, isFolder: boolean, name: string): string | undefined {
  for (let at = path; at !== ''; ) {
    at = parentPath(at)
    const local = at === '' ? path : path.slice(at.length + 1)
    const match = rules.get(at)?.test(isFolder ? `${local}/` : local)
    if (match?.unignored === true) return undefined
    if (match?.ignored === true) return `${at === '' ? name : `${at}/${name}`}: ${match.rule?.pattern ?? ''}`
  }
  return undefined
}

/** What Git leaves out. `undefined`: there is no Git or no repository, or a repository around the folder ignores all of it. */
export async function askGit(folder: string, scan: Scan, env: Env): Promise<Judge | undefined> {
  const inside = await git(folder, ['rev-parse', '--is-inside-work-tree'], env)
  if (inside?.code !== 0 || inside.out.toString().trim() !== 'true') return undefined
  if ((await git(folder, ['check-ignore', '-q', '.'], env))?.code === 0) return undefined
  const paths = await listed(folder, env)
  if (paths === undefined) return undefined
  const fold = await foldingOf(folder, env)
  const wanted = new Set([...paths].map(fold))
  const excluded = new Map<string, string>()
  const full = new Set<string>()
  for (const path of wanted) for (let at = parentPath(path); at !== '' && !full.has(at); at = parentPath(at)) full.add(at)
  const idle: string[] = []
  for (const [number, path] of scan.paths.entries()) {
    if (gitFolderOf(path) !== undefined) continue
    if (scan.kind[number] !== FOLDER) {
      if (!wanted.has(fold(path))) excluded.set(path, '')
    } else if (!full.has(fold(path))) idle.push(path)
  }
  for (const path of await ignoredOf(folder, idle, env)) excluded.set(path, '')
  return { name: 'Git', excluded }
}

/**
 * What makes two spellings of a name equal where Git says that the disk takes them for the same: then it may know a file by another one than the disk
 * has. https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreignoreCase, and core.precomposeUnicode
 */
async function foldingOf(folder: string, env: Env): Promise<(path: string) => string> {
  const isSet = async (name: string): Promise<boolean> =>
    (await git(folder, ['config', '--bool', name], env))?.out.toString().trim() === 'true'
  const [anyCase, composed] = await Promise.all([isSet('core.ignorecase'), isSet('core.precomposeunicode')])
  return (path) => {
    const whole = composed ? path.normalize('NFC') : path
    return anyCase ? whole.toLowerCase() : whole
  }
}

/** Files that are tracked or that no rule ignores, in repositories inside this one, too. */
async function listed(folder: string, env: Env, prefix = ''): Promise<Set<string> | undefined> {
  const at = prefix === '' ? folder : `${folder}/${prefix}`
  const answer = await git(at, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], env)
  if (answer?.code !== 0) return undefined
  const staged = await git(at, ['ls-files', '-z', '--stage'], env)
  const modules = names(staged?.out ?? Buffer.alloc(0)).flatMap((line) =>
    line.toString('latin1').startsWith('160000 ') ? [decodeName(line).split('\t')[1] ?? ''] : [],
  )
  const paths = new Set<string>()
  const inner = new Set(modules)
  for (const name of names(answer.out)) {
    const path = decodeName(name)
    if (path.endsWith('/')) inner.add(path.slice(0, -1))
    else paths.add(prefix + path)
  }
  for (const path of inner) {
    // A submodule that was not checked out is an empty folder: Git would speak of the repository around it.
    if (!existsSync(nativePath(`${at}/${path}/.git`))) continue
    for (const found of (await listed(folder, env, `${prefix}${path}/`)) ?? []) paths.add(found)
  }
  return paths
}

async function ignoredOf(folder: string, paths: readonly string[], env: Env): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const input = Buffer.concat(paths.flatMap((path) => [Buffer.from(nativePath(path)), Buffer.from('/\0')]))
  const answer = await git(folder, ['check-ignore', '-z', '--stdin'], env, input)
  return names(answer?.out ?? Buffer.alloc(0)).map((name) => decodeName(name).replace(/\/$/, ''))
}

/** The rule that Git follows for a path, as `<file>: <pattern>`. */
export async function gitRule(folder: string, path: string, env: Env): Promise<string> {
  const answer = await git(
    folder,
    ['check-ignore', '-v', '-z', '--no-index', '--stdin'],
    env,
    Buffer.concat([Buffer.from(nativePath(path)), Buffer.of(0)]),
  )
  const [source, , pattern] = names(answer?.out ?? Buffer.alloc(0)).map((field) => field.toString('utf8'))
  return source === undefined || source === '' ? 'not known to Git' : `${source}: ${pattern}`
}
