/** The values that later steps and jobs get of a run. */
import { costOf, machineHours, type RunReport, shortNumber } from './run.ts'

/** By output name of the action; what is not known has no entry. */
export function outputsOf(run: RunReport): Record<string, string> {
  const { status, delivery, artifact } = run
  const { slots, origin } = status
  const cost = costOf(run)
  const found: Record<string, string | undefined> = {
    id: status.id,
    name: status.name,
    status: status.state,
    outcome: status.outcome,
    'exit-code': status.exitCode === null ? undefined : String(status.exitCode),
    'exit-codes': JSON.stringify(slots.map((slot) => slot.exitCode)),
    attempts: JSON.stringify(slots.map((slot) => slot.attempts.length)),
    attached: String(run.attached),
    'started-at': status.createdAt,
    commit: origin.commit,
    result: JSON.stringify(run.result),
    'output-dir': delivery && delivery.folder !== '' ? delivery.folder : undefined,
    'artifact-id': artifact?.id,
    'artifact-url': artifact?.url,
    cost: cost === undefined ? undefined : shortNumber(cost),
    'machine-hours': shortNumber(machineHours(run)),
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** What a single machine's program handed over, each as an output of its own; names of ours stay ours. */
export function ownOutputs(
  run: RunReport,
  taken: readonly string[],
): { readonly values: Record<string, string>; readonly refused: readonly string[] } {
  const [only, ...others] = run.status.slots
  if (!only || others.length > 0) return { values: {}, refused: [] }
  const refused = Object.keys(only.outputs).filter((name) => taken.includes(name.toLowerCase().replaceAll('_', '-')))
  return { values: Object.fromEntries(Object.entries(only.outputs).filter(([name]) => !refused.includes(name))), refused }
}
