/** `tpi retry`: re-runs jobs whose machine was taken away, and restarts runners that jobs are waiting for. */
import { describeError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { changeRecord } from '../engine/change-record.ts'
import { type Deployment, ownsStore, readSpec } from '../engine/deployment.ts'
import { openSighting, sightings } from '../engine/find.ts'
import { lookAndClose } from '../engine/follow/one-look.ts'
import { plural } from '../lib/text.ts'
import { slotsWithCauses } from '../runner/outgrown-machines.ts'
import { repositoriesOf, rerunCutOff, waitingJobs } from '../runner/rerun.ts'
import { currentKey } from '../wire/layout.ts'
import { CURRENT } from '../wire/records.ts'
import { isTerminal } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'
import { goneRunners, startGone } from './runner/gone-runners.ts'
import { forgeOf } from './runner/recorded-forge.ts'
import { finishRelaunch, relaunch, unfinishedRelaunches } from './runner/relaunch.ts'
import type { Retried } from './runner/retried.ts'
import { checkedClouds } from './shared/checked-clouds.ts'
import type { VerbContext } from './shared/context.ts'
import { meantAlive, sightingOf } from './shared/find-run.ts'
import { sameHouse } from './shared/ownership.ts'
import { Losses } from './shared/partial-failures.ts'
import { KilledStarts, undoCutOff } from './shared/undo-killed-start.ts'

export async function retry(context: VerbContext): Promise<number> {
  const { values, host, signals } = context
  const done: Retried[] = []
  // Even with a name: a deployment that cannot be read may not be the named one.
  const losses = new Losses(context, 'several')
  /** A failure is reported, and the others are handled anyway. */
  const heed: Heed = async ({ name, id }, act) => {
    try {
      done.push(...(await act()))
    } catch (error) {
      if (signals.first.aborted || values.name !== undefined) throw error
      losses.tell(name, error)
      done.push({ name, id, runs: [], waiting: 0, alive: 0, relaunched: false, error: host.words(describeError(error)) })
    }
  }
  const open = await unfinishedRelaunches(context, losses)
  for (const { d, current } of open) await heed(d, async () => finishRelaunch(context, d, current))
  const gone = await goneRunners(context)
  const killed = new KilledStarts(context)
  const others = open.length > 0 && values.name !== undefined ? [] : await candidates(context, heed, killed, gone.length > 0)
  for (const { d, spec } of others)
    if (!open.some((one) => one.d.id === d.id)) await heed(d, async () => [await retryOne(context, d, spec)])
  const seen = [...open, ...others].map(({ d }) => d.id)
  for (const one of gone) if (!seen.includes(one.place.id)) await heed(one.place, async () => [await startGone(context, one)])
  if (values.json) host.facts(done)
  else if (done.length === 0) host.print(`there are no runners${await checkedClouds(context)}`)
  else for (const one of done) host.print(lineOf(one))
  await killed.undo()
  if (losses.code !== EXIT.ok) return losses.end()
  // Has to be run again later: GitHub re-runs nothing before the workflow run has ended.
  return done.some(({ runs }) => runs.some(({ how }) => how === 'waiting')) ? EXIT.running : EXIT.ok
}

interface Candidate {
  readonly d: Deployment
  readonly spec: RunnerSpec
}

type Heed = (which: Pick<Deployment, 'name' | 'id'>, act: () => Promise<readonly Retried[]>) => Promise<void>

/** The named one, or every group of runners of this repository. */
async function candidates(context: VerbContext, heed: Heed, killed: KilledStarts, gone: boolean): Promise<Candidate[]> {
  const { values, owner } = context
  const all = await sightings(await context.clouds())
  const named = values.name === undefined ? undefined : await sightingOf(context, values.name, all)
  // It may have no group any more, and still be on record.
  if (values.name !== undefined && !named) return gone ? [] : undone(context, await meantAlive(context))
  const chosen = named ? [named] : all.filter(({ found }) => found.tags.mode === 'runner' && sameHouse(owner, found.tags.origin))
  const read = await Promise.all(
    chosen.map(async (sighting) => {
      let found: readonly Candidate[] = []
      await heed(sighting.found.tags, async () => {
        const d = await openSighting(sighting, context.access)
        if (named) found = await undone(context, d)
        else if (!(await killed.isStart(d, sighting))) found = await runnersOnly(d)
        return []
      })
      return found
    }),
  )
  return read.flat()
}

/** Once an interrupted start of it, if it is one, has been undone. */
async function undone(context: VerbContext, d: Deployment): Promise<Candidate[]> {
  await undoCutOff(context, d)
  return runnersOnly(d)
}

async function runnersOnly(d: Deployment): Promise<Candidate[]> {
  const spec = await readSpec(d)
  return spec?.mode === 'runner' ? [{ d, spec }] : []
}

async function retryOne(context: VerbContext, d: Deployment, spec: RunnerSpec): Promise<Retried> {
  const { engine, signals } = context
  await lookAndClose(engine, d, signals.first)
  const slots = await slotsWithCauses(engine, d, spec, signals.first)
  const { forge: forgeId, scope, labels, relaunch: request } = spec.runner
  const forge = await forgeOf(context, d, { forge: forgeId, scope, again: { labels, request } })
  const repositories = repositoriesOf(spec, slots)
  const { runs, left } = await rerunCutOff(engine.clock, { d, spec, slots, forge, repositories })
  const alive = slots.filter((slot) => !isTerminal(slot.state)).length
  const waiting = alive === 0 ? await waitingJobs(engine.clock, forge, { labels, repositories, runs }, signals.first) : 0
  let relaunched = false
  if (waiting > 0) {
    relaunched = await relaunch(context, {
      d,
      facts: { since: engine.clock.date().toISOString(), labels, request, repositories, ...(left && { earlier: left }) },
      registry: { forge: forgeId, scope },
      forge,
      waiting,
    })
  } else if (alive === 0 && !left) await letGo(d)
  return { name: d.name, id: d.id, runs, waiting, alive, relaunched }
}

/** No job waits for these runners any more. Noted, so that a store of their own need not stay, and ends itself. */
async function letGo(d: Deployment): Promise<void> {
  if (!ownsStore(d)) return
  await changeRecord(CURRENT, d.store, currentKey(d.id), (now) =>
    now?.incarnation === d.incarnation && !now.settled ? { ...now, settled: true } : undefined,
  )
}

function lineOf({ name, runs, waiting, alive, relaunched, error }: Retried): string {
  if (error !== undefined) return `${name}: not everything could be done: ${error}`
  const lines = runs.map(({ says }) => `${name}: ${says}`)
  if (relaunched) lines.push(`${name}: started again for ${plural(waiting, 'waiting job')}`)
  const there = `${plural(alive, 'runner is', 'runners are')} there, at work or waiting for jobs`
  const nothing = `nothing to do: none of its jobs was cut off, and ${alive > 0 ? there : 'none waits for it'}`
  return lines.length > 0 ? lines.join('\n') : `${name}: ${nothing}`
}
