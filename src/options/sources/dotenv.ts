/** Files of `NAME=value` lines. */
import { unmarked } from '../../lib/text.ts'

/** The name of a variable. */
export const VARIABLE = /^[A-Za-z_]\w*$/

export interface DotenvFault {
  readonly line: number
  readonly message: string
}

/**
 * `NAME=value`, optionally after `export`; blank lines and `#` lines are skipped. Single quotes keep everything, double quotes know
 * `\n \r \t \" \\ \$`, both may run over several lines; a bare value ends at ` #` and loses blanks around it. A later line wins.
 * Nothing of the text appears in faults: it may be a secret.
 */
export function parseDotenv(text: string): { readonly values: ReadonlyMap<string, string>; readonly faults: readonly DotenvFault[] } {
  const values = new Map<string, string>()
  const faults: DotenvFault[] = []
  const source = unmarked(text).replace(/\r\n?/g, '\n')
  for (let at = 0; at < source.length; ) {
    const end = lineEnd(source, at)
    const line = source.slice(at, end)
    const head = /^\s*(?:export\s+)?([^=\s#]+)[ \t]*=[ \t]*/.exec(line)
    if (/^\s*(?:#|$)/.test(line)) at = end + 1
    else if (!head || !VARIABLE.test(head[1] ?? '')) {
      faults.push({ line: lineNumber(source, at), message: 'is not a NAME=value line' })
      at = end + 1
    } else {
      const value = readValue(source, at + head[0].length, end)
      if (typeof value === 'string') faults.push({ line: lineNumber(source, at), message: value })
      else values.set(head[1] ?? '', value.text)
      at = (typeof value === 'string' ? end : value.end) + 1
    }
  }
  return { values, faults }
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

function lineNumber(source: string, at: number): number {
  return source.slice(0, at).split('\n').length
}

/** A string says what is wrong. */
function readValue(source: string, at: number, end: number): { readonly text: string; readonly end: number } | string {
  const quote = source[at]
  if (at >= end || (quote !== '"' && quote !== "'"))
    return {
      text: source
        .slice(at, end)
        .replace(/(?:^|\s)#.*$/, '')
        .trim(),
      end,
    }
  const pattern = quote === '"' ? /"((?:[^"\\]|\\[^])*)"[ \t]*(?:#.*)?(?=\n|$)/y : /'([^']*)'[ \t]*(?:#.*)?(?=\n|$)/y
  pattern.lastIndex = at
  const match = pattern.exec(source)
  if (!match) return 'has a quote that does not end'
  const text = match[1] ?? ''
  return { text: quote === '"' ? unescaped(text) : text, end: pattern.lastIndex }
}

function unescaped(text: string): string {
  const meant: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' }
  return text.replace(/\\([^])/g, (whole, char: string) => meant[char] ?? whole)
}
