/** Recovers from crashes of tpi's own processes: dead supervisors, machines without one, groups past their deadline. */
import { bootId, bootNow } from '../../lib/clock.ts'
import { signalProcess } from '../../lib/process.ts'
import { latestClaim, type SupervisorClaim } from './claim.ts'
import { hardDue } from './deadline.ts'
import type { Group, GroupRecord } from './folder.ts'
import { type Known, type KnownGroup, machinesOf, unfinished } from './home.ts'
import { launchSupervisor } from './launch.ts'
import { agentLives, reap, unwatchedEnd } from './reap.ts'

/** A supervisor is in office and works. */
export function inOffice(claim: SupervisorClaim | undefined): boolean {
  return claim !== undefined && !claim.over && !claim.hung
}

/** Recovers one group; resolves to what was done, one line each. Quiet and cheap if a supervisor is in office or nothing is left to do. */
export async function recoverGroup({ group, record }: KnownGroup): Promise<string[]> {
  const claim = await latestClaim(group)
  if (inOffice(claim)) return []
  if (claim?.hung && claim.placed) signalProcess(claim.placed.process, 'SIGKILL')
  const { count } = await group.wanted()
  const machines = await machinesOf(group)
  // Also if the group should have no machines: the process that was to end them may have died before.
  const isRunning = machines.some(({ record: { exit } }) => exit === undefined)
  const open = unfinished(machines, count) > 0
  const over =
    bootNow() >= hardDue(record) ? 'deadline' : (claim?.placed?.place.boot ?? record.due.boot) === bootId() ? undefined : 'reboot'
  if (over === undefined) return open || isRunning ? supervised(group, record) : []
  const done = await reapAll(record.tags.name, machines)
  if (open && (await group.want({ count: 0, why: over })))
    await group.event('failure', over === 'deadline' ? `past the hard deadline ${record.hardDeadline}` : 'this host was restarted')
  return done
}

/** The new supervisor ends what must end. This process must not: meanwhile another supervisor may be in office and just be starting a machine. */
async function supervised(group: Group, record: GroupRecord): Promise<string[]> {
  const started = await launchSupervisor(group, record)
  const now = started ? 'a new one is at work' : `and a new one does not start: see ${group.path('supervisor.log')}`
  return [`${record.tags.name}: its supervisor was gone, ${now}`]
}

/** Ends the machines of a group that is over. */
async function reapAll(name: string, machines: readonly Known[]): Promise<string[]> {
  const done: string[] = []
  for (const { folder, record } of machines) {
    const lives = agentLives(record)
    if (record.exit) continue
    const end = lives
      ? ({ kind: 'failure', reason: 'killed: the group is over', finished: false, quick: false } as const)
      : await unwatchedEnd(folder)
    if (await reap(folder, end))
      done.push(`${name}: machine ${folder.name} ${lives ? 'was still running and is killed' : 'was gone: killing what it left behind'}`)
  }
  return done
}
