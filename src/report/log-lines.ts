/** Logs as lines: the last ones of each slot, or each line with its slot, attempt and time. */
import type { Host } from '../core/host.ts'
import type { LogPiece } from '../engine/log-reader.ts'

const LINE_FEED = 10

/** Keeps the last lines of every slot. A line that has no end yet counts, too. */
export class LastLines {
  readonly #most: number
  /** Slot → its last pieces, and how many line ends are in them. */
  readonly #slots = new Map<number, { pieces: LogPiece[]; ends: number }>()

  constructor(most: number) {
    this.#most = most
  }

  push(piece: LogPiece): void {
    const kept = this.#slots.get(piece.slot) ?? { pieces: [], ends: 0 }
    this.#slots.set(piece.slot, kept)
    kept.pieces.push(piece)
    kept.ends += ends(piece.bytes)
    // The first piece is dropped if more line ends are left without it than lines are wanted: then a whole line begins before these.
    for (let first = kept.pieces[0]; first; first = kept.pieces[0]) {
      const rest = kept.ends - ends(first.bytes)
      if (rest <= this.#most) break
      kept.pieces.shift()
      kept.ends = rest
    }
  }

  /** The last lines, slot by slot. They are not kept any longer. */
  take(): LogPiece[] {
    const slots = [...this.#slots].sort(([a], [b]) => a - b)
    this.#slots.clear()
    return slots.flatMap(([, { pieces, ends: all }]) => {
      const open = pieces.at(-1)?.bytes.at(-1) !== LINE_FEED
      return withoutLines(pieces, all + (open ? 1 : 0) - this.#most)
    })
  }
}

function ends(bytes: Uint8Array): number {
  let found = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) found += 1
  return found
}

/** The pieces without so many lines at their beginning. */
function withoutLines(pieces: readonly LogPiece[], lines: number): LogPiece[] {
  let surplus = lines
  return pieces.flatMap((piece) => {
    let from = 0
    for (; surplus > 0; surplus -= 1) {
      const end = piece.bytes.indexOf(LINE_FEED, from)
      if (end < 0) return []
      from = end + 1
    }
    return from < piece.bytes.length ? [{ ...piece, bytes: piece.bytes.subarray(from) }] : []
  })
}

/** A line of a log, as `--json` prints it. */
export interface LogLine {
  readonly slot: number
  readonly attempt: number
  readonly stream: LogPiece['stream']
  /** ISO: when its first bytes came. */
  readonly at: string
  readonly text: string
}

/** Makes whole lines of pieces, which may begin and end anywhere. */
export class Lines {
  /** Slot and stream → the beginning of a line that has no end yet. */
  readonly #open = new Map<string, { readonly piece: LogPiece; readonly chunks: Uint8Array[] }>()

  push(piece: LogPiece): LogLine[] {
    const key = `${piece.slot} ${piece.stream}`
    const lines: LogLine[] = []
    // A new attempt does not continue the unfinished line of the one before it.
    const begun = this.#open.get(key)
    if (begun && begun.piece.epoch !== piece.epoch) lines.push(...this.#close(key))
    for (let from = 0; from < piece.bytes.length; ) {
      const end = piece.bytes.indexOf(LINE_FEED, from)
      const open = this.#open.get(key) ?? { piece, chunks: [] }
      this.#open.set(key, open)
      open.chunks.push(Buffer.from(piece.bytes.subarray(from, end < 0 ? undefined : end)))
      if (end < 0) break
      lines.push(...this.#close(key))
      from = end + 1
    }
    return lines
  }

  /** The lines that have no end. */
  end(): LogLine[] {
    return [...this.#open.keys()].flatMap((key) => this.#close(key))
  }

  #close(key: string): LogLine[] {
    const open = this.#open.get(key)
    this.#open.delete(key)
    if (!open) return []
    const { slot, epoch, stream, at } = open.piece
    return [{ slot, attempt: epoch, stream, at, text: Buffer.concat(open.chunks).toString('utf8').replace(/\r$/, '') }]
  }
}

/** Prints what the agent of a machine says, line by line: warnings for everybody, everything else for users who want to know every detail. */
export function tellOfAgent(host: Pick<Host, 'warn' | 'debug'>, { stream, bytes }: LogPiece, label: string, verbose: boolean): void {
  for (const line of Buffer.from(bytes).toString('utf8').trimEnd().split('\n')) {
    if (stream === 'warning') host.warn(label + line)
    else if (verbose) host.debug(`${label}machine: ${line}`)
  }
}
