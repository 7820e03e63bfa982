/** Whose fault an error is, what a command says about it, and the exit code. */
import { describeError, InstallationError, TpiError } from '../../core/errors.ts'
import { EXIT, type Outcome } from '../../core/exit-codes.ts'
import { errorCode, hasCode, isForbidden } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'
import { SnapshotError, type SnapshotFault } from '../../snapshot/errors.ts'
import { isStoreError } from '../../wire/store.ts'

export interface ErrorExit {
  readonly outcome: Outcome
  readonly exitCode: number
  readonly message: string
  /** Of a bug: what its report needs. */
  readonly stack?: string
}

const AGAIN = 'nothing is lost: run the same command again'
const GIVE_BACK = 'if another user has made it, such as root with sudo, give it to yours with chown, and run the same command again'

/** Failures of a disk or a host that only its owner can mend, by error code. */
const DISK: Readonly<Record<string, string>> = {
  EACCES: 'a file of this host is not for this user',
  EPERM: 'this host does not allow it to this user',
  ENOSPC: 'no space is left on a disk of this host',
  EDQUOT: 'a disk quota of this host is reached',
  EROFS: 'a file system of this host is read-only',
  EIO: 'a disk of this host is failing',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this host',
}

type Exit = Pick<ErrorExit, 'outcome' | 'exitCode'>
const WRONG: Exit = { outcome: 'invalid', exitCode: EXIT.invalid }
const AWAY: Exit = { outcome: 'remote-error', exitCode: EXIT.remote }
/** A folder that cannot be saved as it is, is a fault of the user. Failing disks and lost objects are not. */
const SNAPSHOT: Readonly<Record<SnapshotFault, Exit>> = {
  'no-folder': WRONG,
  'too-large': WRONG,
  'disk-full': AWAY,
  local: AWAY,
  corrupt: AWAY,
  lost: AWAY,
}

export function exitOf(error: unknown): ErrorExit {
  if (error instanceof TpiError) return { outcome: error.outcome, exitCode: error.exitCode, message: describeError(error) }
  if (isStoreError(error)) {
    if (error.kind === 'invalid') return { outcome: 'invalid', exitCode: EXIT.invalid, message: error.message }
    if (error.kind === 'denied') return { outcome: 'denied', exitCode: EXIT.denied, message: error.message }
    return { outcome: 'remote-error', exitCode: EXIT.remote, message: error.message }
  }
  if (error instanceof SnapshotError) return { ...SNAPSHOT[error.kind], message: error.message }
  const message = messageOf(error)
  const code = errorCode(error)
  if (code !== undefined && Object.hasOwn(DISK, code))
    return {
      outcome: 'remote-error',
      exitCode: EXIT.remote,
      message: `${DISK[code]}: ${message} (${isForbidden(error) ? GIVE_BACK : AGAIN})`,
    }
  if (hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return exitOf(new InstallationError(message, error))
  return {
    outcome: 'bug',
    exitCode: EXIT.bug,
    message: `this is a bug in tpi: ${message}; please report it with the lines below`,
    stack: error instanceof Error ? (error.stack ?? message) : message,
  }
}
