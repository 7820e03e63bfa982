/** How GitHub's runner program is started, told apart and ended: its documented behaviour, as data. */
import type { RunnerProgram } from '../../wire/runner.ts'

/** Each job shows it in "Set up job": a list of groups, each of several lines. */
const PROVISIONED = [{ group: 'tpi', detail: 'runner {name}, machine {machine}, slot {slot}, attempt {attempt}\n{timeline}' }]

export const program: Omit<RunnerProgram, 'archive'> = {
  argv: ['run.sh'],
  // It refuses to run as root unless told; a machine that is root's alone has nobody else.
  env: { RUNNER_ALLOW_RUNASROOT: '1', RUNNER_MANUALLY_TRAP_SIG: '1', ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE: '1' },
  credential: 'ACTIONS_RUNNER_INPUT_JITCONFIG',
  files: [{ path: '.setup_info', text: JSON.stringify(PROVISIONED), mode: 0o644, json: true }],
  hooks: {
    started: 'ACTIONS_RUNNER_HOOK_JOB_STARTED',
    completed: 'ACTIONS_RUNNER_HOOK_JOB_COMPLETED',
    facts: {
      run: 'GITHUB_RUN_ID',
      attempt: 'GITHUB_RUN_ATTEMPT',
      job: 'GITHUB_JOB',
      repository: 'GITHUB_REPOSITORY',
      runner: 'RUNNER_NAME',
    },
  },
  worker: 'Runner.Worker',
  idleClock: 'agent',
  jobsPerStart: 1,
  signals: { abort: 'SIGINT' },
  exits: {
    0: { means: 'done', says: 'it left in order' },
    2: { means: 'again', says: 'a failure that may pass' },
    3: { means: 'again', says: 'it wants to update itself' },
    4: { means: 'again', says: 'it wants to update itself' },
    5: { means: 'failed', says: 'another runner has its registration' },
    6: { means: 'again', says: 'its settings were renewed' },
    7: { means: 'failed', says: 'GitHub no longer accepts this version of the runner: the next launch fetches a newer one' },
  },
}
