/**
 * Options in our messages stand as `if-exists: attach` or `workdir`, in backticks. Each door says them as they are written there: as flags on a
 * command line, as YAML in a workflow. What is no option stays as it is.
 */
import type { Table } from '../rows/table.ts'

type Say = (name: string, value: string | undefined) => string

const asFlag: Say = (name, value) => (value === undefined || value === 'true' ? `--${name}` : `--${name} ${value}`)
const asInput: Say = (name, value) => (value === undefined ? `"${name}"` : `"${name}: ${value}"`)

export function inFlags({ names }: Pick<Table, 'names'>): (text: string) => string {
  return spoken(names, asFlag)
}

export function inYaml({ names }: Pick<Table, 'names'>): (text: string) => string {
  return spoken(names, asInput)
}

function spoken(names: Pick<Table['names'], 'has'>, say: Say): (text: string) => string {
  return (text) =>
    text.replace(/`([a-z][a-z-]*)(?:: ([^`\n]+))?`/g, (whole, name: string, value: string | undefined) =>
      names.has(name) ? say(name, value) : whole,
    )
}
