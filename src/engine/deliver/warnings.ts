/** Warnings about a delivery: what was put under another name, what was not delivered, not found, or not asked for. */
import { posix } from 'node:path'
import { plural, quoted } from '../../lib/text.ts'
import { nameSome, parentPath, showPath } from '../../snapshot/path.ts'
import type { SlotTree } from './merge.ts'
import type { Installed, PlacedFile } from './place.ts'
import { entryAt } from './results.ts'
import type { Unreturned } from './unreturned-files.ts'

interface Delivered {
  readonly placed: Installed
  readonly conflicts: readonly string[]
  /** How many files below `.git` were left out. */
  readonly git: number
  /** The folder is the work directory, and it is known here what was uploaded from it. */
  readonly changed: boolean
  readonly trees: readonly SlotTree[]
}

/** One line for each warning. */
export function* deliveryWarnings({ placed, conflicts, git, changed, trees }: Delivered): Generator<string> {
  const why = changed ? 'changed here since the upload' : 'is already here and is not from this run'
  for (const [path, beside] of placed.folders)
    yield `${path} is already here and is not a folder: the folder of that name was put beside it as ${beside}`
  for (const [path, beside] of placed.beside)
    if (!beside.along) yield `${path} ${why}: the run's version was put beside it as ${beside.path}`
  for (const path of conflicts) yield `${path}: slots made different versions; each is under its slot number`
  if (git > 0)
    yield `${plural(git, 'file')} below .git ${git === 1 ? 'is' : 'are'} not delivered: nothing of a run is put where git looks for programs and settings; bring commits back as a file (git bundle)`
  const out = [...placed.refused].filter((path) => !placed.yours.has(path))
  for (const [paths, where] of [
    [out, 'out of the output folder'],
    [[...placed.yours], 'to files here that are neither results nor were uploaded'],
  ] as const)
    if (paths.length > 0)
      yield `not delivered, because ${paths.length === 1 ? 'it is a link that leads' : 'they are links that lead'} ${where}: ${nameSome(paths)}`
  const missing = new Map(placed.dangling.flatMap((item) => missed(item, trees)))
  for (const [path, target] of [...missing].slice(0, MOST))
    yield `${showPath(path)} is a link to ${showPath(target)}, which no "output" matches: add ${showPath(target)} to bring it back`
  if (missing.size > MOST) yield `${missing.size - MOST} more links lead to files that no "output" matches`
}

/** Missing targets that are named. */
const MOST = 5

/** Of a link that leads nowhere here: its target, if the machine had that. */
function missed({ path, entry }: PlacedFile, trees: readonly SlotTree[]): [path: string, target: string][] {
  if (entry.type !== 'link') return []
  const target = posix.join(parentPath(entry.path), entry.target).replace(/\/+$/, '')
  return trees.some(({ manifest }) => entryAt(manifest.entries, target) !== undefined) ? [[path, target]] : []
}

export function unmatchedWarnings(patterns: readonly string[] = []): readonly string[] {
  return patterns.map((pattern) => `output: no file matches "${pattern}"`)
}

/**
 * Such files are not kept, unlike those of a run with a mistyped glob: most runs without outputs only print, or send their results elsewhere, and
 * each would keep a store for its `retention` (in a cluster: a pod and a disk). So this is said before the start, and with names at the end.
 */
export function* unreturnedWarnings({ files, names }: Unreturned = { files: 0, names: [] }): Generator<string> {
  if (files === 0) return
  const which = `${names.map(quoted).join(', ')}${files > names.length ? ', …' : ''}`
  yield `output: none was asked for, so ${plural(files, 'file')} that the script made or changed ${files === 1 ? 'is' : 'are'} lost with its machine: ${which}`
}
