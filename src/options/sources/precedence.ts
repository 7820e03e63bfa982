/** Which of several sources of one option wins: the command itself, then a variable, then `tpi.yaml`. */
import type { ValueSource } from './assignment.ts'

/** Two sources of the same rank that both set an option contradict each other. */
const RANKS: Readonly<Record<ValueSource, number>> = { argument: 3, flag: 3, input: 3, variable: 2, file: 1 }

export function rankOf(assignment: { readonly source: ValueSource }): number {
  return RANKS[assignment.source]
}

/** What a person wrote into the command, or into the step of a workflow. */
export function isOfCommand(assignment: { readonly source: ValueSource }): boolean {
  return rankOf(assignment) === RANKS.flag
}
