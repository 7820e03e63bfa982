/** Texts from files of the caller, and the user's program: exactly one of `script`, `script-file` and what follows `--`. */
import { isAbsolute, resolve } from 'node:path'
import type { Fault } from '../../core/errors.ts'
import { listed, quoted, unmarked } from '../../lib/text.ts'
import type { Chosen } from '../rows/checks.ts'
import type { Table } from '../rows/table.ts'
import { fault, readingTrouble, type Surroundings } from './assignment.ts'
import { isOfCommand } from './precedence.ts'

/** Text, or an argument vector that is run as it is. */
export type ProgramText = { readonly script: string }
export type GivenProgram = ProgramText | { readonly argv: readonly string[] }

/** Removes from `chosen` what a command after `--` overrides. */
export async function readProgram(
  chosen: Map<string, Chosen>,
  command: readonly string[] | undefined,
  inAction: boolean,
  surroundings: Surroundings,
): Promise<{ readonly program?: GivenProgram; readonly faults: readonly Fault[] }> {
  if (command !== undefined) {
    const rivals = ['script', 'script-file'].flatMap((name) => chosen.get(name) ?? [])
    const equals = rivals.filter(({ assignment }) => isOfCommand(assignment))
    for (const { assignment } of rivals) chosen.delete(assignment.option)
    if (equals.length > 0) return { faults: [fault(equals[0]?.assignment.as ?? '', 'cannot be given together with a command after "--"')] }
    return command.length === 0 || command[0] === ''
      ? { faults: [fault('--', 'a command must follow')] }
      : { program: { argv: command }, faults: [] }
  }
  const text = await readText(chosen, 'script', surroundings)
  if (text) return 'fault' in text ? { faults: [text.fault] } : { program: text, faults: [] }
  const ways = inAction ? ['"script"', '"script-file"'] : ['--script TEXT', '--script-file FILE', 'a command after "--"']
  return { faults: [fault('', 'there is nothing to run', `give ${listed(ways)}`)] }
}

/** The text of `<name>` or `<name>-file`, whichever was given. */
export async function readText(
  chosen: ReadonlyMap<string, Chosen>,
  name: 'script' | 'setup' | 'setup-after',
  surroundings: Surroundings,
): Promise<ProgramText | { readonly fault: Fault } | undefined> {
  const inline = chosen.get(name)
  const file = chosen.get(`${name}-file`)
  if (inline) return checked(String(inline.value), inline)
  if (!file) return undefined
  const text = await textIn(file, surroundings)
  return typeof text === 'string' ? (ofAnotherLanguage(text, file) ?? checked(text, file)) : text
}

/** Reads the files that options of kind `file` name: their values become the texts. Resolves to the options whose files cannot be used. */
export async function readFiles(
  table: Table,
  chosen: Map<string, Chosen>,
  faults: Fault[],
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [name, one] of chosen) {
    if (table.rows[name]?.kind !== 'file') continue
    const text = await textIn(one, surroundings)
    const read = typeof text === 'string' ? checked(text, one) : text
    if ('script' in read) chosen.set(name, { ...one, value: read.script })
    else {
      faults.push(read.fault)
      wrong.push(name)
    }
  }
  return wrong
}

/** The text of the file that the option names. */
async function textIn({ value, assignment }: Chosen, surroundings: Surroundings): Promise<string | { readonly fault: Fault }> {
  const path = String(value)
  try {
    return await surroundings.readFile(resolve(surroundings.cwd, path))
  } catch (error) {
    const trouble = readingTrouble(error)
    const hint = trouble === 'does not exist' && !isAbsolute(path) ? `looked for in ${surroundings.cwd}` : undefined
    return { fault: fault(assignment.as, `${quoted(path)} ${trouble}`, hint) }
  }
}

/** A program in another language that names no interpreter: a shell would try to run it, with a strange error for each line. */
function ofAnotherLanguage(text: string, { value, assignment }: Chosen): { readonly fault: Fault } | undefined {
  const path = String(value)
  const [, ending = ''] = /\.(\w+)$/.exec(path) ?? []
  if (!/^(?:py|ipynb|r|jl|js|mjs|rb|pl)$/i.test(ending) || unmarked(text).startsWith('#!')) return undefined
  const hint = 'start it with a command like "python3 train.py", or begin it with a line like "#!/usr/bin/env python3"'
  return { fault: fault(assignment.as, `${quoted(path)} names no interpreter, and so would run as a shell script`, hint) }
}

function checked(text: string, { assignment }: Chosen): ProgramText | { readonly fault: Fault } {
  return text.trim() === '' ? { fault: fault(assignment.as, 'is empty') } : { script: asOnUnix(text) }
}

/** Editors on Windows end lines with CR LF and begin a file with a byte order mark. Shells understand neither, nor does the kernel at `#!`. */
function asOnUnix(text: string): string {
  const plain = unmarked(text)
  return /^[^\n]*\r\n/.test(plain) ? plain.replaceAll('\r\n', '\n') : plain
}
