/**
 * All exit codes of the command line, and all outcomes of a run. `verbs/shared/error-exit.ts` chooses the code of a command that has failed,
 * `engine/follow/outcome.ts` that of a run, `agent/attempt/verdict.ts` that of a script.
 */

export const EXIT = {
  ok: 0,
  /** Something was found: by `sweep` a run past its time, by `doctor` a fault. */
  found: 1,
  invalid: 64,
  noCapacity: 69,
  bug: 70,
  running: 75,
  remote: 76,
  denied: 77,
  timedOut: 124,
  stopped: 130,
  terminated: 143,
} as const

export interface OutcomeFacts {
  /** `n`: the exit code of the program itself. */
  readonly code: (typeof EXIT)[keyof typeof EXIT] | 'n'
  /** Another exit code that it may have, and when. */
  readonly besides?: string
  readonly means: string
  /** What the reader can do; absent: nothing is to be done. */
  readonly next?: string
}

/**
 * What became of a run, in one word. Programs read it in `--json`, in the Action's outputs and in the last line. Help and documents derive from it.
 */
export const OUTCOMES = {
  success: { code: EXIT.ok, means: 'the script succeeded, the results are here, and the machines were given back' },
  'script-failed': {
    code: 'n',
    means: 'the script failed; the results so far are here anyway',
    next: 'read the end of the log; with "retries" and "retry-on", tpi starts it again',
  },
  'setup-failed': {
    code: 'n',
    means: 'the set-up failed; the script was not started',
    next: 'read the log of the set-up',
  },
  'timed-out': {
    code: EXIT.timedOut,
    means: 'the deadline passed; the last checkpoint is kept',
    next: 'raise "timeout"; "resume" continues from the last checkpoint',
  },
  stopped: {
    code: EXIT.stopped,
    besides: '143 if SIGTERM ended the command itself',
    means: 'somebody stopped or cancelled it; the last checkpoint is kept',
    next: '"resume" continues from the last checkpoint',
  },
  running: {
    code: EXIT.running,
    besides: '0 with "detach"',
    means: 'still running',
    next: 'run the command that is printed, or "tpi collect", to come back',
  },
  invalid: { code: EXIT.invalid, means: 'wrong input; nothing was created', next: 'correct what the error lists; the list is complete' },
  denied: {
    code: EXIT.denied,
    means: 'credentials or a permission are missing',
    next: 'grant what the error names; "tpi doctor" checks everything at once',
  },
  'no-capacity': {
    code: EXIT.noCapacity,
    means: 'no machine is available, or a quota is used up',
    next: 'ask for less, or for another machine; "tpi doctor" shows what is available',
  },
  'remote-error': {
    code: EXIT.remote,
    means: 'the cloud or the storage failed, or results could not be delivered and are still in the storage',
    next: 'run the command that the error names',
  },
  bug: {
    code: EXIT.bug,
    means: 'a bug in tpi, or a part of it is not installed',
    next: 'do what the error says: report it, or install tpi again',
  },
} as const satisfies Readonly<Record<string, OutcomeFacts>>

export type Outcome = keyof typeof OUTCOMES

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as readonly Outcome[]
