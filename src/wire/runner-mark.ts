/** A short mark of a runner by its name, which a machine and a controller make alike. */
import { sha256 } from '../lib/sha256.ts'

/** Twelve digits (0-9, a-f): as much as GitLab takes for the name of a machine. */
export function markOf(name: string): string {
  return sha256(name).slice(0, 12)
}
