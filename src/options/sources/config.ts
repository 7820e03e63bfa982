/** `tpi.yaml`: options by their names, at the top level. */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type * as Yaml from 'yaml'
import type { Node, Pair, YAMLMap } from 'yaml'
import type { Fault } from '../../core/errors.ts'
import { namesFiles } from '../../core/option.ts'
import { didYouMean } from '../../lib/nearest.ts'
import { quoted } from '../../lib/text.ts'
import { spelled, type Table, takes } from '../rows/table.ts'
import type { Raw } from '../values/read-value.ts'
import { splitList } from '../values/split.ts'
import { type Assignment, type Assignments, fault, readingTrouble, type Surroundings } from './assignment.ts'

export const CONFIG_NAME = 'tpi.yaml'

export interface FoundConfig {
  readonly file?: string
  /** Reported with other faults, if there are any: what is missing may be in a file that was ignored. */
  readonly ignored: readonly Fault[]
}

/**
 * The file that `--config` names, or the nearest one, from the current folder up to the root of the repository or the home folder. One above the
 * current folder may be a stranger's: everybody can write to places such as `/scratch`, and put a `.git` there, too, so a repository proves nothing.
 */
export async function findConfig(named: string | undefined, surroundings: Surroundings): Promise<FoundConfig> {
  const { cwd, env } = surroundings
  if (named !== undefined) return { file: resolve(cwd, named), ignored: [] }
  const ignored: Fault[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME)
    if (await exists(file, surroundings)) {
      if (folder === cwd || !(await isOfStranger(file, surroundings))) return { file, ignored }
      ignored.push(notTrusted(file, surroundings))
    }
    if (folder === dirname(folder) || folder === env['HOME'] || (await exists(join(folder, '.git'), surroundings))) return { ignored }
  }
}

/**
 * The rule of Git (https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory), except that the owner of the current folder is
 * trusted, too: in containers of CI, root works in a checkout of another user.
 */
async function isOfStranger(file: string, surroundings: Surroundings): Promise<boolean> {
  const { user, env, cwd } = surroundings
  if (user === undefined) return false
  const caller = user === 0 && /^\d+$/.test(env['SUDO_UID'] ?? '') ? [Number(env['SUDO_UID'])] : []
  const trusted = new Set([0, user, ...caller, ...(await surroundings.ownersOf(cwd).catch(() => []))])
  const owners = await surroundings.ownersOf(file).catch(() => undefined)
  return owners === undefined || owners.some((owner) => !trusted.has(owner))
}

function notTrusted(file: string, surroundings: Surroundings): Fault {
  const shown = shownPath(file, surroundings)
  const why = 'it belongs neither to you nor to root, nor to whoever the current folder belongs to'
  return fault('', `configuration file ${quoted(shown)} is ignored: ${why}`, `if you trust it, give \`config: ${shown}\``)
}

async function exists(path: string, surroundings: Surroundings): Promise<boolean> {
  try {
    await surroundings.readFile(path)
    return true
  } catch (error) {
    // A folder (`.git`) exists, and so does a file that cannot be read: that is reported when it is read.
    return !readingTrouble(error).startsWith('does not exist')
  }
}

/** As messages name it. */
export function shownPath(file: string, { cwd }: Surroundings): string {
  return relative(cwd, file) || file
}

/**
 * Reads the file. Unknown names are apart from other faults, because for a verb that only acts on what exists they are just warnings. `unread`: the
 * file could not be understood, so it may have set any option.
 */
export async function readConfig(
  table: Table,
  file: string,
  surroundings: Surroundings,
): Promise<Assignments & { readonly unknown: readonly Fault[]; readonly unread?: true }> {
  const shown = shownPath(file, surroundings)
  let text: string
  try {
    text = await surroundings.readFile(file)
  } catch (error) {
    return {
      assignments: [],
      faults: [fault('', `configuration file ${quoted(shown)} ${readingTrouble(error)}`)],
      unknown: [],
      unread: true,
    }
  }
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const line = (at: number | undefined) => lines.linePos(at ?? 0).line
  const broken = document.errors.map((error) => fault(`${shown}:${line(error.pos[0])}`, `is not YAML: ${error.message}`))
  if (broken.length > 0) return { assignments: [], faults: broken, unknown: [], unread: true }
  if (document.contents === null) return { assignments: [], faults: [], unknown: [] }
  if (!yaml.isMap(document.contents))
    return { assignments: [], faults: [fault(shown, 'is not a map of options', 'write "option: value" lines')], unknown: [], unread: true }
  const reader = new ConfigReader(table, yaml, (key, node) => `${shown}:${line(node?.range?.[0])} ${key}`)
  reader.map(document.contents, '')
  return {
    assignments: reader.assignments.map((assignment) => fromHere(table, assignment, dirname(file), surroundings.cwd)),
    faults: reader.faults,
    unknown: reader.unknown,
  }
}

class ConfigReader {
  readonly assignments: Assignment[] = []
  readonly faults: Fault[] = []
  readonly unknown: Fault[] = []
  readonly #table: Table
  readonly #yaml: typeof Yaml
  readonly #as: (key: string, node: Node | undefined) => string

  constructor(table: Table, yaml: typeof Yaml, as: (key: string, node: Node | undefined) => string) {
    this.#table = table
    this.#yaml = yaml
    this.#as = as
  }

  map(map: YAMLMap, prefix: string): void {
    for (const pair of map.items) this.#pair(pair, prefix)
  }

  #pair({ key, value }: Pair, prefix: string): void {
    const name = prefix + this.#text(key)
    const plain = spelled(name)
    const as = this.#as(name, this.#yaml.isNode(key) ? key : undefined)
    const option = this.#table.names.get(plain)
    const row = option === undefined ? undefined : this.#table.rows[option]
    // TPI's nested form, `storage: {workdir: …}`.
    const nested = this.#yaml.isMap(value) && row?.kind !== 'map' && row?.kind !== 'env' && row?.kind !== 'secret-list'
    if (nested && [...this.#table.names.keys()].some((known) => known.startsWith(`${plain}.`))) this.map(value, `${name}.`)
    else if (option === undefined || !row) this.#unknownName(as, plain)
    else if (!takes(row, 'file')) this.faults.push(fault(as, 'cannot be set in a file'))
    else this.#assign(option, as, plain, value)
  }

  #unknownName(as: string, name: string): void {
    const known = [...this.#table.names]
      .filter(([, option]) => this.#table.rows[option] && takes(this.#table.rows[option], 'file'))
      .map(([spelling]) => spelling)
    this.unknown.push(fault(as, 'there is no such option', didYouMean(name, known, 'see "tpi options"')))
  }

  #assign(option: string, as: string, plain: string, value: unknown): void {
    const raw = this.#raw(value, plain)
    if (raw === undefined) return
    if (typeof raw === 'string') this.faults.push(fault(as, raw))
    else this.assignments.push({ option, source: 'file', as, spelled: plain, raw })
  }

  /** `undefined`: nothing was written. A string: what is wrong. */
  #raw(value: unknown, plain: string): Raw | string | undefined {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml
    if (isAlias(value)) return 'aliases are not supported here'
    if (isSeq(value)) {
      return value.items.every((item) => isScalar(item))
        ? { items: value.items.map((item) => this.#text(item)) }
        : 'takes a list of plain values'
    }
    if (isMap(value)) return this.#pairs(value, plain)
    const text = this.#text(value)
    return text === '' ? undefined : { text }
  }

  #pairs(map: YAMLMap, plain: string): Raw | string {
    const pairs: (readonly [string, string | null])[] = []
    for (const { key, value } of map.items) {
      if (value !== null && !this.#yaml.isScalar(value)) return `the value of ${quoted(this.#text(key))} must be a plain value`
      const empty = this.#yaml.isScalar(value) && value.value === null
      const text = this.#text(value)
      // In TPI's `environment` an empty value asks for the caller's own.
      pairs.push([this.#text(key), value === null || empty || (plain === 'environment' && text === '') ? null : text])
    }
    return { pairs }
  }

  /** The text as written for plain scalars (`1e3`, `007`, `yes`), the meant text for quoted ones. */
  #text(node: unknown): string {
    if (typeof node === 'string') return node
    if (!this.#yaml.isScalar(node) || node.value === null) return ''
    return typeof node.value === 'string' ? node.value : (node.source ?? '')
  }
}

/** Paths in a file are relative to the folder of that file. */
function fromHere(table: Table, assignment: Assignment, folder: string, cwd: string): Assignment {
  const { kind, words = [] } = table.rows[assignment.option] ?? {}
  if (folder === cwd || !namesFiles(kind)) return assignment
  const here = (path: string) => (isAbsolute(path) || words.includes(path) ? path : relative(cwd, resolve(folder, path)) || '.')
  if ('items' in assignment.raw) return { ...assignment, raw: { items: assignment.raw.items.map(here) } }
  if (!('text' in assignment.raw)) return assignment
  const { text } = assignment.raw
  return { ...assignment, raw: kind === 'paths' ? { items: splitList(text).map(here) } : { text: here(text) } }
}
