/** Files that a process has mapped writable and shared: their bytes can change while size and times stay the same. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { Turns } from '../turns.ts'
import { FILE, type Scan } from './scan.ts'

const DEV = '/dev/'
const MARK = 'rw-s'
const LINE = /^[\da-f]+-[\da-f]+ (\S{4}) [\da-f]+ [\da-f]+:[\da-f]+ (\d+)\s*(.*)$/

/**
 * Numbers (in the scan) of such files below `folder`, as far as this process may know them: on Linux only, and without root only those of the same
 * user's processes. They are compared by inode and by name, because on layered file systems (overlayfs) the inode of a mapping may be another one.
 */
export async function mappedFiles(folder: string, scan: Scan, signal?: AbortSignal): Promise<ReadonlySet<number>> {
  if (process.platform !== 'linux') return new Set()
  const inodes = new Set<number>()
  const names = new Set<string>()
  const turns = new Turns(signal)
  // What is mapped in /dev is mostly devices and shared memory; their inodes may have the numbers of unrelated files of this folder.
  const inDev = realpathSync(folder).startsWith(DEV)
  for (const pid of numbered('/proc')) {
    if (turns.isDue) await turns.next()
    for (const { inode, name } of sharedMappings(pid)) {
      if (name.startsWith(DEV) && !inDev) continue
      inodes.add(inode)
      if (name.startsWith(`${folder}/`)) names.add(name.slice(folder.length + 1))
    }
  }
  const found = new Set<number>()
  if (inodes.size === 0) return found
  for (const [number, path] of scan.paths.entries()) {
    if (scan.kind[number] === FILE && (inodes.has(scan.ino[number] ?? -1) || names.has(path))) found.add(number)
  }
  return found
}

function numbered(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name))
  } catch {
    return [] // no /proc is mounted
  }
}

function sharedMappings(pid: string): readonly { inode: number; name: string }[] {
  let maps: string
  try {
    maps = readFileSync(`/proc/${pid}/maps`, 'latin1')
  } catch {
    return [] // it ended, or belongs to somebody else
  }
  if (!maps.includes(MARK)) return []
  const found = []
  for (const line of maps.split('\n')) {
    const [, flags, inode, name = ''] = LINE.exec(line) ?? []
    if (flags === MARK && inode !== '0') found.push({ inode: Number(inode), name: asText(name) })
  }
  return found
}

const asText = (name: string): string => Buffer.from(name, 'latin1').toString('utf8')
