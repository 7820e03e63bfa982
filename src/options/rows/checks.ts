/** Checks of options against each other. */
import type { Fault } from '../../core/errors.ts'
import { didYouMean } from '../../lib/nearest.ts'
import { listed, quoted } from '../../lib/text.ts'
import { type Assignment, fault } from '../sources/assignment.ts'
import { rankOf } from '../sources/precedence.ts'
import { type OptionValues, optionMeant, spelled, type Table } from './table.ts'
import { TOPIC_WORDS, topicMeant } from './topics.ts'
import { describes, isVerb, type VerbName } from './verbs.ts'

export interface Chosen {
  readonly assignment: Assignment
  readonly value: unknown
}

/**
 * Of two options that exclude each other, removes the one from the weaker source from `chosen`. If both sources are equally strong, that is
 * a fault.
 */
export function settleExclusions(table: Table, chosen: Map<string, Chosen>): Fault[] {
  const faults: Fault[] = []
  for (const [name, one] of chosen) {
    for (const otherName of table.rows[name]?.excludes ?? []) {
      const other = chosen.get(otherName)
      if (!other || !chosen.has(name) || one.value === false || other.value === false) continue
      const difference = rankOf(one.assignment) - rankOf(other.assignment)
      if (difference > 0) chosen.delete(otherName)
      else if (difference < 0) chosen.delete(name)
      else if (!isSecondOfPair(table, name, otherName))
        faults.push(fault(one.assignment.as, `cannot be given together with ${other.assignment.as}`))
    }
  }
  return faults
}

/** Options that exclude each other mutually are reported once. */
function isSecondOfPair(table: Table, name: string, other: string): boolean {
  return (table.rows[other]?.excludes?.includes(name) ?? false) && name > other
}

/** `wrong`: options whose own value is a fault already: nothing is concluded from their absence. */
export function crossFaults(
  table: Table,
  verb: VerbName,
  chosen: ReadonlyMap<string, Chosen>,
  wrong: ReadonlySet<string>,
  values: OptionValues,
): Fault[] {
  const faults: Fault[] = []
  const cloud = wrong.has('cloud') ? undefined : table.clouds.find(({ id }) => id === values.cloud)
  for (const [name, { assignment, value }] of chosen) {
    const row = table.rows[name]
    if (!row || value === false) continue
    for (const needed of row.requires ?? [])
      if (!chosen.has(needed) && !wrong.has(needed)) faults.push(fault(assignment.as, `needs ${quoted(needed)} too`))
    if (cloud && row.clouds && !row.clouds.includes(values.cloud))
      faults.push(fault(assignment.as, `is not for cloud ${quoted(values.cloud)}`, `it belongs to ${row.clouds.join(', ')}`))
    if (row.can && cloud && !(cloud.can as Readonly<Record<string, boolean>>)[row.can]) {
      faults.push(fault(assignment.as, `cloud ${quoted(cloud.id)} cannot do that`, row.otherwise))
    }
  }
  faults.push(...topicFaults(table, verb, chosen.get('topic')))
  return describes(verb) ? [...faults, ...taskFaults(chosen, wrong, values)] : faults
}

function topicFaults(table: Table, verb: VerbName, topic: Chosen | undefined): Fault[] {
  const word = String(topic?.value)
  const subjects = verb === 'help' ? TOPIC_WORDS : []
  if (!topic || isVerb(word) || optionMeant(table, word) !== undefined) return []
  if (verb === 'help' && topicMeant(word) !== undefined) return []
  const known = [...(table.rows['topic']?.suggests ?? []), ...subjects]
  const hint = didYouMean(spelled(word), known, 'see "tpi help" and "tpi options"')
  return [
    fault(
      '',
      `${quoted(word)} is neither ${listed(['a verb', 'an option', ...(subjects.length > 0 ? ['a subject'] : [])], 'nor')} of tpi`,
      hint,
    ),
  ]
}

/** Warnings of options that have no effect on this cloud: one for each thing that it does not have. */
export function ineffective(table: Table, chosen: ReadonlyMap<string, Chosen>, values: OptionValues): string[] {
  const cloud = table.clouds.find(({ id }) => id === values.cloud)
  const can = (cloud?.can ?? {}) as Readonly<Record<string, boolean>>
  const idle = new Map<string, string[]>()
  for (const [name, { assignment, value }] of chosen) {
    const wanted = table.rows[name]?.wants
    if (wanted === undefined || can[wanted] !== false || value === 'false') continue
    idle.set(wanted, [...(idle.get(wanted) ?? []), assignment.as])
  }
  return [...idle].map(
    ([wanted, names]) => `${names.join(', ')}: no effect, cloud ${quoted(values.cloud)} has no ${wanted} machines to ask for`,
  )
}

function taskFaults(chosen: ReadonlyMap<string, Chosen>, wrong: ReadonlySet<string>, values: OptionValues): Fault[] {
  const faults: Fault[] = []
  const as = (name: string) => chosen.get(name)?.assignment.as ?? name
  if (values['max-price'] !== undefined && values.spot === 'false' && !wrong.has('spot')) {
    faults.push(fault(as('max-price'), 'is only for spot machines', 'add "spot: true" or "spot: prefer"'))
  }
  if (values['spot-wait'] !== undefined && values.spot !== 'prefer' && !wrong.has('spot')) {
    faults.push(fault(as('spot-wait'), 'is only for "spot: prefer"', 'add it'))
  }
  if (values['retry-on'].length > 0 && values.retries === 0 && !wrong.has('retries'))
    faults.push(fault(as('retry-on'), 'needs "retries" of at least 1'))
  if (values['lease-ttl'] < 2 * values['lease-beat']) {
    faults.push(fault(as('lease-ttl'), 'must be at least twice TPI_LEASE_BEAT', 'one late beat would otherwise cost a machine its slot'))
  }
  return faults
}
