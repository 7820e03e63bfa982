/** Where file systems are mounted on a machine. */
import { readFile } from 'node:fs/promises'
import { run } from '../../lib/run.ts'

const TABLE = '/proc/self/mountinfo'
/** Milliseconds. */
const UMOUNT = 10_000

export async function isMountPoint(folder: string): Promise<boolean> {
  return (await mountPoints()).includes(folder)
}

/**
 * Unmounts what a script has mounted in these folders, the innermost first: whoever removes the folders must not remove files of others.
 * Lazily, because the program that served it may be dead. Rejects if something stays.
 */
export async function unmountIn(folders: readonly string[], table = TABLE): Promise<void> {
  const inside = async (): Promise<string[]> =>
    (await mountPoints(table)).filter((point) => folders.some((folder) => `${point}/`.startsWith(`${folder}/`)))
  let failure: unknown
  // One may take others along that are mounted in two places.
  for (const point of (await inside()).reverse())
    await run('umount', ['--lazy', point], { env: process.env, timeout: UMOUNT }).catch((error: unknown) => {
      failure = error
    })
  if (failure !== undefined && (await inside()).length > 0) throw failure
}

/**
 * In the order of their mounting. https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html (the fifth field, where spaces, tabs, line
 * ends and backslashes are octal numbers)
 */
async function mountPoints(table = TABLE): Promise<readonly string[]> {
  const text = await readFile(table, 'utf8')
  const octal = (written: string): string =>
    written.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  return text.split('\n').map((line) => octal(line.split(' ')[4] ?? ''))
}

/** The name of the mount unit, by systemd.unit(5), for folders whose names have only letters, digits, dots, dashes and underscores. */
export const mountUnit = (path: string): string => `${path.slice(1).replaceAll('-', '\\x2d').replaceAll('/', '-')}.mount`
