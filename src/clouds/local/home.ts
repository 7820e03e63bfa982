/** The groups of one `$TPI_HOME`, and their states. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Reference } from '../../core/cloud.ts'
import type { LeftOut } from '../../core/tags.ts'
import { ifGone, isForbidden } from '../../lib/error-code.ts'
import { namesIn } from '../../lib/files.ts'
import { Group, type GroupRecord, localRoot, type MachineFolder, type MachineRecord } from './folder.ts'

export interface KnownGroup {
  readonly group: Group
  readonly record: GroupRecord
}

/** Every incarnation of a deployment, even one whose creation was cut off: each folder is one. */
export async function incarnations(home: string, id: string): Promise<Group[]> {
  const folder = join(localRoot(home), id)
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifGone<Dirent[]>([]))
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => new Group(join(folder, name)))
}

export function groupOf(home: string, { id, incarnation }: Reference): Group {
  return new Group(join(localRoot(home), id, basename(incarnation)))
}

/** `undefined`: there is no such group, or its creation was cut off. */
export async function knownGroup(home: string, of: Reference): Promise<KnownGroup | undefined> {
  const group = groupOf(home, of)
  const record = await group.read()
  return record && { group, record }
}

/** Who is told of groups that this command cannot read: those of another user, and those of another version of tpi. */
interface Others {
  readonly ofUser: LeftOut
  readonly ofVersion: LeftOut
}

/** Every group that has a record; with `id`, only those of that deployment. A group that cannot be read does not hide others. */
export async function knownGroups(home: string, others: Others, id?: string): Promise<KnownGroup[]> {
  const ids = id === undefined ? await namesIn(localRoot(home)) : [id]
  return (await Promise.all(ids.map(async (one) => groupsOf(home, others, one)))).flat()
}

async function groupsOf(home: string, { ofUser, ofVersion }: Others, id: string): Promise<KnownGroup[]> {
  const unlessHidden = async <T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await look()
    } catch (error) {
      if (!isForbidden(error)) throw error
      ofUser(id, `another user has started it, as with sudo, and only that user sees it (${join(localRoot(home), id)})`)
      return []
    }
  }
  const known = async (group: Group): Promise<readonly KnownGroup[]> => {
    const record = await group.read()
    if (record) return [{ group, record }]
    const other = await group.otherVersion()
    if (other !== undefined) ofVersion(id, `it ${other}`)
    return []
  }
  const groups = await unlessHidden(async () => incarnations(home, id))
  return (await Promise.all(groups.map(async (group) => unlessHidden(async () => known(group))))).flat()
}

export interface Known {
  readonly folder: MachineFolder
  readonly record: MachineRecord
}

/** Machines in the order of their start. */
export async function machinesOf(group: Group): Promise<Known[]> {
  return (await machineFolders(group)).filter((machine): machine is Known => machine.record !== undefined)
}

/** The same, and folders that a kill left before their first file was written. */
export async function machineFolders(
  group: Group,
): Promise<{ readonly folder: MachineFolder; readonly record: MachineRecord | undefined }[]> {
  const all = await Promise.all((await group.machines()).map(async (folder) => ({ folder, record: await folder.read() })))
  return all.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
}

/** A machine that was not started yet comes last. */
function startOf({ record }: { readonly record: MachineRecord | undefined }): string {
  return record?.process?.at ?? '~'
}

/** Number of wanted machines whose work is not finished. */
export function unfinished(machines: readonly Known[], count: number): number {
  const finished = new Set(machines.filter(({ record }) => record.exit?.finished).map(({ record }) => record.config.index))
  return Array.from({ length: count }, (_, index) => index).filter((index) => !finished.has(index)).length
}
