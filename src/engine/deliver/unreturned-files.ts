/** What the programs of a run made or changed although no outputs were requested: it is lost with the machines, and the closing report says so. */
import { globs } from '../../lib/glob.ts'
import { eachEntry } from '../../snapshot/format/manifest.ts'
import { BASE } from '../../wire/layout.ts'
import { hasSaved, isTerminal } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import { type Deployment, slotRecords } from '../deployment.ts'
import { Merger, type Results } from './merge.ts'
import { treeOf } from './results.ts'

export interface Unreturned {
  readonly files: number
  /** Of the first few. */
  readonly names: readonly string[]
}

const NAMES = 3

/** According to the last snapshots; nothing while the run is going on. */
export async function unreturnedFiles(d: Deployment, spec: TaskSpec): Promise<Unreturned> {
  const slots = await slotRecords(d, spec.count)
  const trees = await Promise.all(
    slots
      .filter(({ state }) => isTerminal(state))
      .filter(hasSaved)
      .map(async (slot) => treeOf(d, slot)),
  )
  const merger = new Merger(trees, { matches: globs(['**']), layout: 'merge' })
  if (spec.base !== undefined && trees.length > 0)
    await eachEntry(d.store, d.keys.root, { digest: spec.base, at: BASE }, (entry) => merger.uploaded(entry))
  const { results } = merger.end()
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

/** Top-level folders that Python's own tools made: nobody's work, and made again by the next run. */
function* environmentsIn(results: Results): Generator<string> {
  for (const { path } of results) if (/^[^/]+\/pyvenv\.cfg$/.test(path)) yield path.slice(0, path.indexOf('/'))
}
