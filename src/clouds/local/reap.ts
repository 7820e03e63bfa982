/** The end of a machine: all of its processes are killed, and its folder records why. For the supervisor, and for those who clean up after one. */
import { isAlive, killMarked } from '../../lib/process.ts'
import { removeTree } from '../../lib/remove.ts'
import { BESIDE, OF_RUNNER } from '../../wire/machine.ts'
import { killCgroup } from './cgroup.ts'
import { hasBeat } from './claim.ts'
import type { ExitRecord, GroupRecord, MachineFolder, MachineRecord } from './folder.ts'
import { isBeside, isHere } from './host-identity.ts'

export type ProcessEnd = Omit<ExitRecord, 'at'>

/** Milliseconds that processes may take to end before the caller tries again later. */
const PATIENCE = 10_000

/**
 * SIGKILLs all processes of a machine and resolves when none is left; throws an error that names those that stay. Without a control group,
 * a process that left its session, parents and environment is not found.
 */
export async function killMachine(machine: MachineFolder, patience = PATIENCE): Promise<void> {
  await killMarked('TPI_MACHINE', machine.name, { ancestors: true, patience })
  await killCgroup(machine, patience)
}

/** Kills what is left and records the end. `false`: it was recorded already. */
export async function reap(machine: MachineFolder, end: ProcessEnd, patience = PATIENCE): Promise<boolean> {
  await killMachine(machine, patience)
  return machine.ended({ at: new Date().toISOString(), ...end })
}

/** Removes the work directory and other files of a machine that has ended: its snapshots are in the store. */
export async function tidy(machine: MachineFolder): Promise<void> {
  const besideWork = Object.values(BESIDE).map((end) => `work${end}`)
  for (const name of ['work', ...besideWork, 'tmp', 'run', 'beat', 'cgroup', 'notice.json', ...Object.values(OF_RUNNER)])
    await removeTree(machine.path(name))
}

/**
 * Whether the user may want to look into the work directory of a machine that ended like this. The command that closed its slot may have scaled down
 * before the machine left, so a machine that was dismissed counts as well.
 */
export function keepsWork({ keep }: Pick<GroupRecord, 'keep'>, { finished, dismissed }: ProcessEnd): boolean {
  return keep === true && (finished || dismissed === true)
}

/** Whether its agent is known to run, on this host. */
export function agentLives(record: MachineRecord | undefined): boolean {
  return record?.process !== undefined && isHere(record.process.place) && isAlive(record.process.process)
}

/** Whether its agent may run where this process does not see it: on another host, or in another container, from where its beats are seen. */
export function mayLiveElsewhere(machine: MachineFolder, record: MachineRecord): boolean {
  const { process } = record
  if (!process || isHere(process.place)) return false
  return !isBeside(process.place) || hasBeat(machine.path('beat')) || hasBeat(machine.path('process.json'))
}

/** The end of a machine whose agent died while nobody watched. */
export async function unwatchedEnd(machine: MachineFolder): Promise<ProcessEnd> {
  const departure = await machine.departure()
  if (departure?.why === 'done') return { kind: 'info', reason: 'left the group', finished: true, quick: false }
  if (departure) return { kind: 'info', reason: 'asked to be replaced', finished: false, quick: false }
  return { kind: 'failure', reason: 'gone, and no supervisor was there to see how', finished: false, quick: false }
}
