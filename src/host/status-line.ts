/** The line at the bottom of a terminal that says how a run stands: redrawn in place, while what the program prints scrolls above it. */
import { fitting } from '../lib/text.ts'

interface Screen {
  write(text: string): unknown
  readonly columns?: number
  readonly rows?: number
}

const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const SAVE = '\u001b7'
const RESTORE = '\u001b8'
const ERASE_LINE = '\u001b[2K'
const ERASE_BELOW = '\u001b[J'
/** One row down, in the same column: at the bottom all of the screen scrolls. */
const DOWN = '\u001bD'
const ALL_SCROLLS = '\u001b[r'
const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A` : '')
const scrollAbove = (row: number): string => `\u001b[1;${row - 1}r`
const toRow = (row: number): string => `\u001b[${row};1H`

/** Characters that scroll for longer than an eye takes: a line that went before them, and came again behind, would flicker. */
const FLOOD = 8192
/** Columns of the `^C` that a terminal puts where the cursor is: wrapped, it would leave the line behind. */
const CTRL_C = 2
/** Of a screen that is high enough for the line and something above it. */
const LEAST_ROWS = 3

export class StatusLine {
  readonly #screen: Screen
  readonly #paint: (text: string) => string
  #text = ''
  /** What stands there now, in columns: on the row of the cursor, or in that last row of the screen, below it. */
  #drawn = 0
  #lastRow: number | undefined

  constructor(screen: Screen, paint: (text: string) => string) {
    this.#screen = screen
    this.#paint = paint
  }

  /** What it says from the next `draw` on; nothing: there is none. */
  set(text: string): void {
    this.#text = text.replace(/\s/g, ' ')
  }

  /** It stands below the cursor, whose own line may be open. */
  get isBelow(): boolean {
    return this.#lastRow !== undefined
  }

  erase(): void {
    const { rows } = this.#screen
    if (this.#lastRow !== undefined) this.#screen.write(this.#lastRow === rows ? SAVE + toRow(rows) + ERASE_LINE + RESTORE : ERASE_BELOW)
    else if (this.#drawn > 0) {
      // A terminal that has become narrower shows it on several lines.
      const above = Math.ceil(this.#drawn / Math.max(1, this.#width)) - 1
      this.#screen.write(`\r${up(above)}${ERASE_BELOW}`)
    }
    this.#drawn = 0
    this.#lastRow = undefined
  }

  draw(): void {
    if (this.#text === '') return this.erase()
    if (this.#lastRow !== undefined && this.#lastRow !== this.#screen.rows) this.erase()
    const row = this.#lastRow
    this.#screen.write(row === undefined ? this.#line() : SAVE + toRow(row) + ERASE_LINE + this.#line() + RESTORE)
  }

  /** Prints what is this long, with the line in sight all the while where it is much: it takes the last row, above which the rest scrolls. */
  above(length: number, print: () => void): void {
    const { rows = 0 } = this.#screen
    this.erase()
    if (length < FLOOD || this.#text === '' || rows < LEAST_ROWS) return print()
    this.#screen.write(DOWN + up(1) + SAVE + scrollAbove(rows) + toRow(rows) + this.#line() + RESTORE)
    this.#lastRow = rows
    try {
      print()
    } finally {
      this.#screen.write(SAVE + ALL_SCROLLS + RESTORE)
    }
  }

  /** It never wraps, for widths of characters are not the same everywhere. Beside it a terminal finds room for what it shows of Ctrl-C. */
  #line(): string {
    const { text, width } = fitting(this.#text, this.#width - 1 - CTRL_C)
    this.#drawn = width
    return NO_WRAP + this.#paint(text) + WRAP
  }

  get #width(): number {
    return this.#screen.columns ?? 80
  }
}
