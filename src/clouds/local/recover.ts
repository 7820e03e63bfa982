/** Recovers from crashes of tpi's own processes: dead supervisors, machines without one, groups past their deadline. */
import { bootId, bootNow } from '../../lib/clock.ts'
import { signalProcess } from '../../lib/process.ts'
import { messageOf } from '../../lib/text.ts'
import { latestClaim, type SupervisorClaim } from './claim.ts'
import { hardDue } from './deadline.ts'
import type { Group, GroupRecord } from './folder.ts'
import { type Known, type KnownGroup, machinesOf, unfinished } from './home.ts'
import { launchSupervisor } from './launch.ts'
import { agentLives, keepsWork, mayLiveElsewhere, reap, tidy, unwatchedEnd } from './reap.ts'

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
  // Machines may run even if none are wanted: the process that should have ended them may have died.
  const isRunning = machines.some(({ record: { exit } }) => exit === undefined)
  const open = unfinished(machines, count) > 0
  const over = overBy(record, claim)
  // The supervisor of another container has died alone: a new one of this container could neither see nor end its machines.
  const areElsewhere = machines.some(({ folder, record: one }) => !one.exit && mayLiveElsewhere(folder, one))
  if (over === undefined) return (open || isRunning) && !areElsewhere ? supervised(group, record) : []
  const done = await reapAll(record, machines)
  if (open && (await group.want({ count: 0, why: over })))
    await group.event('failure', over === 'deadline' ? `past the hard deadline ${record.hardDeadline}` : 'this host was restarted')
  return done
}

/** Why a group is over: its deadline, or a restart of this host since a supervisor was last in office. `undefined`: it goes on. */
function overBy(record: GroupRecord, claim: SupervisorClaim | undefined): 'deadline' | 'reboot' | undefined {
  if (bootNow() >= hardDue(record)) return 'deadline'
  const boot = claim?.placed?.place.boot ?? record.due.boot
  return boot === bootId() ? undefined : 'reboot'
}

/** Leaves dead machines to the new supervisor. This process must not end them: another supervisor may be in office by now, and start a machine. */
async function supervised(group: Group, record: GroupRecord): Promise<string[]> {
  const started = await launchSupervisor(group, record)
  const now = started ? 'a new one is at work' : `and a new one does not start: see ${group.path('supervisor.log')}`
  return [`${record.tags.name}: its supervisor was gone, ${now}`]
}

/** Ends the machines of a group that is over, and removes their work directories. */
async function reapAll(of: GroupRecord, machines: readonly Known[]): Promise<string[]> {
  const { name } = of.tags
  const done: string[] = []
  for (const { folder, record } of machines) {
    if (record.exit) continue
    const lives = agentLives(record)
    const end = lives
      ? ({ kind: 'failure', reason: 'killed: the group is over', finished: false, quick: false } as const)
      : await unwatchedEnd(folder)
    const how = lives ? 'was still running, and was killed' : 'was gone, and what it had left running was killed'
    if (await reap(folder, end)) done.push(`${name}: machine ${folder.name} ${how}`)
    if (!keepsWork(of, end)) await tidy(folder).catch((error: unknown) => done.push(`${name}: ${messageOf(error)}`))
  }
  return done
}
