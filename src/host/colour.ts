/** Colours of tpi's own text on a terminal. The program's output keeps its own colours. */
import type { Tone, Tones } from '../core/host.ts'
import type { Env } from '../lib/env.ts'

/** `auto`: on a terminal that shows them. */
export interface ColourChoice {
  readonly color: 'auto' | 'always' | 'never'
  /** NO_COLOR (https://no-color.org) and TERM: what the user of the terminal asked for. */
  readonly env: Env
}

/** Parameters of SGR (ECMA-48, 8.3.117). Only from the sixteen colours that every theme of a terminal makes readable. */
const CODES: Readonly<Record<Exclude<Tone, 'plain'>, string>> = { faint: '2', good: '32', warning: '33', bad: '1;31' }

/** Whether the terminal shows control sequences as text, like a shell in Emacs and many consoles of editors. */
export const isDumb = (env: Env): boolean => env['TERM'] === 'dumb'

/** A function that colours each line of a text, or none. The text must be filtered before, because this adds control sequences. */
export function painter({ color, env }: ColourChoice, stream: { readonly isTTY?: boolean }): (text: string, tones: Tones) => string {
  const asked = color === 'auto' ? stream.isTTY === true && !env['NO_COLOR'] && !isDumb(env) : color === 'always'
  if (!asked) return (text) => text
  return (text, tones) =>
    text
      .split('\n')
      .map((line, index) => {
        const its = typeof tones === 'string' ? tones : tones(line, index)
        return its === 'plain' || line === '' ? line : `\u001b[${CODES[its]}m${line}\u001b[0m`
      })
      .join('\n')
}
