/** What the first upload takes from a work directory. The rules apply only to this upload, never to checkpoints or outputs. */
import type { Manifest } from '../snapshot/types.ts'

export interface UploadPlan {
  readonly folder: string
  readonly size: { readonly files: number; readonly bytes: number }
  readonly select: (path: string, isFolder: boolean) => boolean
  /** What `select` selects, in order. */
  readonly paths: readonly string[]
  readonly overlay: ReadonlyMap<string, Uint8Array>
  /** Identity of content, modes and links, without times, which attach compares: of a manifest, or of the folder as it is now. */
  readonly identity: (manifest?: Manifest) => Promise<string>
  /** The folder as it is now. */
  readonly describe: () => Promise<Manifest>
}
