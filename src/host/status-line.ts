/** The line at the bottom of a terminal that says how a run stands: redrawn in place, while what the program prints scrolls above it. */
import { fitting } from '../lib/text.ts'

interface Screen {
  write(text: string): unknown
  readonly columns?: number
}

const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const ERASE_BELOW = '\u001b[J'
const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A` : '')

export class StatusLine {
  readonly #screen: Screen
  readonly #paint: (text: string) => string
  #text = ''
  /** What stands there now, in columns. */
  #drawn = 0

  constructor(screen: Screen, paint: (text: string) => string) {
    this.#screen = screen
    this.#paint = paint
  }

  /** What it says from the next `draw` on; nothing: there is none. */
  set(text: string): void {
    this.#text = text.replace(/\s/g, ' ')
  }

  erase(): void {
    if (this.#drawn === 0) return
    // A terminal that has become narrower shows it on several lines.
    const above = Math.ceil(this.#drawn / Math.max(1, this.#width)) - 1
    this.#screen.write(`\r${up(above)}${ERASE_BELOW}`)
    this.#drawn = 0
  }

  /** It never wraps, for widths of characters are not the same everywhere. */
  draw(): void {
    if (this.#text === '') return
    const { text, width } = fitting(this.#text, this.#width - 1)
    this.#screen.write(`${NO_WRAP}${this.#paint(text)}${WRAP}`)
    this.#drawn = width
  }

  get #width(): number {
    return this.#screen.columns ?? 80
  }
}
