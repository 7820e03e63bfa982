/** The end of what each slot's program has printed, for a report; all of it is in the log. */
import { Redraw } from '../lib/redraw.ts'

/** Characters that are shown of one slot. */
const MOST_CHARACTERS = 24_000
/** Lines that are shown of one slot. */
const MOST_LINES = 150

export interface Tail {
  readonly text: string
  /** Bytes that the program has printed in all. */
  readonly bytes: number
  /** It has printed something before this text. */
  readonly cut: boolean
}

/** Bytes of a slot that are kept for that: more than are shown, because redrawn lines and colours are taken out. */
const KEPT = 3 * MOST_CHARACTERS

interface Kept {
  chunks: Uint8Array[]
  size: number
  /** Bytes printed in all. */
  all: number
}

export class Tails {
  readonly #slots = new Map<number, Kept>()

  /** Adds what was printed. Cheap, because a program may print gigabytes. */
  push(slot: number, bytes: Uint8Array): void {
    const kept = this.#slots.get(slot) ?? { chunks: [], size: 0, all: 0 }
    this.#slots.set(slot, kept)
    kept.chunks.push(bytes)
    kept.size += bytes.length
    kept.all += bytes.length
    if (kept.size < 2 * KEPT) return
    const rest = Buffer.concat(kept.chunks).subarray(-KEPT)
    kept.chunks = [Buffer.from(rest)]
    kept.size = rest.length
  }

  /** The end of each slot's output, by slot. */
  end(): Map<number, Tail> {
    return new Map([...this.#slots].sort(([a], [b]) => a - b).map(([slot, kept]) => [slot, tailOf(kept)]))
  }
}

function tailOf(kept: Kept): Tail {
  // With this clock no redrawing is ever due, so only the last state of a redrawn line is left.
  const redraw = new Redraw({ redraws: false, now: () => Number.NEGATIVE_INFINITY })
  const shown = redraw.push(Buffer.concat(kept.chunks)) + redraw.end()
  const whole = kept.all === kept.size ? shown : fromLine(shown)
  const short = whole.length <= MOST_CHARACTERS ? whole : fromLine(whole.slice(-MOST_CHARACTERS))
  // The text ends with a line feed.
  const lines = short.split('\n')
  const text = lines.length - 1 <= MOST_LINES ? short : lines.slice(-MOST_LINES - 1).join('\n')
  return { text, bytes: kept.all, cut: kept.all !== kept.size || text.length < shown.length }
}

/** The text without its first line, which may be torn; all of it if there is no other line. */
function fromLine(text: string): string {
  const end = text.indexOf('\n')
  return end >= 0 && end < text.length - 1 ? text.slice(end + 1) : text
}
