/** Small pieces of Markdown in which foreign text is only text. */
import { plainText } from './control-characters.ts'

/** Types that forges show in a comment. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i
/** No bracket within the words: each beginning would have all that follows looked through again. */
const NAMED = /!\[([^[\]\n]*)\]\(<?([^\s()<>]+)>?(?:\s+"[^"\n]*")?\)/g

/**
 * Foreign text in a line or a table cell of Markdown, escaped so that it is only text. Control sequences are removed first: once the text is
 * escaped, their ends are no longer recognizable.
 */
export function inline(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~#@!&$]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** A table in Markdown, of cells that are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A block of code that no text inside can end. */
export function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

export function folded(title: string, body: string, open = false): string {
  return `<details${open ? ' open' : ''}><summary>${inline(title)}</summary>\n\n${body}\n\n</details>`
}

/** At most so many bytes, whole characters. */
export function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  return new TextDecoder('utf-8').decode(bytes.subarray(0, Math.max(0, most)), { stream: true })
}

/** The text with each picture replaced by the result of `put`: an address that a comment can show; `undefined`: it is described in words instead. */
export async function withPictures(text: string, put: (file: string) => Promise<string | undefined>): Promise<string> {
  const places = new Map<string, string | undefined>()
  for (const [, , file = ''] of text.matchAll(NAMED)) if (isFile(file) && !places.has(file)) places.set(file, await put(file))
  return text.replace(NAMED, (whole: string, words: string, file: string) => {
    if (!places.has(file)) return whole
    const place = places.get(file)
    return place === undefined ? `*(picture: ${inline(words || file)})*` : `![${words}](${place})`
  })
}

/** Neither an address nor a path from the root. */
function isFile(target: string): boolean {
  return PICTURE.test(target) && !/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(target)
}

/** Words of a chart must not be its grammar. */
export function chartWords(text: string): string {
  return text.replace(/[^\w ,.-]+/g, ' ').trim()
}
