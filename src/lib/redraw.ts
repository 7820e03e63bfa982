/** Makes output of a user's program printable, line by line or redrawn in place. */
import { Controls } from './control-characters.ts'

/** A redrawn progress line (`\r`) is shown at most this often if nothing can be redrawn. */
export const REDRAW_EVERY = 15_000
/** Characters of a line without an end that are kept before they are shown as a line of their own: some programs never end one. */
export const LONGEST_LINE = 64 * 1024

export interface Display {
  /** A terminal redraws in place; elsewhere only the latest state is printed, at most every 15 s, and always the final one. */
  readonly redraws: boolean
  /** If nobody else prints, parts of a very long line follow each other; otherwise each is a separate line. */
  readonly joins?: boolean
  readonly now: () => number
}

/** Turns a stream of bytes into text that can be printed; keeps incomplete lines, characters and controls until they are whole. */
export class Redraw {
  readonly #display: Display
  readonly #decoder = new TextDecoder()
  readonly #controls = new Controls(true)
  #label = ''
  #line = ''
  /** Latest state of a line that was redrawn and not yet shown. */
  #state: string | undefined
  #shownAt = Number.NEGATIVE_INFINITY
  /** The beginning of the line is shown already. */
  #torn = false

  constructor(display: Display) {
    this.#display = display
  }

  /** `label` is put before every line that comes whole now. */
  push(bytes: Uint8Array, label = ''): string {
    this.#label = label
    this.#line += this.#controls.push(this.#decoder.decode(bytes, { stream: true }))
    return this.#display.redraws ? this.#inPlace() : this.#lines()
  }

  /** What is left at the end of the stream. */
  end(): string {
    this.#line = (this.#line + this.#controls.push(this.#decoder.decode())).replace(/\r$/, '')
    const rest = this.#line !== '' ? this.#line : (this.#state ?? '')
    this.#line = ''
    this.#state = undefined
    return rest === '' && !this.#torn ? '' : `${this.#shown(rest)}\n`
  }

  #inPlace(): string {
    // A trailing \r may be the first half of a line end.
    const whole = this.#line.replace(/\r$/, '')
    this.#line = this.#line.slice(whole.length)
    return whole.replace(/[^\r\n]+/g, (text) => this.#shown(text)).replace(/\r(?!\n)/g, '\r\u001b[K')
  }

  #lines(): string {
    let out = ''
    for (;;) {
      const at = this.#line.search(/[\r\n]/)
      // A trailing \r may be the first half of a line end.
      if (at < 0 || (this.#line[at] === '\r' && at === this.#line.length - 1)) break
      const text = this.#line.slice(0, at)
      const lineEnd = this.#line[at] === '\n' || this.#line[at + 1] === '\n'
      this.#line = this.#line.slice(at + (this.#line[at] === '\r' && lineEnd ? 2 : 1))
      if (lineEnd) out += this.#final(text)
      else if (text !== '') this.#state = text
    }
    return out + this.#endless() + this.#due()
  }

  #endless(): string {
    if (this.#line.length <= LONGEST_LINE || this.#line.endsWith('\r')) return ''
    const text = this.#line
    this.#line = ''
    if (!this.#display.joins) return this.#final(text)
    const shown = this.#shown(text)
    this.#torn = true
    return shown
  }

  #final(text: string): string {
    const last = text === '' ? (this.#state ?? '') : text
    this.#state = undefined
    this.#shownAt = Number.NEGATIVE_INFINITY
    return `${this.#shown(last)}\n`
  }

  #due(): string {
    if (this.#state === undefined || this.#display.now() - this.#shownAt < REDRAW_EVERY) return ''
    const text = this.#state
    this.#state = undefined
    this.#shownAt = this.#display.now()
    return `${this.#shown(text)}\n`
  }

  #shown(text: string): string {
    const label = this.#torn ? '' : this.#label
    this.#torn = false
    return label + text
  }
}

/** Whether a colour or emphasis goes on behind this text. `before`: whether one did ahead of it. */
export function openColour(text: string, before: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
  const last = [...text.matchAll(/\u001b\[([\d;]*)m/g)].at(-1)?.[1]
  return last === undefined ? before : !/^0*$/.test(last)
}
