/** A vendor's messages about a group → messages for people, by a table of the vendor's words. */
import type { CloudEvent } from '../../core/cloud.ts'

export interface Said extends Pick<CloudEvent, 'kind' | 'text' | 'hopeless' | 'option'> {
  /** It holds for spot machines, and not for those at full price. */
  readonly spotOnly?: true
}

export interface Reason extends Said {
  /** Tested against the vendor's codes and sentences. */
  readonly test: RegExp
}

/**
 * Why a machine could not be made, by the first row that matches. The vendor's own words follow in brackets: they name zone, type and number. `code`:
 * the vendor's, if it gives one beside its message.
 */
export function reasonIn(rows: readonly Reason[], message: string, code = ''): Said {
  const own = (message.includes(code) ? message : `${code}: ${message}`).replace(/\s+/g, ' ').trim()
  const row = rows.find(({ test }) => test.test(own))
  if (!row) return { kind: 'failure', text: `a machine could not be started: ${own}` }
  const { test: _, ...said } = row
  return { ...said, text: `${said.text} (${own})` }
}

/** How a machine ended, for people. */
export type End = Pick<CloudEvent, 'kind' | 'text'>
