/** What a vendor says of a group's doings → what we say to people, by a table of its own words. */
import type { CloudEvent } from '../../core/cloud.ts'

export type Said = Pick<CloudEvent, 'kind' | 'text' | 'hopeless' | 'option'>

export interface Reason extends Said {
  /** Against codes and sentences of the vendor's. */
  readonly test: RegExp
}

/** Of a machine that could not be made, by the first row that fits. The vendor's own words stand behind ours: they name zone, type and number. */
export function reasonIn(rows: readonly Reason[], text: string): Said {
  const own = text.replace(/\s+/g, ' ').trim()
  const row = rows.find(({ test }) => test.test(own))
  if (!row) return { kind: 'failure', text: `a machine could not be started: ${own}` }
  const { test: _, ...said } = row
  return { ...said, text: `${said.text} (${own})` }
}

/** How a machine ended, for people. */
export type End = Pick<CloudEvent, 'kind' | 'text'>
