/** What a task command does if a run of its name exists. Pure. */
import { InputError } from '../core/errors.ts'
import { differences } from '../engine/create/fingerprint.ts'
import { areTwins, twins } from '../engine/owner/twin-jobs.ts'
import type { Origin } from '../wire/records.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'

export interface Met {
  readonly spec: TaskSpec
  readonly slots: readonly SlotRecord[]
  readonly collected: boolean
}

export interface Comer {
  readonly fingerprint: Readonly<Record<string, string>>
  readonly origin: Origin
  readonly ifExists: 'attach' | 'replace' | 'fail' | undefined
  readonly resume: boolean
}

/**
 * `attach`: follow it, or deliver its results · `anew`: it is over, so make a new incarnation · `resume`: make a new one from its last snapshots ·
 * `replace`: end it first
 */
export type Meeting = 'attach' | 'anew' | 'resume' | 'replace'

export function meet(there: Met, comer: Comer): Meeting {
  const { spec } = there
  const { origin } = comer
  const sameRun = origin.run !== undefined && origin.run === spec.origin.run
  if (sameRun && origin.step !== spec.origin.step)
    throw new InputError(`name: "${spec.name}" is already used by another step or matrix leg of this run`, {
      hint: 'give each its own name, for example name: fit-${{ matrix.leg }}, or none at all',
    })
  const over = there.slots.every((slot) => isTerminal(slot.state))
  const failed = over && there.slots.some((slot) => slot.state !== 'succeeded')
  if (comer.resume && failed) return 'resume'
  if (comer.ifExists === 'replace') return 'replace'
  if (over && there.collected) return 'anew'
  if (areTwins(origin, spec.origin) && comer.ifExists === undefined) throw twins(spec, '`if-exists: attach` if they should share one run')
  const different = differences(spec.fingerprint, comer.fingerprint)
  if (comer.ifExists === 'fail') throw exists(spec, over, 'if-exists is "fail"')
  if (comer.ifExists === 'attach' || different.length === 0) return 'attach'
  // A person who has edited files while a run goes on wants to see that run. A CI job that runs again wants its results, whatever its earlier steps
  // have built anew. A CI job of another commit wants a run of its own.
  if (isEditedOnly(different) && (sameRun || (!over && origin.run === undefined))) return 'attach'
  throw exists(spec, over, `it differs in: ${different.join(', ')}`)
}

/** Nothing differs but the files of the work directory. */
const isEditedOnly = (different: readonly string[]): boolean => different.length === 1 && different[0] === 'workdir'

function exists(spec: TaskSpec, over: boolean, why: string): InputError {
  const what = over ? 'has ended and was not collected' : 'is still running'
  return new InputError(`name: "${spec.name}" (${spec.id}) has existed since ${spec.createdAt} and ${what}; ${why}`, {
    hint: over
      ? `use another name; or \`tpi collect ${spec.name}\` brings its results first, and \`if-exists: replace\` saves what is there and starts again`
      : 'use another name; or `if-exists: attach` to follow it as it is, or `if-exists: replace` to stop it, save what is there and start again',
  })
}
