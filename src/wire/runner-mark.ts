/** A short mark of a runner by its name, which a machine and a controller make alike. */
import { createHash } from 'node:crypto'

/** Twelve digits (0-9, a-f): as much as GitLab takes for the name of a machine. */
export function markOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}
