/** The files of `~/.aws`: sections of `name = value`. */

export type Ini = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Nested settings (indented below a name) are skipped: none of them matters here. Lines that are neither are skipped too. */
export function parseIni(text: string): Ini {
  const sections = new Map<string, Map<string, string>>()
  let section: Map<string, string> | undefined
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue
    const title = /^\[\s*(?:profile\s+)?"?([^\]"]+?)"?\s*\](?:\s*[#;].*)?$/.exec(line)?.[1]
    if (title !== undefined) {
      section = sections.get(title) ?? new Map()
      sections.set(title, section)
      continue
    }
    const pair = /^([^\s=:][^=:]*?)\s*=\s*(.*?)(?:\s+[#;].*)?$/.exec(line)
    if (pair?.[1] !== undefined) section?.set(pair[1].toLowerCase(), pair[2] ?? '')
  }
  return sections
}
