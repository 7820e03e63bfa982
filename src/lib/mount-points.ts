/** Where file systems are mounted on this computer, as Linux tells it; elsewhere nothing is known. */
import { readFile } from 'node:fs/promises'
import { ifGone } from './error-code.ts'
import { run } from './run.ts'
import { messageOf } from './text.ts'

const TABLE = '/proc/self/mountinfo'
/** Milliseconds. */
const UMOUNT = 10_000

/**
 * Unmounts what is mounted in a folder (a real path), the innermost first: whoever removes the folder must not remove files of others.
 * Lazily, because the program that served it may be dead. Rejects if something stays.
 */
export async function unmountIn(folder: string, { table = TABLE, umount = 'umount' } = {}): Promise<void> {
  const inside = async (): Promise<string[]> => (await mountPoints(table)).filter((point) => `${point}/`.startsWith(`${folder}/`))
  let failure: unknown
  // One may take others along that are mounted in two places.
  for (const point of (await inside()).reverse())
    await run(umount, ['-l', point], { timeout: UMOUNT }).catch((error: unknown) => {
      failure = error
    })
  if (failure === undefined) return
  const [left] = await inside()
  if (left === undefined) return
  const why = messageOf(failure).trim().split('\n').at(-1)
  throw new Error(`something is mounted at "${left}", which must not be removed with the folder: unmount it (${why})`)
}

/**
 * In the order of their mounting. https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html (the fifth field, where spaces, tabs, line
 * ends and backslashes are octal numbers)
 */
export async function mountPoints(table = TABLE): Promise<readonly string[]> {
  const text = await readFile(table, 'utf8').catch(ifGone(''))
  const octal = (written: string): string =>
    written.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  return text.split('\n').map((line) => octal(line.split(' ')[4] ?? ''))
}
