/** A group as seen from outside, by its folder and the process table: none of its processes is needed for that. */
import type { Machine, Observation } from '../../core/cloud.ts'
import { cloudEvent } from '../../core/tags.ts'
import { bootNow } from '../../lib/clock.ts'
import { readJsonLines, tail } from '../../lib/files.ts'
import { latestClaim } from './claim.ts'
import { hardDue } from './deadline.ts'
import { exists } from './folder.ts'
import { type Known, type KnownGroup, machinesOf, unfinished } from './home.ts'
import { isHere } from './host-identity.ts'
import { agentLives, mayLiveElsewhere } from './reap.ts'
import { inOffice } from './recover.ts'

const LOG_BYTES = 4096

export async function observeGroup(known: KnownGroup): Promise<Observation> {
  const { group, record } = known
  const past = bootNow() >= hardDue(record)
  const supervised = inOffice(await latestClaim(group))
  const [{ count }, found, events] = await Promise.all([
    group.wanted(),
    machinesOf(group),
    readJsonLines(group.path('events.jsonl'), cloudEvent),
  ])
  const wanted = past ? 0 : unfinished(found, count)
  const machines = await Promise.all(found.map(async (machine) => describe(machine, supervised, past)))
  const empty = machines.every((machine) => machine.state === 'gone')
  return { phase: wanted === 0 && empty ? 'stopped' : 'up', wanted, machines, events }
}

async function describe({ folder, record }: Known, supervised: boolean, past: boolean): Promise<Machine> {
  const { config, process, exit } = record
  const state = stateOf({ folder, record }, supervised, past)
  const log = state === 'gone' || state === 'starting' ? await tail(folder.path('agent.log'), LOG_BYTES) : ''
  return {
    id: folder.name,
    state,
    ...(config.index !== undefined && { index: config.index }),
    ...(config.address !== undefined && { address: config.address }),
    ...(process && { startedAt: process.at }),
    ...(exit && { reason: exit.reason }),
    ...(log !== '' && { bootLog: log }),
  }
}

function stateOf({ folder, record }: Known, supervised: boolean, past: boolean): Machine['state'] {
  const { process, exit } = record
  if (exit) return 'gone'
  // Without a supervisor, it will never start; the recovery of the group records its end.
  if (!process) return supervised ? 'starting' : 'leaving'
  if (!isHere(process.place) && past) return 'gone'
  if (mayLiveElsewhere(folder, record)) return 'running'
  // Its agent is gone, but its script may still run: "gone" means that nothing of it runs.
  if (!agentLives(record)) return 'leaving'
  if (exists(folder.path('notice.json')) || exists(folder.path('departure.json'))) return 'leaving'
  return exists(folder.path('beat')) ? 'running' : 'starting'
}
