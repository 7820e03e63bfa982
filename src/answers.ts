/** Verbs that only tell what the program knows of itself. */
import { renderCompletion } from './options/derive/completion.ts'
import { renderHelp } from './options/derive/help.ts'
import { optionFacts, renderOptions } from './options/derive/listing.ts'
import type { Parsed } from './options/parse.ts'
import type { Table } from './options/rows/table.ts'
import { isVerb, type VerbName } from './options/rows/verbs.ts'
import type { ActingVerb } from './verbs/index.ts'
import { VERSION } from './version.ts'

export type AnsweringVerb = Exclude<VerbName, ActingVerb>

const answers: Readonly<Record<AnsweringVerb, (table: Table, parsed: Parsed) => string>> = {
  help: (table, { values }) => (values.verb !== undefined && isVerb(values.verb) ? renderHelp(table, values.verb) : renderHelp(table)),
  version: (_table, { values }) =>
    values.json
      ? JSON.stringify({ version: VERSION, node: process.versions.node }, null, 2)
      : `tpi ${VERSION} (Node.js ${process.versions.node})`,
  options: (table, { values }) =>
    values.json ? JSON.stringify(optionFacts(table, values.verb), null, 2) : renderOptions(table, values.verb),
  completion: (table, { values }) => renderCompletion(table, values.shell ?? 'bash'),
}

export function answer(table: Table, verb: AnsweringVerb, parsed: Parsed): string {
  return answers[verb](table, parsed).trimEnd()
}
