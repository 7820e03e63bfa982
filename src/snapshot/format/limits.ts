/** How large a snapshot may be: nothing larger is written, and a reader refuses one that claims to be larger before it costs memory. */

/** Uncompressed bytes of a piece, of its frame, and of that frame as stored. */
export const LARGEST_FRAME = 4 << 20
/** Bytes of one line of a manifest: a file of half a terabyte, or the names of 370 000 objects. */
export const LONGEST_LINE = 16 << 20
/** Files, folders and links of a snapshot, however it is stored. */
export const MOST_ENTRIES = 1_500_000
/** Bytes of a path and of the target of a link, as Linux has it. */
export const LONGEST_PATH = 4096
/** Bytes of memory that a stream may ask for to look back (a power of two): streams of tpi need half a megabyte. */
export const LOG_OF_WINDOW = 23

/** Uncompressed bytes of a manifest that has so many stored bytes. Names in a row compress to a hundredth. */
export function mostManifestBytes(stored: number): number {
  return (64 << 20) + 128 * stored
}

/**
 * Entries of a manifest that has so many stored bytes. A real tree needs more than one byte for each: times, names and hashes differ. A
 * forged one needs a third of a byte.
 */
export function mostEntries(stored: number): number {
  return Math.min(MOST_ENTRIES, 100_000 + 2 * stored)
}
