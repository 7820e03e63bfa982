/** Verbs that print what the program knows of itself, and ask no cloud: help, version, options, completion. */

import { VERSION } from '../core/product-version.ts'
import { renderCompletion } from '../options/derive/completion.ts'
import { renderHelp, renderTopic } from '../options/derive/help.ts'
import { optionFact, optionFacts, renderOption, renderOptions } from '../options/derive/listing.ts'
import type { Parsed } from '../options/parse.ts'
import { optionMeant, type Table } from '../options/rows/table.ts'
import { topicMeant } from '../options/rows/topics.ts'
import { isVerb, type VerbName } from '../options/rows/verbs.ts'
import type { ActingVerb } from './index.ts'

export type InfoVerb = Exclude<VerbName, ActingVerb>

const infoVerbs: Readonly<Record<InfoVerb, (table: Table, parsed: Parsed) => string>> = {
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
  const option = optionMeant(table, topic)
  const subject = option === undefined ? topicMeant(topic) : undefined
  return subject === undefined ? renderOption(table, option ?? '') : renderTopic(subject)
}

export function answerInfo(table: Table, verb: InfoVerb, parsed: Parsed): string {
  return infoVerbs[verb](table, parsed).trimEnd()
}
