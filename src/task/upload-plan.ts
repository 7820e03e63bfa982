/** What the first upload takes of a work directory. Rules shape only this upload, never checkpoints or outputs. */
import type { Manifest } from '../snapshot/types.ts'

export interface UploadPlan {
  readonly folder: string
  readonly size: { readonly files: number; readonly bytes: number }
  readonly select: (path: string, isFolder: boolean) => boolean
  /** What `select` selects, in order. */
  readonly paths: readonly string[]
  readonly overlay: ReadonlyMap<string, Uint8Array>
  /** Identity of content, modes and links, without times: what attach compares. Of a manifest, or of the folder as it is now. */
  readonly identity: (manifest?: Manifest) => Promise<string>
  /** The folder as it is now. */
  readonly describe: () => Promise<Manifest>
}
