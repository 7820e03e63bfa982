/**
 * The line at the bottom of a terminal that shows the state of a run. It is redrawn in place, and the program's output scrolls above it.
 */
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
/** One row down, in the same column. In the last row, the whole screen scrolls. */
const DOWN = '\u001bD'
const ALL_SCROLLS = '\u001b[r'
const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A` : '')
const scrollAbove = (row: number): string => `\u001b[1;${row - 1}r`
const toRow = (row: number): string => `\u001b[${row};1H`

/** Characters. A longer text scrolls for so long that the line would flicker if it were erased before and drawn again after it. */
const FLOOD = 8192
/** Columns for the `^C` that a terminal prints at the cursor. If that wrapped into the next row, the line could not be erased. */
const CTRL_C = 2
/** Rows that a screen must have for the line and something above it. */
const LEAST_ROWS = 3

/** Its methods return what to write to the screen: in one write together with a text, so that the line is never seen to be missing. */
export class StatusLine {
  readonly #screen: Screen
  readonly #paint: (text: string) => string
  #text = ''
  /** What is shown now, and in how many columns. */
  #shown: { readonly text: string; readonly width: number } | undefined
  /** The number of the last row, if the line is shown there; `undefined`: it is in the row of the cursor. */
  #lastRow: number | undefined

  constructor(screen: Screen, paint: (text: string) => string) {
    this.#screen = screen
    this.#paint = paint
  }

  /** The text from now on; empty: no line. */
  set(text: string): void {
    this.#text = text.replace(/\s/g, ' ')
  }

  /** Removes the line from the screen. */
  erased(): string {
    if (this.#shown === undefined) return ''
    const back = this.#back()
    const lastRow = this.#lastRow
    this.#shown = undefined
    this.#lastRow = undefined
    if (lastRow === undefined) return back + ERASE_BELOW
    // If the screen has another height by now, the line is somewhere below the cursor.
    return lastRow === this.#screen.rows ? SAVE + toRow(lastRow) + ERASE_LINE + RESTORE : ERASE_BELOW
  }

  /** Draws the line as it is now. `open`: the program's line in the row of the cursor has not ended, so this one goes into the last row. */
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

  /** Prints a text above the line. If the text is long, the line stays visible in the last row, and only the rows above it scroll. */
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

  /** Moves to where the line begins: a terminal that has become narrower shows it in several rows. */
  #back(): string {
    return this.#shown === undefined ? '' : `\r${up(Math.ceil(this.#shown.width / Math.max(1, this.#columns)) - 1)}`
  }

  /** Draws the line with wrapping switched off, because terminals do not agree on the width of all characters. */
  #line(fits: { readonly text: string; readonly width: number }, rest = ''): string {
    this.#shown = fits
    return NO_WRAP + this.#paint(fits.text) + rest + WRAP
  }

  get #columns(): number {
    // It is 0 if nobody has told the terminal its size (`docker run -t` in a script).
    return this.#screen.columns || 80
  }
}
