/** The end of a machine: nothing of it runs any more, and its folder says why. Used by the supervisor and by the recovery after one. */

import { isAlive, killMarked } from '../../lib/process.ts'
import { removeTree } from '../../lib/remove.ts'
import { killCgroup } from './cgroup.ts'
import type { ExitRecord, MachineFolder, MachineRecord } from './folder.ts'
import { isHere } from './host-identity.ts'

export type ProcessEnd = Omit<ExitRecord, 'at'>

/** Milliseconds that processes may take to go before we come back later. */
const PATIENCE = 10_000

/** SIGKILLs all processes of a machine and resolves when none is left; throws naming those that stay. Where there is no control group, one that left session, parents and environment behind is not seen. */
export async function killMachine(machine: MachineFolder, patience = PATIENCE): Promise<void> {
  await killMarked('TPI_MACHINE', machine.name, { ancestors: true, patience })
  await killCgroup(machine, patience)
}

/** Kills what is left and puts the end on record. `false`: it was there already. */
export async function reap(machine: MachineFolder, end: ProcessEnd, patience = PATIENCE): Promise<boolean> {
  await killMachine(machine, patience)
  return machine.ended({ at: new Date().toISOString(), ...end })
}

/** What a machine that has ended needs no more: its snapshots are in the store. */
export async function tidy(machine: MachineFolder): Promise<void> {
  for (const name of ['work', 'work.part', 'tmp', 'run', 'beat', 'cgroup', 'notice.json']) await removeTree(machine.path(name))
}

/** The agent runs. */
export function agentLives(record: MachineRecord | undefined): boolean {
  return record?.process !== undefined && isHere(record.process.place) && isAlive(record.process.process)
}

/** The end of a machine whose agent nobody has seen die. */
export async function unwatchedEnd(machine: MachineFolder): Promise<ProcessEnd> {
  const departure = await machine.departure()
  if (departure?.why === 'done') return { kind: 'info', reason: 'left the group', finished: true, quick: false }
  if (departure) return { kind: 'info', reason: 'asked to be replaced', finished: false, quick: false }
  return { kind: 'failure', reason: 'gone, and no supervisor was there to see how', finished: false, quick: false }
}
