/** The groups of one `$TPI_HOME`, and what became of them. */
import { basename, join } from 'node:path'
import { namesIn, readJson } from '../../lib/files.ts'
import { currentPath, currentShape, Group, type GroupRecord, localRoot, type MachineFolder, type MachineRecord } from './folder.ts'

export interface KnownGroup {
  readonly group: Group
  readonly record: GroupRecord
}

/** Every incarnation of a deployment, finished or not: whatever has a folder. */
export async function incarnations(home: string, id: string): Promise<Group[]> {
  const names = await namesIn(join(localRoot(home), id))
  return names.filter((name) => name !== 'current.json').map((name) => new Group(join(localRoot(home), id, name)))
}

/** The living incarnation of a deployment. */
export async function currentGroup(home: string, id: string): Promise<KnownGroup | undefined> {
  const living = await readJson(currentPath(home, id), currentShape)
  if (!living) return undefined
  const group = new Group(join(localRoot(home), id, basename(living.incarnation)))
  const record = await group.read()
  return record && { group, record }
}

/** As above; failing that (a kill in the middle of the creation), any incarnation that says what it is. */
export async function anyGroup(home: string, id: string): Promise<KnownGroup | undefined> {
  const living = await currentGroup(home, id)
  if (living) return living
  for (const group of await incarnations(home, id)) {
    const record = await group.read()
    if (record) return { group, record }
  }
  return undefined
}

export async function deployments(home: string): Promise<string[]> {
  return namesIn(localRoot(home))
}

export interface Known {
  readonly folder: MachineFolder
  readonly record: MachineRecord
}

/** Machines in the order of their start. */
export async function machinesOf(group: Group): Promise<Known[]> {
  const all = await Promise.all((await group.machines()).map(async (folder) => ({ folder, record: await folder.read() })))
  const known = all.filter((machine): machine is Known => machine.record !== undefined)
  return known.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
}

/** One that has not been started yet comes last. */
function startOf({ record }: { readonly record: MachineRecord | undefined }): string {
  return record?.process?.at ?? '~'
}

/** Number of wanted machines whose work is not over. */
export function unfinished(machines: readonly Known[], count: number): number {
  const finished = new Set(machines.filter(({ record }) => record.exit?.finished).map(({ record }) => record.config.index))
  return Array.from({ length: count }, (_, index) => index).filter((index) => !finished.has(index)).length
}
