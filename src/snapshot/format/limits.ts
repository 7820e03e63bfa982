/** How large a snapshot may be. Nothing larger is written, and a reader refuses a manifest that claims more before that costs memory. */

/** Uncompressed bytes of a piece, of its frame, and of that frame as stored. */
export const LARGEST_FRAME = 4 << 20
/** Bytes of one line of a manifest: enough for a file of half a terabyte, or for the names of 370 000 objects. */
export const LONGEST_LINE = 16 << 20
/** Files, folders and links of a snapshot, however it is stored. */
export const MOST_ENTRIES = 1_500_000
/** Bytes of a path and of the target of a link, as Linux has it. */
export const LONGEST_PATH = 4096
/** Base-2 logarithm of the bytes that a zstd stream may have us keep, to refer back to: 8 MiB. Streams of tpi need half a megabyte. */
export const LOG_OF_WINDOW = 23

/** Uncompressed bytes of a manifest, from its stored bytes. Similar names in a row compress to a hundredth. */
export function mostManifestBytes(stored: number): number {
  return (64 << 20) + 128 * stored
}

/**
 * Entries of a manifest, from its stored bytes. Real entries need more than a byte each, because times, names and hashes differ; forged ones can do
 * with a third of a byte.
 */
export function mostEntries(stored: number): number {
  return Math.min(MOST_ENTRIES, 100_000 + 2 * stored)
}
