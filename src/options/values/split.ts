/** Lists as users write them: by comma and newline, CSV quotes, commas inside `{a,b}` left alone. */

/** Items without surrounding blanks; empty ones are dropped. `"a,b"` is one item, `""` inside quotes is a quote. */
export function splitList(text: string): string[] {
  return splitLines(text).flatMap((line) => splitLine(line))
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

function splitLine(line: string): string[] {
  const items: string[] = []
  let at = 0
  while (at < line.length) {
    const item = quotedItem(line, at) ?? plainItem(line, at)
    if (item.text !== '') items.push(item.text)
    at = item.end + 1
  }
  return items
}

interface Item {
  readonly text: string
  /** Position of the comma that ends it, or the length of the line. */
  readonly end: number
}

function quotedItem(line: string, at: number): Item | undefined {
  const match = /\s*"((?:[^"]|"")*)"\s*(?=,|$)/y
  match.lastIndex = at
  const found = match.exec(line)
  return found ? { text: (found[1] ?? '').replaceAll('""', '"'), end: match.lastIndex } : undefined
}

function plainItem(line: string, at: number): Item {
  let depth = 0
  for (let end = at; end < line.length; end++) {
    const char = line[end]
    // A brace counts only if one that closes it follows: otherwise it is an ordinary character.
    if (char === '{' && line.includes('}', end)) depth++
    else if (char === '}' && depth > 0) depth--
    else if (char === ',' && depth === 0) return { text: line.slice(at, end).trim(), end }
  }
  // Not balanced after all (`{a,{b},c`): the item ends at the first comma.
  const comma = depth > 0 ? line.indexOf(',', at) : -1
  const end = comma < 0 ? line.length : comma
  return { text: line.slice(at, end).trim(), end }
}

const BARE_NAMES = /^\s*[A-Za-z_][\w*]*\??(?:\s*,\s*[A-Za-z_][\w*]*\??)+\s*,?\s*$/

/** Entries of an environment: one per line, because values may contain commas. A line of bare names is split at its commas. */
export function splitEntries(text: string): string[] {
  return splitLines(text).flatMap((line) => entriesOf(line))
}

/** Entries in a flag: one entry as it is, which may contain line feeds, or bare names with commas between them. */
export function entriesOf(entry: string): string[] {
  if (entry.trim() === '') return []
  return BARE_NAMES.test(entry) ? splitList(entry) : [entry.replace(/^[ \t]+/, '')]
}
