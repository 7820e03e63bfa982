/** Making bytes of a user's program fit to be shown: nothing in them may steer the place where they are printed. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL =
  /\u001b\[[0-9;]*m|\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f\u0080-\u009f]/g
/** Colours and emphasis: all that is let through. */
const COLOUR = /^\u001b\[[0-9;]*m$/

/** A control sequence whose end has not come yet (they are short: what goes on for longer is let through, stripped). */
const UNFINISHED = /\u001b(?:\[[0-?]{0,32}[ -/]{0,4}|\][^\u0007\u001b]{0,256})?$/

/** A progress line that is redrawn (`\r`) is shown at most this often where there is nothing to redraw. */
export const REDRAW_EVERY = 15_000
/** Characters of a line without an end that are kept before they are shown as a line of their own: some programs never end one. */
export const LONGEST_LINE = 64 * 1024

export interface Display {
  /** A terminal redraws in place; elsewhere only the latest state is kept, at most every 15 s and always the final one. */
  readonly redraws: boolean
  readonly now: () => number
}

/** Turns a stream of bytes into text that can be printed; keeps incomplete lines, characters and controls until they are whole. */
export class Redraw {
  readonly #display: Display
  readonly #decoder = new TextDecoder()
  #label = ''
  #line = ''
  /** Latest state of a line that was redrawn and not yet shown. */
  #state: string | undefined
  #shownAt = Number.NEGATIVE_INFINITY

  constructor(display: Display) {
    this.#display = display
  }

  /** `label` is put before every line that comes whole now. */
  push(bytes: Uint8Array, label = ''): string {
    this.#label = label
    this.#line += this.#decoder.decode(bytes, { stream: true })
    return this.#display.redraws ? this.#inPlace() : this.#lines()
  }

  /** What is left at the end of the stream. */
  end(): string {
    this.#line += this.#decoder.decode()
    const rest = this.#line !== '' ? this.#line : (this.#state ?? '')
    this.#line = ''
    this.#state = undefined
    return rest === '' ? '' : `${this.#shown(rest)}\n`
  }

  #inPlace(): string {
    const cut = UNFINISHED.exec(this.#line)?.index ?? this.#line.length
    const whole = this.#line.slice(0, cut)
    this.#line = this.#line.slice(cut)
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
    const cut = UNFINISHED.exec(this.#line)?.index ?? this.#line.length
    const text = this.#line.slice(0, cut)
    this.#line = this.#line.slice(cut)
    return this.#final(text)
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
    const plain = text.replace(CONTROL, (control) => (COLOUR.test(control) ? control : ''))
    return this.#label + plain
  }
}
