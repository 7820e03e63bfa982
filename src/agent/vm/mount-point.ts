/** Where file systems are mounted on a machine. */
import { mountPoints } from '../../lib/mount-points.ts'

export async function isMountPoint(folder: string): Promise<boolean> {
  return (await mountPoints()).includes(folder)
}

/** The name of a folder's mount unit (systemd.unit(5)), if its path has only letters, digits, dots, dashes, underscores and slashes. */
export const mountUnit = (path: string): string => `${path.slice(1).replaceAll('-', '\\x2d').replaceAll('/', '-')}.mount`
