/** What a workflow runner would take for a command in a line of text. */

/** Wider than any runner's own reading: `::name …::` at the start of a line, the older `##[name]` anywhere in it. */
export function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##[')
}

const ADMITTED = /^\s*(::(?:group|endgroup|error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*)[\r\n]*$/

/** The command that a program gave in this line, if it is one that only shows something. */
export function commandOf(line: string): string | undefined {
  return ADMITTED.exec(line)?.[1]
}
