/**
 * Files that the programs of a run made or changed although no outputs were requested: they are lost with the machines, and the closing report says
 * so.
 */
import { hasSaved, isTerminal } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import { type Deployment, slotRecords } from '../deployment.ts'
import type { Results } from './merge.ts'
import { mergeTrees, treeOf } from './results.ts'

export interface Unreturned {
  /** How many. */
  readonly files: number
  /** Paths of the first few. */
  readonly names: readonly string[]
}

const NAMES = 3

/** As the last snapshots have them; those of slots that are still going on do not count. */
export async function unreturnedFiles(d: Deployment, spec: TaskSpec): Promise<Unreturned> {
  const slots = await slotRecords(d, spec.count)
  const trees = await Promise.all(
    slots
      .filter(({ state }) => isTerminal(state))
      .filter(hasSaved)
      .map(async (slot) => treeOf(d, slot)),
  )
  const { results } = await mergeTrees(d, spec, trees, { matches: () => true, layout: 'merge' })
  const environments = new Set(environmentsIn(results))
  let files = 0
  const names: string[] = []
  for (const { entry, path } of results) {
    if (entry.type === 'folder' || environments.has(path.split('/', 1)[0] ?? '')) continue
    files += 1
    if (names.length < NAMES) names.push(path)
  }
  return { files, names }
}

/** Top-level folders that are virtual environments of Python: they are nobody's work, and the next run makes them again. */
function* environmentsIn(results: Results): Generator<string> {
  for (const { path } of results) if (/^[^/]+\/pyvenv\.cfg$/.test(path)) yield path.slice(0, path.indexOf('/'))
}
