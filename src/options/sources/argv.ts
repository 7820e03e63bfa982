/** Cuts the command line into words (verb and arguments), flags and command. Checks only its shape. */
import type { Fault } from '../../core/errors.ts'
import type { Row } from '../../core/option.ts'
import { parseDuration } from '../../lib/duration.ts'
import { spelled, type Table, takes } from '../rows/table.ts'
import { canNegate, isListKind, isSwitch, standsAlone } from '../values/read-value.ts'
import { type Assignment, fault } from './assignment.ts'

export interface CommandLine {
  /** Words that are not flags: the verb, then its arguments. */
  readonly words: readonly string[]
  readonly assignments: readonly Assignment[]
  /** Flags that do not exist, as written. */
  readonly unknown: readonly string[]
  /** What followed `--`. */
  readonly command?: readonly string[]
  readonly help: boolean
  readonly version: boolean
  readonly faults: readonly Fault[]
}

interface Found {
  readonly option: string
  readonly row: Row
  readonly spelled: string
  readonly as: string
  readonly negated: boolean
}

export function readArgv(table: Table, argv: readonly string[]): CommandLine {
  const end = argv.indexOf('--')
  const tokens = end < 0 ? argv : argv.slice(0, end)
  const reader = new Reader(table, tokens)
  reader.read()
  return { ...reader.result(), ...(end < 0 ? {} : { command: argv.slice(end + 1) }) }
}

class Reader {
  readonly #table: Table
  readonly #tokens: readonly string[]
  #at = 0
  #help = false
  #version = false
  readonly #words: string[] = []
  readonly #unknown: string[] = []
  readonly #faults: Fault[] = []
  readonly #flags = new Map<string, Found & { readonly values: string[] }>()

  constructor(table: Table, tokens: readonly string[]) {
    this.#table = table
    this.#tokens = tokens
  }

  result(): Omit<CommandLine, 'command'> {
    const assignments = [...this.#flags.values()].map(
      ({ option, spelled, as, values }): Assignment => ({ option, source: 'flag', as, spelled, raw: { flags: values } }),
    )
    return { words: this.#words, assignments, unknown: this.#unknown, help: this.#help, version: this.#version, faults: this.#faults }
  }

  read(): void {
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] ?? ''
      if (token === '--help' || token === '-h') this.#help = true
      else if (token === '--version' || token === '-V' || (token === '-v' && this.#tokens.length === 1)) this.#version = true
      else if (token.startsWith('--')) this.#long(token)
      else if (/^-[A-Za-z]/.test(token)) this.#short(token)
      else this.#words.push(token)
    }
  }

  #long(token: string): void {
    const equals = token.indexOf('=')
    const written = equals < 0 ? token : token.slice(0, equals)
    const found = this.#find(written)
    if (!found) this.#unknown.push(written)
    else if (equals >= 0) this.#add(found, found.negated ? undefined : token.slice(equals + 1))
    else this.#add(found, found.negated ? 'false' : this.#following(found))
  }

  /** `-f`, `-qf`, `-e NAME`, `-eNAME`. */
  #short(token: string): void {
    for (let at = 1; at < token.length; at++) {
      const letter = token[at] ?? ''
      const entry = Object.entries(this.#table.rows).find(([, row]) => row.short === letter)
      if (!entry) {
        this.#unknown.push(`-${letter}`)
        return
      }
      const [option, row] = entry
      const found = { option, row, spelled: option, as: `-${letter}`, negated: false }
      const rest = token.slice(at + 1).replace(/^=/, '')
      if (row.kind === 'bool') this.#add(found, 'true')
      else {
        this.#add(found, rest === '' ? this.#following(found) : rest)
        return
      }
    }
  }

  #find(written: string): Found | undefined {
    const name = spelled(written.slice(2))
    const option = this.#table.names.get(name)
    const row = option === undefined ? undefined : this.#table.rows[option]
    if (option !== undefined && row && takes(row, 'flag')) return { option, row, spelled: name, as: written, negated: false }
    const positive = name.startsWith('no-') ? this.#table.names.get(name.slice(3)) : undefined
    const negatable = positive === undefined ? undefined : this.#table.rows[positive]
    if (positive === undefined || !negatable || !takes(negatable, 'flag') || !canNegate(negatable)) return undefined
    return { option: positive, row: negatable, spelled: name.slice(3), as: written, negated: true }
  }

  /**
   * The value of a flag without `=`: the next token, or `true` if the flag may stand alone and the next token is not one of its values. A switch
   * never takes a word that could be an argument. Other flags that stand alone belong to verbs without arguments, so only the verb is safe from them.
   */
  #following({ row, spelled: name }: Found): string | undefined {
    const next = this.#tokens[this.#at + 1]
    const value = next !== undefined && (!next.startsWith('-') || next === '-' || /^-\d/.test(next)) ? next : undefined
    const spared = row.kind === 'bool' || this.#words.length === 0 || row.aliases?.includes(name) === true
    if ((standsAlone(row) || isSwitch(row, name)) && (value === undefined || (spared && !looksLikeValue(row, value)))) return 'true'
    if (value !== undefined) this.#at++
    return value
  }

  #add(found: Found, value: string | undefined): void {
    if (value === undefined) {
      const message = found.negated ? 'takes no value' : 'needs a value'
      const dashed = !found.negated && this.#tokens[this.#at + 1] !== undefined
      this.#faults.push(fault(found.as, message, dashed ? `write a value that starts with "-" as ${found.as}=-…` : undefined))
      return
    }
    if (value === '' && !isListKind(found.row.kind)) {
      this.#faults.push(fault(found.as, 'is empty'))
      return
    }
    const known = this.#flags.get(found.option)
    // The values cannot be compared: under the name of a switch, the same text means something else.
    const differs = known !== undefined && known.as !== found.as && [known, found].some((one) => isSwitch(one.row, one.spelled))
    if (differs) this.#faults.push(fault(found.as, `is given twice, also as ${known.as}`))
    else if (known) known.values.push(value)
    else this.#flags.set(found.option, { ...found, values: [value] })
  }
}

function looksLikeValue(row: Row, text: string): boolean {
  if (/^(?:true|false)$/i.test(text)) return true
  if (row.kind === 'wait') return parseDuration(text) !== undefined || /^\d/.test(text)
  return row.kind === 'choice' && ((row.oneOf?.includes(text) ?? false) || /^-?\d/.test(text))
}
