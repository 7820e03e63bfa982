/** Verbs that only tell what the program knows of itself. */
import { renderCompletion } from './options/derive/completion.ts'
import { renderHelp, renderTopic } from './options/derive/help.ts'
import { optionFact, optionFacts, renderOption, renderOptions } from './options/derive/listing.ts'
import type { Parsed } from './options/parse.ts'
import { optionMeant, type Table } from './options/rows/table.ts'
import { isTopic } from './options/rows/topics.ts'
import { isVerb, type VerbName } from './options/rows/verbs.ts'
import type { ActingVerb } from './verbs/index.ts'
import { VERSION } from './version.ts'

export type AnsweringVerb = Exclude<VerbName, ActingVerb>

const answers: Readonly<Record<AnsweringVerb, (table: Table, parsed: Parsed) => string>> = {
  help: (table, { values: { topic } }) => (topic === undefined ? renderHelp(table) : explain(table, topic)),
  version: (_table, { values }) =>
    values.json
      ? JSON.stringify({ version: VERSION, node: process.versions.node }, null, 2)
      : `tpi ${VERSION} (Node.js ${process.versions.node})`,
  options: (table, { values: { topic, json } }) => {
    const option = topic === undefined || isVerb(topic) ? undefined : optionMeant(table, topic)
    if (json) return JSON.stringify(option === undefined ? optionFacts(table, topic) : optionFact(table, option), null, 2)
    return option === undefined ? renderOptions(table, topic) : renderOption(table, option)
  },
  completion: (table, { values }) => renderCompletion(table, values.shell ?? 'bash'),
}

/** What the parser let through is one of these. */
function explain(table: Table, topic: string): string {
  if (isVerb(topic)) return renderHelp(table, topic)
  return isTopic(topic) ? renderTopic(topic) : renderOption(table, optionMeant(table, topic) ?? '')
}

export function answer(table: Table, verb: AnsweringVerb, parsed: Parsed): string {
  return answers[verb](table, parsed).trimEnd()
}
