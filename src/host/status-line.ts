/** The line at the bottom of a terminal that says how a run stands: redrawn in place, while what the program prints scrolls above it. */
import { fitting } from '../lib/text.ts'

interface Screen {
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

/** Returns what to send to the screen: with a text in one write, so that the line is never seen missing. */
export class StatusLine {
  readonly #screen: Screen
  readonly #paint: (text: string) => string
  #text = ''
  /** What is shown now, and in how many columns: on the row of the cursor, or in the last row of the screen, below it. */
  #shown: { readonly text: string; readonly width: number } | undefined
  #lastRow: number | undefined

  constructor(screen: Screen, paint: (text: string) => string) {
    this.#screen = screen
    this.#paint = paint
  }

  /** The text from now on; empty: no line. */
  set(text: string): void {
    this.#text = text.replace(/\s/g, ' ')
  }

  erased(): string {
    const back = this.#back()
    const below = this.#lastRow !== undefined
    const { rows = 0 } = this.#screen
    const inRow = this.#lastRow === rows
    const gone = this.#shown !== undefined
    this.#shown = undefined
    this.#lastRow = undefined
    if (!gone) return ''
    return inRow ? SAVE + toRow(rows) + ERASE_LINE + RESTORE : (below ? '' : back) + ERASE_BELOW
  }

  /** Its state from now on. `open`: the program continues in the row of the cursor; the status line is then the last row. */
  drawn(open: boolean): string {
    const { rows = 0 } = this.#screen
    const isBelow = this.#lastRow !== undefined
    if (this.#text === '' || (open && !isBelow && rows < LEAST_ROWS)) return this.erased()
    const next = fitting(this.#text, this.#columns - 1 - CTRL_C)
    if (isBelow && this.#lastRow !== rows) return this.erased() + this.drawn(open)
    if (this.#shown?.text === next.text && (isBelow || !open)) return ''
    if (isBelow) return SAVE + toRow(rows) + ERASE_LINE + this.#line(next) + RESTORE
    if (!open) return this.#back() + this.#line(next, ERASE_BELOW)
    return this.erased() + this.#inLastRow(rows, '')
  }

  /** A text above it. If that is long, the status line stays visible: it takes the last row, and the rest scrolls above. */
  above(text: string, open: boolean): string {
    const { rows = 0 } = this.#screen
    const erased = this.erased()
    if (text.length < FLOOD || this.#text === '' || rows < LEAST_ROWS) return erased + text + this.drawn(open)
    return erased + this.#inLastRow(rows, scrollAbove(rows)) + text + SAVE + ALL_SCROLLS + RESTORE
  }

  #inLastRow(rows: number, region: string): string {
    this.#lastRow = rows
    return DOWN + up(1) + SAVE + region + toRow(rows) + this.#line(fitting(this.#text, this.#columns - 1 - CTRL_C)) + RESTORE
  }

  /** To its first column. A terminal that has become narrower shows it on several lines. */
  #back(): string {
    return this.#shown === undefined ? '' : `\r${up(Math.ceil(this.#shown.width / Math.max(1, this.#columns)) - 1)}`
  }

  /** It never wraps, because widths of characters are not the same everywhere. It leaves room for the `^C` that a terminal shows. */
  #line(fits: { readonly text: string; readonly width: number }, rest = ''): string {
    this.#shown = fits
    return NO_WRAP + this.#paint(fits.text) + rest + WRAP
  }

  get #columns(): number {
    // 0: nobody has told the terminal its size (`docker run -t` in a script).
    return this.#screen.columns || 80
  }
}
