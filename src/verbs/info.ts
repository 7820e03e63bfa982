/** Verbs that print facts about the program itself, and ask no cloud: help, version, options, completion. */
import { PROGRAM, VERSION } from '../core/product-version.ts'
import { renderCompletion } from '../options/derive/completion.ts'
import { WIDTH } from '../options/derive/describe.ts'
import { renderHelp, renderTopic } from '../options/derive/help.ts'
import { optionFact, optionFacts, renderOption, renderOptions } from '../options/derive/listing.ts'
import type { Parsed } from '../options/parse.ts'
import { optionMeant, type Table } from '../options/rows/table.ts'
import { topicMeant } from '../options/rows/topics.ts'
import { isVerb, type VerbName } from '../options/rows/verbs.ts'
import type { ActingVerb } from './index.ts'

export type InfoVerb = Exclude<VerbName, ActingVerb>

const infoVerbs: Readonly<Record<InfoVerb, (table: Table, parsed: Parsed, width: number | undefined) => string>> = {
  help: (table, { values: { topic } }, width) => (topic === undefined ? renderHelp(table, undefined, width) : explain(table, topic, width)),
  version: (_table, { values }) => (values.json ? JSON.stringify({ version: VERSION, node: process.versions.node }, null, 2) : PROGRAM),
  options: (table, { values: { topic, json } }, width) => {
    const option = topic === undefined || isVerb(topic) ? undefined : optionMeant(table, topic)
    if (json) return JSON.stringify(option === undefined ? optionFacts(table, topic) : optionFact(table, option), null, 2)
    return option === undefined ? renderOptions(table, topic, width) : renderOption(table, option, width)
  },
  completion: (table, { values }) => renderCompletion(table, values.shell ?? 'bash'),
}

/** The parser has made sure that `topic` is a verb, an option or a subject. */
function explain(table: Table, topic: string, width: number | undefined): string {
  if (isVerb(topic)) return renderHelp(table, topic, width)
  const option = optionMeant(table, topic)
  if (option !== undefined) return renderOption(table, option, width)
  const subject = topicMeant(topic)
  return subject === undefined ? '' : renderTopic(subject, width)
}

/** `columns`: of the terminal, if there is one; 0 if it does not say. */
export function answerInfo(table: Table, verb: InfoVerb, parsed: Parsed, columns?: number): string {
  return infoVerbs[verb](table, parsed, columns ? Math.min(columns, WIDTH) : undefined).trimEnd()
}
