/** Shell completion, from the table: verbs, their options, and the values of options that have few. */

import type { Table } from '../rows/table.ts'
import { VERBS, type VerbName } from '../rows/verbs.ts'
import { canNegate, standsAlone } from '../values/kinds.ts'
import { choices, type Described, grouped } from './describe.ts'

export type Shell = 'bash' | 'zsh'

/** zsh runs the same function through its own bash completion. */
export function renderCompletion(table: Table, shell: Shell): string {
  const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  return `# ${shell} completion of tpi\n${start}${completer(table)}complete -o bashdefault -o default -F _tpi tpi\n`
}

function completer(table: Table): string {
  const verbs = Object.keys(VERBS) as VerbName[]
  const flags = verbs.map((verb) => `    ${verb}) flags=${shellQuoted(flagsOf(table, verb).join(' '))} ;;`)
  const values = valueCases(table)
  return `_tpi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb='' flags='' word
  local -i at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -- ]] && return 0
    if [[ -z $verb && $word != -* ]]; then verb="$word"; fi
  done
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ -z $verb ]]; then
    COMPREPLY=($(compgen -W ${shellQuoted([...verbs, '--help', '--version'].join(' '))} -- "$cur"))
    return 0
  fi
  case "$prev" in
${values}
  esac
  case "$verb" in
${flags.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return 0
  fi
  case "$verb" in
    help|options) COMPREPLY=($(compgen -W ${shellQuoted(verbs.join(' '))} -- "$cur")) ;;
    completion) COMPREPLY=($(compgen -W ${shellQuoted((table.rows['shell']?.oneOf ?? []).join(' '))} -- "$cur")) ;;
  esac
}
`
}

function flagsOf(table: Table, verb: VerbName): string[] {
  const rows = grouped(table, verb, 'flag').flatMap(([, own]) => own)
  return [
    ...rows.flatMap(({ name, row }) => [
      `--${name}`,
      ...(canNegate(row) && row.default !== 'false' && row.kind !== 'bool' ? [`--no-${name}`] : []),
    ]),
    '--help',
  ]
}

/** Flags whose next word has known values, or is a file. Those that may stand alone only offer theirs. */
function valueCases(table: Table): string {
  const rows = grouped(table, undefined, 'flag').flatMap(([, own]) => own)
  const known = rows.filter(({ row }) => row.kind !== 'bool' && choices(row).length > 0)
  const files = rows.filter(({ row }) => row.kind === 'path' || row.kind === 'paths')
  const free = rows.filter((row) => row.row.kind !== 'bool' && !known.includes(row) && !files.includes(row))
  return [
    ...known.map(
      (described) =>
        `    --${described.name}) COMPREPLY=($(compgen -W ${shellQuoted(choices(described.row).join(' '))} -- "$cur")); ${after(described)} ;;`,
    ),
    `    ${files.map(({ name }) => `--${name}`).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return 0 ;;`,
    `    ${free.map(({ name }) => `--${name}`).join('|')}) return 0 ;;`,
  ].join('\n')
}

function after({ row }: Described): string {
  return standsAlone(row) ? '[[ $cur != -* && -n $COMPREPLY ]] && return 0' : 'return 0'
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
