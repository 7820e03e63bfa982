/** Where file systems are mounted on a machine. */
import { readFile } from 'node:fs/promises'

/** https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html (the fifth field; a space is \040 there, and our folders have none) */
export async function isMountPoint(folder: string): Promise<boolean> {
  const text = await readFile('/proc/self/mountinfo', 'utf8')
  return text.split('\n').some((line) => line.split(' ')[4] === folder)
}

/** The name of the mount unit, by systemd.unit(5), for folders whose names have only letters, digits, dots, dashes and underscores. */
export const mountUnit = (path: string): string => `${path.slice(1).replaceAll('-', '\\x2d').replaceAll('/', '-')}.mount`
