/**
 * Messages mention options and commands in backticks: `if-exists: attach`, `workdir`, `tpi destroy NAME --discard`. Each door writes them as its users
 * do: as words of a command line, or as YAML of a workflow. Other text in backticks stays as it is.
 */
import type { Table } from '../rows/table.ts'
import { VERBS, type Verb } from '../rows/verbs.ts'
import { isInput } from '../sources/inputs.ts'

interface Door {
  readonly option: (name: string, value: string | undefined) => string
  readonly command: (words: readonly string[]) => string
}

export function inFlags(table: Table): (text: string) => string {
  const option: Door['option'] = (name, value) => (value === undefined || value === 'true' ? `--${name}` : `--${name} ${value}`)
  return rewritten(table, { option, command: (words) => words.join(' ') })
}

export function inYaml(table: Table): (text: string) => string {
  const option: Door['option'] = (name, value) => (value === undefined ? `"${name}"` : `"${name}: ${value}"`)
  return rewritten(table, { option, command: (words) => asStep(table, words) })
}

const OPTION = /^([a-z][a-z-]*)(?:: (.+))?$/

function rewritten({ names }: Table, { option, command }: Door): (text: string) => string {
  return (text) =>
    text.replace(/`([^`\n]+)`/g, (whole, inner: string) => {
      const words = inner.split(' ')
      if (words[0] === 'tpi') return command(words)
      const [, name = '', value] = OPTION.exec(inner) ?? []
      return names.has(name) ? option(name, value) : whole
    })
}

/** A command as inputs of the action. One that the action does not have stays a command line. */
function asStep(table: Table, words: readonly string[]): string {
  const [, verb = '', ...rest] = words
  const does: Verb | undefined = Object.hasOwn(VERBS, verb) ? VERBS[verb as keyof typeof VERBS] : undefined
  if (!does || !(table.rows['command']?.oneOf ?? []).includes(verb)) return words.join(' ')
  const places = does.arguments.map(({ option }) => option)
  const inputs: string[] = [`command: ${verb}`]
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const option = word.startsWith('--') ? table.names.get(word.slice(2)) : places.shift()
    const row = option === undefined ? undefined : table.rows[option]
    if (option === undefined || !row || !isInput(table, option)) return words.join(' ')
    if (!word.startsWith('--')) inputs.push(`${option}: ${plain(word)}`)
    else if (row.kind === 'bool') inputs.push(`${option}: true`)
    else {
      at += 1
      inputs.push(`${option}: ${plain(rest[at] ?? '')}`)
    }
  }
  return `a step with { ${inputs.join(', ')} }`
}

/** The text as YAML: quoted if it could be read as anything else. */
const plain = (value: string): string => (/^[\w./-]+$/.test(value) ? value : JSON.stringify(value))
