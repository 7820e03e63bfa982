/** Shell completion, from the table: verbs, their options, values that are known, and the names of runs that `$TPI_HOME/names` has. */

import { namesFiles } from '../../core/option.ts'
import { firstSentence, shellQuoted } from '../../lib/text.ts'
import type { Table } from '../rows/table.ts'
import { TOPIC_WORDS } from '../rows/topics.ts'
import { VERBS, type Verb, type VerbName, verbOf } from '../rows/verbs.ts'
import { canNegate, standsAlone } from '../values/read-value.ts'
import { choices, type Described, grouped } from './describe.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const NAMES = 'cat "${TPI_HOME:-$HOME/.tpi}/names" 2>/dev/null'

const verbs = Object.keys(VERBS) as VerbName[]

export function renderCompletion(table: Table, shell: Shell): string {
  return `# ${shell} completion of tpi\n${SHELLS[shell](table)}`
}

const SHELLS: Readonly<Record<Shell, (table: Table) => string>> = {
  bash: (table) => inBash(table),
  // It can run the same function, as a completion of bash.
  zsh: (table) => `autoload -U +X bashcompinit && bashcompinit\n${inBash(table)}`,
  fish: (table) => inFish(table),
}

function inBash(table: Table): string {
  const flags = verbs.map((verb) => `    ${verb}) flags=${shellQuoted(flagsOf(table, verb).join(' '))} ;;`)
  const words = verbs.flatMap((verb) => {
    const offer = argumentOf(table, verb)
    if (offer === undefined) return []
    return [`    ${verb}) COMPREPLY=($(compgen -W ${offer === 'names' ? `"$(${NAMES})"` : shellQuoted(offer.join(' '))} -- "$cur")) ;;`]
  })
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
${valueCases(table)}
  esac
  case "$verb" in
${flags.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return 0
  fi
  case "$verb" in
${words.join('\n')}
  esac
}
complete -o bashdefault -o default -F _tpi tpi
`
}

/** Words to offer for the first argument of a verb; `names`: names of runs. */
function argumentOf(table: Table, verb: VerbName): readonly string[] | 'names' | undefined {
  const { arguments: places, command }: Verb = verbOf(verb)
  const option = places[0]?.option
  if (option === undefined || (command === 'program' && option !== 'name')) return undefined
  if (option === 'name') return 'names'
  const row = table.rows[option]
  if (!row) return undefined
  const offered = [...valuesOf({ row }), ...(verb === 'help' ? TOPIC_WORDS : [])]
  return offered.length === 0 ? undefined : offered
}

function flagsOf(table: Table, verb: VerbName): string[] {
  return [...optionsOf(table, verb).flatMap((described) => longsOf(described).map((long) => `--${long}`)), '--help']
}

function optionsOf(table: Table, verb: VerbName | undefined): Described[] {
  return grouped(table, verb, 'flag').flatMap(([, own]) => own)
}

/** The flag and, unless it is off by default, the one that switches it off. */
function longsOf({ name, row }: Described): string[] {
  const isOff = row.default === 'false' || (row.kind === 'bool' && row.default === undefined)
  return canNegate(row) && !isOff ? [name, `no-${name}`] : [name]
}

const isFile = ({ row }: Described): boolean => namesFiles(row.kind)
const valuesOf = ({ row }: Pick<Described, 'row'>): readonly string[] => [...choices(row), ...(row.suggests ?? [])]

/** What to offer after each flag that takes a value. After a flag that may stand alone, other words are offered too. */
function valueCases(table: Table): string {
  const rows = optionsOf(table, undefined).filter(({ row }) => row.kind !== 'bool')
  const known = rows.filter((row) => valuesOf(row).length > 0)
  const files = rows.filter((row) => !known.includes(row) && isFile(row))
  const free = rows.filter((row) => !known.includes(row) && !files.includes(row))
  return [
    ...known.map(
      (described) =>
        `    --${described.name}) COMPREPLY=($(compgen -W ${shellQuoted(valuesOf(described).join(' '))} -- "$cur")); ${after(described)} ;;`,
    ),
    `    ${files.map(({ name }) => `--${name}`).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return 0 ;;`,
    `    ${free.map(({ name }) => `--${name}`).join('|')}) return 0 ;;`,
  ].join('\n')
}

function after({ row }: Described): string {
  return standsAlone(row) ? '[[ $cur != -* && -n $COMPREPLY ]] && return 0' : 'return 0'
}

/** Flags of `complete`: how fish completes the value of an option. */
function takesInFish(described: Described): string {
  if (standsAlone(described.row)) return ''
  return isFile(described) ? ' -r -F' : ' -x'
}

function inFish(table: Table): string {
  const none = `not __fish_seen_subcommand_from ${verbs.join(' ')}`
  const verbLines = verbs.map((verb) => `complete -c tpi -n ${shellQuoted(none)} -a ${verb} -d ${shellQuoted(verbOf(verb).summary)}`)
  const words = verbs.flatMap((verb) => {
    const offer = argumentOf(table, verb)
    if (offer === undefined) return []
    const answer = offer === 'names' ? '(__tpi_names)' : offer.join(' ')
    return [`complete -c tpi -n '__fish_seen_subcommand_from ${verb}' -a ${shellQuoted(answer)}`]
  })
  const flags = optionsOf(table, undefined).flatMap((described) => {
    const { row } = described
    const of = verbs.filter((verb) => row.verbs.includes(verb)).join(' ')
    const takes = takesInFish(described)
    const values = valuesOf(described)
    return longsOf(described).map((long) =>
      [
        `complete -c tpi -n '__fish_seen_subcommand_from ${of}' -l ${long}`,
        row.short === undefined || long !== described.name ? '' : ` -s ${row.short}`,
        long === described.name ? takes : '',
        values.length === 0 || row.kind === 'bool' || long !== described.name ? '' : ` -a ${shellQuoted(values.join(' '))}`,
        ` -d ${shellQuoted(firstSentence(row.help))}`,
      ].join(''),
    )
  })
  // For fish, a flag that may stand alone takes no value. So its values are offered among the words that may follow.
  const following = optionsOf(table, undefined).filter((one) => one.row.kind !== 'bool' && standsAlone(one.row) && valuesOf(one).length > 0)
  const values = following.map((one) => `complete -c tpi -n '__tpi_after --${one.name}' -a ${shellQuoted(valuesOf(one).join(' '))}`)
  return `function __tpi_names
  set -q TPI_HOME; and set -l home $TPI_HOME; or set -l home $HOME/.tpi
  cat $home/names 2>/dev/null
end
function __tpi_after
  set -l words (commandline -opc)
  test "$words[-1]" = $argv[1]
end
complete -c tpi -f
${[...verbLines, ...words, ...flags, ...values].join('\n')}
`
}
