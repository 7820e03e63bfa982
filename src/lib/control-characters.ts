/** Makes foreign text safe to print: none of its control sequences gets through. */
import { escaped } from './text.ts'

/** The state in which a terminal would be. `string`: in a sequence that lasts until its terminator (titles, links, clipboard, images). */
type State = 'text' | 'escape' | 'sequence' | 'string'

/** Longest colour, in characters. */
const LONGEST_COLOUR = 64

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * Reads as a terminal does, however the text is cut: controls within a sequence do not end it, an escape begins another one, strings last until their
 * terminator. What comes out is text, tabs, line ends, and (`colours`) whole sequences of colour and emphasis. Every sequence ends with its
 * line at the latest, so that an open sequence hides nothing that follows.
 */
export class Controls {
  readonly #colours: boolean
  #state: State = 'text'
  /** The beginning of a sequence that may be a colour. */
  #colour: string | undefined

  constructor(colours: boolean) {
    this.#colours = colours
  }

  push(text: string): string {
    let out = ''
    for (let at = 0; at < text.length; ) {
      if (this.#state !== 'text') {
        out += this.#next(text[at] ?? '')
        at += 1
        continue
      }
      CONTROL.lastIndex = at
      const end = CONTROL.exec(text)?.index ?? text.length
      out += text.slice(at, end)
      if (text[end] === '\u001b') this.#state = 'escape'
      at = end + 1
    }
    return out
  }

  /** Takes one character of a sequence; returns what is shown of it. */
  #next(char: string): string {
    const state = this.#state
    if (char === '\u001b') return this.#enter('escape')
    if (char === '\n' || char === '\r' || char === '\t') return this.#enter('text', char)
    // Both cancel the current sequence. So do eight-bit controls.
    if (char === '\u0018' || char === '\u001a' || (char >= '\u0080' && char <= '\u009f')) return this.#enter('text')
    if (state === 'string') return char === '\u0007' ? this.#enter('text') : ''
    if (char < ' ' || char === '\u007f') return ''
    return state === 'escape' ? this.#escape(char) : this.#sequence(char)
  }

  #enter(state: State, shown = ''): string {
    this.#state = state
    return shown
  }

  #escape(char: string): string {
    if (char === '[') {
      this.#colour = ''
      return this.#enter('sequence')
    }
    if (']PX^_'.includes(char)) return this.#enter('string')
    // Up to here come marks between the escape and its last character.
    if (char < '0') return ''
    return this.#enter('text', char > '~' ? char : '')
  }

  #sequence(char: string): string {
    const colour = this.#colour
    if (char < '@') {
      this.#colour = colour !== undefined && colour.length < LONGEST_COLOUR && /[\d;]/.test(char) ? colour + char : undefined
      return ''
    }
    if (char > '~') return this.#enter('text', char)
    return this.#enter('text', char === 'm' && colour !== undefined && this.#colours ? `\u001b[${colour}m` : '')
  }
}

/** Marks that change the direction of text: with them a name can look like another one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** One of our own texts that may contain foreign text (names of files, reasons, answers of servers): only text, tabs and line feeds are kept. */
export function plainText(text: string): string {
  return new Controls(false).push(text).replaceAll('\r\n', '\n').replaceAll('\r', ' ').replace(TURNS, '')
}

/** JSON that is safe for a terminal: JSON itself escapes some control characters, but not all. */
export function plainJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped)
}
