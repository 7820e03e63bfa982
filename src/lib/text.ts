/** Small typography for messages, help and tables. */

/** A value in double quotes as messages show it: control characters escaped, cut in the middle beyond 60 characters. */
export function quoted(value: string): string {
  const short = value.length > 60 ? `${value.slice(0, 40)}…${value.slice(-15)}` : value
  return printable(JSON.stringify(short))
}

/** The first characters of a text, at most so many as JavaScript counts: what takes two of these, as an emoji does, is not cut in the middle. */
export function cutAt(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** Control characters and line separators escaped: one line that does nothing to a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, escaped)
}

/** A character as JSON escapes it. */
export function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A value as one word for a shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Foreign text within one of our own lines: it cannot begin a new line, which could look like ours. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' ')
}

/** "a", "a or b", "a, b or c". */
export function listed(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`
}

/** "1 file", "2 files", "0 entries" when `many` is given. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Breaks running text at blanks so that no line is longer than `width`, unless one word is. Line feeds stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const indent = /^ */.exec(paragraph)?.[0] ?? ''
    const lines: string[] = []
    let line = indent
    for (const word of paragraph.trim().split(/ +/)) {
      if (line.trim() !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = indent
      }
      line += (line.trim() === '' ? '' : ' ') + word
    }
    return [...lines, line.trimEnd()]
  })
}

/** Lines of a table: cells padded to the widest of their column, two blanks between, nothing trailing. */
export function columns(written: readonly (readonly string[])[]): string[] {
  const rows = written.map((row) => row.map(oneLine))
  const widths: number[] = []
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The first sentence of a text, without its full stop. */
export function firstSentence(text: string): string {
  const end = /\.(?:\s|$)/.exec(text)
  return end ? text.slice(0, end.index) : text
}

/** What was thrown, as text: its message, if it is an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Only the first line of that. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? ''
}

/** Characters that are two columns wide on a terminal: East Asian wide and full-width ones, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Characters of no width: they belong to the one before. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u

const columnsOf = (char: string): number => (NARROW.test(char) ? 0 : WIDE.test(char) ? 2 : 1)

/** As much of a line as fits into so many columns of a terminal, and how many it takes. */
export function fitting(line: string, columns: number): { readonly text: string; readonly width: number } {
  let text = ''
  let width = 0
  for (const char of line) {
    const more = columnsOf(char)
    if (width + more > columns) break
    text += char
    width += more
  }
  return { text, width }
}

/** Without the byte order mark that programs of Windows, and of .NET, begin their files and answers with. */
export const unmarked = (text: string): string => text.replace(/^\uFEFF/, '')
