/** Where file systems are mounted on a machine. */
import { mountPoints } from '../../lib/mount-points.ts'

export async function isMountPoint(folder: string): Promise<boolean> {
  return (await mountPoints()).includes(folder)
}

/** The name of the mount unit, by systemd.unit(5), for folders whose names have only letters, digits, dots, dashes and underscores. */
export const mountUnit = (path: string): string => `${path.slice(1).replaceAll('-', '\\x2d').replaceAll('/', '-')}.mount`
