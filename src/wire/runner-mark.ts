/** A short mark of a runner by its name, which a machine and a controller make alike. */
import { sha256 } from '../lib/sha256.ts'

/** Twelve hex digits, because GitLab takes no more for the name of a machine. */
export function markOf(name: string): string {
  return sha256(name).slice(0, 12)
}
