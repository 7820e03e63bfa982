/** What one source says about one option, before its value is read. */
import type { Fault } from '../../core/errors.ts'
import type { OptionSource } from '../../core/option.ts'
import type { Env } from '../../lib/env.ts'
import { messageOf, printable } from '../../lib/text.ts'
import type { Raw } from '../values/read-value.ts'

export type ValueSource = OptionSource | 'argument'

export interface Assignment {
  readonly option: string
  readonly source: ValueSource
  /** As the user wrote it, for messages: `--disk-size`, `disk-size`, `TPI_DISK_SIZE`, `tpi.yaml:3 disk-size`. */
  readonly as: string
  /** The name or alias used, in its plain spelling. */
  readonly spelled: string
  readonly raw: Raw
}

export interface Assignments {
  readonly assignments: readonly Assignment[]
  readonly faults: readonly Fault[]
}

export function fault(as: string, message: string, hint?: string): Fault {
  const text = printable(as === '' ? message : `${as}: ${message}`)
  return hint === undefined ? { option: as, message: text } : { option: as, message: text, hint: printable(hint) }
}

/** Everything outside that the parser may look at. */
export interface Surroundings {
  readonly env: Env
  /** Absolute. */
  readonly cwd: string
  /** UTF-8 text of a file, by absolute path. Rejects with `code` (`ENOENT`, `EISDIR`, …) as `fs` does. */
  readFile(path: string): Promise<string>
  /** User ids of the owners of a file or folder; for a link, of the link and of what it leads to. Rejects as `readFile` does. */
  ownersOf(path: string): Promise<readonly number[]>
  /** User id of this process; `undefined`: the system has no user ids. */
  readonly user: number | undefined
  /** All of standard input. */
  readStdin(): Promise<string>
}

/** Why a file could not be read, in words that follow its name. */
export function readingTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'does not exist',
    ENOTDIR: 'does not exist',
    EISDIR: 'is a folder',
    EACCES: 'may not be read by this user',
    EPERM: 'may not be read by this user',
  }
  return known[code] ?? `cannot be read: ${messageOf(error)}`
}
