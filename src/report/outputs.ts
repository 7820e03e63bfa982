/** The outputs that later steps and jobs get of a run. */
import { isOutputName } from '../core/host.ts'
import { plainJson } from '../lib/control-characters.ts'
import { costOf, hoursOf, type RunReport, shortNumber } from './run.ts'

/** tpi's own outputs, by name; a value that is not known has no entry. */
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
    result: plainJson(run.result, 0),
    'output-dir': delivery && delivery.folder !== '' ? delivery.folder : undefined,
    'artifact-id': artifact?.id,
    'artifact-url': artifact?.url,
    cost: cost === undefined ? undefined : shortNumber(cost),
    'machine-hours': shortNumber(hoursOf(run)),
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export interface OwnOutputs {
  readonly values: Readonly<Record<string, string>>
  /** Name → why the value is not an output. */
  readonly refused: ReadonlyMap<string, string>
}

/**
 * The values that the script of a run with one slot has written, each as an output of its own. `taken`: names of tpi's outputs, which a value cannot
 * have, however it spells them.
 */
export function ownOutputs(run: RunReport, taken: readonly string[]): OwnOutputs {
  const [only, ...others] = run.status.slots
  const outputs = only && others.length === 0 ? Object.entries(only.outputs) : []
  const refused = new Map<string, string>()
  for (const [name] of outputs) {
    if (!isOutputName(name)) refused.set(name, 'its name must be a letter or "_", followed by letters, digits, "_", "-" and "."')
    else if (taken.includes(name.toLowerCase().replace(/[^a-z0-9]+/g, '-'))) refused.set(name, 'tpi has an output of that name')
  }
  return { values: Object.fromEntries(outputs.filter(([name]) => !refused.has(name))), refused }
}
