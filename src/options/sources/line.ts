/** What the words and flags of a command line mean to its verb. */
import { type Fault, InputError } from '../../core/errors.ts'
import { didYouMean, nearest } from '../../lib/nearest.ts'
import { quoted } from '../../lib/text.ts'
import { counterpartOf, rowsOf, type Table, takes } from '../rows/table.ts'
import { INSTEAD, isVerb, VERBS, type VerbName, verbOf } from '../rows/verbs.ts'
import type { CommandLine } from './argv.ts'
import { type Assignment, type Assignments, fault } from './assignment.ts'

/** `undefined`: there is none. Throws `InputError` if the first word is not a verb. */
export function chooseVerb(line: CommandLine): VerbName | undefined {
  const [word] = line.words
  if (word === undefined) return line.version ? 'version' : undefined
  if (isVerb(word)) return word
  const hint = INSTEAD.get(word) ?? didYouMean(word, Object.keys(VERBS), 'see "tpi help"')
  throw new InputError([fault('', `${quoted(word)} is not a verb of tpi`, hint)])
}

export function assignmentsOfLine(table: Table, verb: VerbName, line: CommandLine): Assignments {
  const words = readWords(verb, line)
  const unknown = line.unknown.map((flag) => unknownFlag(table, verb, flag))
  const isOwn = ({ option }: Assignment) => table.rows[option]?.verbs.includes(verb) ?? false
  const misplaced = line.assignments.filter((assignment) => !isOwn(assignment)).map(({ option, as }) => notForVerb(table, verb, option, as))
  // After an unknown flag, faults of words are left out: a word may have been the value of that flag.
  const faults = [...line.faults, ...unknown, ...misplaced, ...(unknown.length > 0 ? [] : words.faults)]
  return { assignments: [...line.assignments.filter(isOwn), ...words.assignments], faults }
}

function unknownFlag(table: Table, verb: VerbName, flag: string): Fault {
  const known = rowsOf(table, verb).filter(([, row]) => takes(row, 'flag'))
  const meant = nearest(
    flag.replace(/^-+/, ''),
    known.flatMap(([name, row]) => [name, ...(row.aliases ?? [])]),
  )
  return fault(flag, 'there is no such option', meant === undefined ? `see "tpi ${verb} --help"` : `did you mean --${meant}?`)
}

function notForVerb(table: Table, verb: VerbName, option: string, as: string): Fault {
  const verbs = table.rows[option]?.verbs ?? []
  const instead = counterpartOf(table, option, verb)
  const hint = `it belongs to ${verbs.join(', ')}${instead === undefined ? '' : `; use --${instead}`}`
  return fault(as, `"tpi ${verb}" does not take it`, hint)
}

/** The arguments of the verb: the words after it. */
function readWords(verb: VerbName, line: CommandLine): Assignments {
  const given = line.words.slice(1)
  const places = verbOf(verb).arguments
  const words = places.at(-1)?.joined ? joinedFrom(given, places.length - 1) : given
  const assignments = words.slice(0, places.length).map((word, index): Assignment => {
    const option = places[index]?.option ?? ''
    return { option, source: 'argument', as: option.toUpperCase(), spelled: option, raw: { flags: [word] } }
  })
  const extra = words.slice(places.length)
  const takesProgram = verbOf(verb).command !== undefined && line.command === undefined
  const hint = takesProgram ? `a command follows "--": tpi ${verb} … -- ${extra.join(' ').slice(0, 60)}` : `see "tpi ${verb} --help"`
  const faults =
    extra.length === 0
      ? []
      : [fault('', `${extra.slice(0, 5).map(quoted).join(', ')} ${extra.length === 1 ? 'is' : 'are'} not expected here`, hint)]
  if (line.command !== undefined && verbOf(verb).command === undefined) faults.push(fault('--', `"tpi ${verb}" runs no command`))
  return { assignments, faults }
}

/** Joins all words from that place on: `exit codes` → `exit-codes`. */
function joinedFrom(words: readonly string[], at: number): readonly string[] {
  return words.length <= at ? words : [...words.slice(0, at), words.slice(at).join('-')]
}
