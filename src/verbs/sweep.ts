/** `tpi sweep`: lists what is past its time, as `engine/destroy/sweep.ts` finds it. With `--yes`, gives it back. */
import { EXIT } from '../core/exit-codes.ts'
import { LeftOutError } from '../core/tags.ts'
import { readSlots, readSpec } from '../engine/deployment.ts'
import { destroy as destroyAlone } from '../engine/destroy/destroy.ts'
import { endOverdue } from '../engine/destroy/spare.ts'
import { type Abandoned, findAbandoned, tidyStores } from '../engine/destroy/sweep.ts'
import { type OpenCloud, sightings } from '../engine/find.ts'
import { columns, plural } from '../lib/text.ts'
import { runnerName } from '../runner/names.ts'
import { staleRegistrations } from '../runner/stale-registrations.ts'
import { isTerminal } from '../wire/slot.ts'
import { chosenForge, hasLogin, openForge, targetOf } from './runner/forge.ts'
import { unregisterAround, unregisterOrWarn } from './runner/unregister.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import { refuseClockAhead, warnOfClock } from './shared/clock-here.ts'
import type { VerbContext } from './shared/context.ts'
import { destroyOne } from './shared/destroy-one.ts'
import { Losses } from './shared/partial-failures.ts'
import { removeProbes } from './shared/probe-store.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly cloud: string
  readonly reason: string
  readonly removed: boolean
  /** ISO: only its machines are removed (`removed` is false), and the rest stays until then. */
  readonly keptUntil: string | null
}

export async function sweep(context: VerbContext): Promise<number> {
  const { values, host, engine } = context
  const losses = new Losses(context, 'several')
  const failed = (error: unknown): void => losses.count(error)
  const limits = { named: await context.storage(), ttl: values['lease-ttl'] * 1000, failed }
  const found = await findAbandoned(engine, await context.clouds(), context.access, limits)
  if (values.yes && found.length > 0) refuseClockAhead(context)
  warnOfClock(context)
  const rows: Row[] = []
  for (const one of found) {
    const { d, reason, until = null } = one
    const { id, name, cloudId: cloud } = d
    const done = values.yes ? await losses.heed(`could not remove ${id}`, async () => giveBack(context, one)) : { keptUntil: until }
    rows.push({ id, name, cloud, reason, removed: false, keptUntil: null, ...done })
  }
  if (values.yes) await tidyStores(await context.clouds(), context.access, limits)
  if (values.yes) await losses.heed('storage', async () => removeProbes(context))
  // Last, so that a forge that does not answer cannot hold up the removal of what costs money.
  if (values.yes) await losses.heed('registrations of runners that ended', async () => removeEndedRegistrations(context, losses))
  rows.push(...((await losses.heed('registrations without a machine', async () => sweepRegistrations(context, losses))) ?? []))
  if (values.json) host.facts(rows)
  else if (rows.length === 0) host.print(`nothing is past its time${await checkedClouds(context)}`)
  else
    host.print(
      columns([
        ['NAME', 'CLOUD', 'REASON', values.yes ? 'REMOVED' : '', 'ID'],
        ...rows.map((row) => [row.name, row.cloud, row.reason, values.yes ? removedOf(row) : '', row.id]),
      ]).join('\n'),
    )
  if (losses.code !== EXIT.ok) return losses.end()
  if (rows.length > 0 && !values.yes) {
    host.info('nothing was removed: run `tpi sweep --yes` to remove it')
    return EXIT.found
  }
  return EXIT.ok
}

function removedOf({ removed, keptUntil }: Row): string {
  if (removed) return 'yes'
  return keptUntil === null ? 'no' : 'machines'
}

/** Removes everything of it, or only the machines, as long as the rest is to be kept. */
async function giveBack(
  context: VerbContext,
  { d, orphan, judged, sparing }: Abandoned,
): Promise<Pick<Row, 'removed'> | Pick<Row, 'keptUntil'>> {
  const { engine, host, signals } = context
  const kept = sparing ? await endOverdue(engine, d, signals.first) : 'nothing'
  if (typeof kept === 'object') {
    const { spec, until } = kept
    host.info(
      `${d.name}: its machines are removed; ${spec.mode === 'task' ? 'checkpoints, results' : 'records'} and logs stay until ${until}`,
    )
    if (spec.mode === 'runner') await unregisterAround(context, kept.d, spec.runner)
    return { keptUntil: until }
  }
  const how = { why: 'sweep', judged, ...(kept === 'silent' && { storeIsSilent: true }) } as const
  const remains = orphan ? await destroyAlone(engine, d, how) : (await destroyOne(context, d, how)).remains
  return { removed: remains !== 'kept' }
}

/** Registrations without a machine, at the named forge or that of this CI job. */
async function sweepRegistrations(context: VerbContext, losses: Losses): Promise<readonly Row[]> {
  const { values, host, engine, env } = context
  const descriptor = chosenForge(context)
  if (!hasLogin(context)) return []
  if (!targetOf(context) && !descriptor.ci.detect(env)) return []
  const found = await staleRegistrations(
    await openForge(context, descriptor),
    await livingRunners(await context.clouds()),
    engine.clock.date(),
    values.yes,
  )
  for (const { name, fault } of found) if (fault) losses.tell(name, fault)
  const fresh = found.filter(({ due }) => !due)
  if (values.yes && fresh.length > 0)
    host.info(
      `${plural(fresh.length, 'registration')} without a machine noted: a sweep between an hour and a week from now removes those that still have none`,
    )
  return found
    .filter(({ due }) => due)
    .map(({ id, name, removed }) => ({
      id,
      name,
      cloud: descriptor.id,
      reason: 'registration without a machine',
      removed,
      keptUntil: null,
    }))
}

/** How names of runners begin that belong to a run: also to one of another version of tpi, which is left alone with all that it has. */
export async function livingRunners(clouds: readonly OpenCloud[]): Promise<string[]> {
  const others: string[] = []
  const faults: unknown[] = []
  const seen = await sightings(clouds, (_cloud, error, id) => {
    if (error instanceof LeftOutError && id !== undefined) others.push(id)
    else faults.push(error)
  })
  if (faults.length > 0) throw faults[0]
  return [...others, ...seen.map(({ found }) => found.tags.id)].map((id) => runnerName(id))
}

/** Removes registrations of ended runners, even if their records are kept for a while. */
async function removeEndedRegistrations(context: VerbContext, losses: Losses): Promise<void> {
  if (!hasLogin(context)) return
  const runners = (await sightings(await context.clouds())).filter(({ found }) => found.tags.mode === 'runner')
  const ended = await losses.read(runners, async (d) => {
    const spec = await readSpec(d)
    if (spec?.mode !== 'runner') return undefined
    const slots = await readSlots(d, spec.count)
    return slots.every(({ record }) => isTerminal(record.state)) ? { d, spec } : undefined
  })
  // Only those of this incarnation: runners that were started since may have the same name.
  for (const { d, spec } of ended) await unregisterOrWarn(context, d, spec.runner, 'incarnation')
}
