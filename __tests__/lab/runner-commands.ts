/** Which lines of a step GitHub's runner takes for commands, by its documented rules, and what it does with them. */

export interface Shown {
  /** Lines that are shown as text. */
  readonly lines: readonly string[]
  readonly annotations: readonly { readonly level: 'error' | 'warning' | 'notice'; readonly message: string }[]
  readonly groups: readonly string[]
  readonly masks: readonly string[]
  /** Commands that took effect, by name, without those that stop and resume. */
  readonly commands: readonly string[]
  /** Groups that were never closed, and whether commands are still suspended. */
  readonly open: { readonly groups: number; readonly suspended: boolean }
}

const KNOWN = [
  'error',
  'warning',
  'notice',
  'group',
  'endgroup',
  'add-mask',
  'debug',
  'set-output',
  'save-state',
  'set-env',
  'add-path',
  'echo',
  'add-matcher',
  'remove-matcher',
]

export function readLines(text: string): Shown {
  const lines: string[] = []
  const annotations: { level: 'error' | 'warning' | 'notice'; message: string }[] = []
  const groups: string[] = []
  const masks: string[] = []
  const commands: string[] = []
  let open = 0
  let stopped: string | undefined
  // A lone carriage return also ends a line.
  for (const line of text.split(/\r\n|\r|\n/)) {
    const found = commandIn(line)
    if (!found) lines.push(line)
    else if (stopped !== undefined) {
      if (found.name === stopped) stopped = undefined
      else lines.push(line)
    } else if (found.name === 'stop-commands') stopped = found.data
    else if (!KNOWN.includes(found.name)) lines.push(line)
    else {
      commands.push(found.name)
      if (found.name === 'error' || found.name === 'warning' || found.name === 'notice')
        annotations.push({ level: found.name, message: found.data })
      if (found.name === 'group') groups.push(found.data)
      if (found.name === 'group' || found.name === 'endgroup') open += found.name === 'group' ? 1 : -1
      if (found.name === 'add-mask') masks.push(found.data)
    }
  }
  return { lines, annotations, groups, masks, commands, open: { groups: open, suspended: stopped !== undefined } }
}

/** `::name props::data` after blanks, or `##[name props]data` anywhere. */
function commandIn(line: string): { name: string; data: string } | undefined {
  const modern = /^\s*::([^\s:]+)(?: [^:]*(?::(?!:)[^:]*)*)?::(.*)$/.exec(line)
  const old = /##\[([^\s\]]+)[^\]]*\](.*)$/.exec(line)
  const match = modern ?? old
  return match ? { name: match[1] ?? '', data: unescaped(match[2] ?? '') } : undefined
}

function unescaped(data: string): string {
  return data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
