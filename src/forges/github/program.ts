/** How GitHub's runner program is started, told apart and ended: its documented behaviour, as data. */
import type { RunnerWish } from '../../core/forge.ts'
import type { RunnerProgram } from '../../wire/runner.ts'
import { type Place, pageOf } from './place.ts'

/** Each job shows it in "Set up job": a list of groups, each of several lines. */
const PROVISIONED = [{ group: 'tpi', detail: 'runner {name}, machine {machine}, slot {slot}, attempt {attempt}\n{timeline}' }]

export const program: Omit<RunnerProgram, 'archive'> = {
  // Not by its run.sh, which makes 0 of nearly every exit code (src/Misc/layoutroot/run-helper.sh.template of actions/runner).
  argv: ['bin/Runner.Listener', 'run'],
  // It refuses to run as root unless told; a machine that is root's alone has nobody else.
  env: { RUNNER_ALLOW_RUNASROOT: '1', ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE: '1' },
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
    1: { means: 'failed', says: 'the runner gave up (exit code 1): its log says why; its registration may have been removed' },
    2: { means: 'again', says: 'a failure that may pass' },
    3: { means: 'again', says: 'it wants to update itself' },
    4: { means: 'again', says: 'it wants to update itself' },
    5: { means: 'failed', says: 'another runner has its registration' },
    6: { means: 'again', says: 'its settings were renewed' },
    7: { means: 'failed', says: 'GitHub no longer accepts this version of the runner: the next launch fetches a newer one' },
  },
}

/**
 * Starts the listener, and when that has ended for a newer version of itself, waits for it: the program that puts it in place says so by a file,
 * as run.sh expects it. A shell takes SIGINT away from what it starts beside itself, so it is told by SIGTERM, which means the same to it.
 */
const PATIENT = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
told=
trap 'told=1; kill -TERM "$listener"' INT TERM
rm -f update.finished
bin/Runner.Listener run &
listener=$!
wait "$listener"
code=$?
# Cut short by a signal: the listener takes its time.
while [ -n "$told" ]; do
  told=
  wait "$listener"
  last=$?
  [ "$last" = 127 ] || code=$last
done
if [ "$code" = 3 ] || [ "$code" = 4 ]; then
  left=30
  while [ ! -f update.finished ] && [ "$left" -gt 0 ]; do
    sleep 1
    left=$((left - 1))
  done
fi
exit "$code"
`

/**
 * The same, registered by its own set-up for any number of jobs. Unless its version is fixed it updates itself: GitHub gives jobs to no version
 * that is older than 30 days after the next.
 */
export function lasting(place: Place, { labels, group, version }: Pick<RunnerWish, 'labels' | 'group' | 'version'>): typeof program {
  const { credential: _single, ...same } = program
  return {
    ...same,
    argv: ['tpi-run.sh'],
    files: [...program.files, { path: 'tpi-run.sh', text: PATIENT, mode: 0o755 }],
    jobsPerStart: null,
    exits: { ...program.exits, 5: { means: 'again', says: 'GitHub still has a session of the machine before it' } },
    registration: {
      // Any option of `config.sh` can be given so, and what is given so is in no list of processes.
      credential: 'ACTIONS_RUNNER_INPUT_TOKEN',
      argv: [
        'config.sh',
        '--unattended',
        // A machine that died in the midst of this has left one of this name.
        '--replace',
        '--url',
        pageOf(place),
        '--name',
        '{name}',
        '--labels',
        labels.join(','),
        '--no-default-labels',
        '--work',
        '_work',
        ...(group === undefined ? [] : ['--runnergroup', group]),
        ...(version === undefined ? [] : ['--disableupdate']),
      ],
      files: [{ path: '.runner' }, { path: '.credentials' }, { path: '.credentials_rsaparams', secret: true }],
      refused: 'its log says why. A registration token of GitHub is good for an hour: a machine that first comes later needs a new launch',
      stays: 'GitHub forgets one after 14 days without its machine',
    },
  }
}
