/** Describes what a snapshot of a folder would be, without a store. */
import { VERSION } from '../../wire/parse.ts'
import { ChangedFiles, type LookOptions } from '../folder/changed-files.ts'
import { KnownPieces } from '../format/known-pieces.ts'
import { Packer } from '../format/pack.ts'
import { Pieces } from '../format/pieces.ts'
import type { Manifest } from '../types.ts'

/** Reads and hashes everything that is selected; the pieces of the result are not stored. Throws SnapshotError. */
export async function describeTree(options: LookOptions, signal?: AbortSignal): Promise<Manifest> {
  const packer = new Packer(undefined, new KnownPieces(new Pieces()), () => 'nowhere', {}, signal)
  try {
    const look = await new ChangedFiles(options, signal === undefined ? {} : { signal }, packer, () => undefined).look(undefined)
    return { v: VERSION, entries: look.tree.entries.whole(), quiet: look.unquiet.length === 0, unquiet: look.unquiet }
  } finally {
    await packer.drop()
  }
}
