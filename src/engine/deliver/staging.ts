/** Results are first downloaded into a folder of their own inside the output folder, so that incomplete ones replace nothing. */
import { mkdtemp, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { removeTree } from '../../lib/remove.ts'
import { writerIsDead, writerMark } from '../../lib/temp-name.ts'
import { Chosen, withFolders } from '../../snapshot/format/entry-set.ts'
import { download as fetch } from '../../snapshot/restore/restore.ts'
import type { DownloadOptions, Entry } from '../../snapshot/types.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { FolderError } from './delivery-failure.ts'
import type { Results } from './merge.ts'
import { PERMISSIONS } from './put.ts'
import type { HeadTree } from './results.ts'

/** How the name of such a folder begins. */
export const INCOMING = '.tpi-incoming-'

/** Makes a folder for the downloads of this command, below `folder`; those of commands that were killed are removed. */
export async function openStaging(folder: string): Promise<string> {
  await clearStaging(folder)
  return mkdtemp(join(folder, `${INCOMING}${writerMark()}-`))
}

async function clearStaging(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(INCOMING) && writerIsDead(name.slice(INCOMING.length))) await removeTree(join(folder, name))
}

/** Throws before anything is downloaded: a full disk would harm other programs, too. */
export async function needSpace(d: Deployment, folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (bytes > free)
    throw new FolderError(`the results need ${formatBytes(bytes)}, but ${folder} has ${formatBytes(free)} free`, {
      hint: `nothing is lost: the store keeps them; free some space and run: \`tpi collect ${d.name}\`, or collect them elsewhere: \`to: DIR\``,
    })
}

/** Downloads those entries of a slot's head that are results into `folder`. */
export async function download(
  engine: Engine,
  d: Deployment,
  { index, head, manifest }: HeadTree,
  results: Results,
  { folder, progress, signal }: Pick<DownloadOptions, 'folder' | 'progress'> & { readonly signal: AbortSignal | undefined },
): Promise<void> {
  const wanted = numbersOf(results, index)
  if (wanted.length === 0) return
  await fetch({
    store: d.store,
    root: d.keys.root,
    refs: [head],
    manifest: { ...manifest, entries: new Chosen(manifest.entries, withFolders(manifest.entries, wanted), open) },
    folder,
    ...(progress && { progress }),
    ...(signal && { signal }),
    warn: (message) => engine.host.warn(message),
  })
}

/**
 * Numbers of the slot's results, in the order of its tree. Without links: those are made in their final places, because here they would lead
 * elsewhere.
 */
function numbersOf(results: Results, slot: number): number[] {
  const numbers: number[] = []
  for (const { index, number, entry } of results) if (index === slot && entry.type !== 'link') numbers.push(number)
  return numbers.sort((a, b) => a - b)
}

/**
 * The mode that an entry may have here: no set-id bits; and folders must be writable, so that files can be moved out of them and they can
 * be removed.
 */
function open(entry: Entry): Entry {
  const mode = entry.type === 'folder' ? entry.mode | 0o700 : entry.mode & PERMISSIONS
  if (mode === entry.mode) return entry
  // The fields of a file are getters into columns: a copy would take memory for each of them.
  return entry.type === 'file' ? (Object.create(entry, { mode: { value: mode } }) as Entry) : { ...entry, mode }
}
