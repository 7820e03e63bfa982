/** How GitHub's runner program is started, watched and ended, as data. */
import type { RunnerRequest } from '../../core/forge.ts'
import type { RunnerProgram } from '../../wire/runner.ts'
import { pageOf, type Target } from './target.ts'

/** What each job shows in "Set up job": a list of groups of lines. */
const PROVISIONED = [{ group: 'tpi', detail: 'runner {name}, machine {machine}, slot {slot}, attempt {attempt}\n{timeline}' }]

const GAVE_UP = 'the runner gave up (exit code 1): its log says why; its registration may have been removed'
/**
 * Exit codes: 100 plus the result of its one job. Source: src/Runner.Listener/Runner.cs, src/Runner.Common/Util/TaskResultUtil.cs of
 * actions/runner.
 */
const RESULTS: RunnerProgram['exits'] = {
  100: { means: 'done', says: 'it exited normally' },
  102: { means: 'done', says: 'its job failed', failed: true },
  103: { means: 'done', says: 'its job was cancelled' },
  104: { means: 'done', says: 'its job was skipped' },
  105: { means: 'done', says: 'its job was given up' },
}
const UPDATES = { means: 'again', says: 'it wants to update itself' } as const

export const program: Omit<RunnerProgram, 'archive'> = {
  // images/Dockerfile of actions/runner.
  inImage: { path: '/home/runner', version: ['/home/runner/bin/Runner.Listener', '--version'] },
  // Not by its run.sh, which makes 0 of nearly every exit code (src/Misc/layoutroot/run-helper.sh.template of actions/runner).
  argv: ['bin/Runner.Listener', 'run'],
  // It refuses to run as root unless allowed to; a machine may have no other user.
  env: {
    RUNNER_ALLOW_RUNASROOT: '1',
    ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE: '1',
    // Its exit code then tells the result of the job. Older versions ignore this, and exit with 0.
    ACTIONS_RUNNER_RETURN_JOB_RESULT_FOR_HOSTED: '1',
    // GitHub's own image switches this on (images/Dockerfile): everything that a job receives would be in tpi's logs.
    ACTIONS_RUNNER_PRINT_LOG_TO_STDOUT: '0',
  },
  // Without this library .NET ends at once, unless this variable is set (docs/core/runtime-config/globalization of .NET).
  lacking: { library: 'libicuuc', env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } },
  credential: 'ACTIONS_RUNNER_INPUT_JITCONFIG',
  files: [{ path: '.setup_info', text: JSON.stringify(PROVISIONED), mode: 0o644, json: true }],
  // Files that GitHub has renewed, which the runner prefers to those of a new registration (src/Runner.Listener/Configuration/CredentialManager.cs).
  stale: ['.credentials_migrated', '.runner_migrated'],
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
  // If it were told to end, it would fail a job that comes at that moment. If it is killed while it waits, its session stays at GitHub, and tpi ends
  // that: it needs no id (src/Sdk/WebApi/WebApi/BrokerHttpClient.cs, src/Runner.Listener/Configuration/OAuthCredential.cs), except in an older flow.
  session: {
    method: 'DELETE',
    path: 'session',
    where: ['.runner', 'UseV2Flow'],
    server: ['.runner', 'ServerUrlV2'],
    client: ['.credentials', 'Data', 'ClientId'],
    audience: ['.credentials', 'Data', 'AuthorizationUrl'],
    endpoint: ['.credentials', 'Data', 'OAuthEndpointUrl'],
    pss: ['.credentials', 'Data', 'RequireFipsCryptography'],
    key: '.credentials_rsaparams',
  },
  exits: {
    ...RESULTS,
    0: { means: 'done', says: 'it exited normally' },
    1: { means: 'next', says: GAVE_UP },
    2: { means: 'again', says: 'a temporary failure' },
    3: UPDATES,
    4: UPDATES,
    5: { means: 'next', says: 'another runner has its registration' },
    6: { means: 'again', says: 'its settings were renewed' },
    // Of .NET's runtime.
    134: {
      means: 'failed',
      says: 'the runner crashed (exit code 134): its log says why; if it cannot start at all, it may lack ICU (the package libicu)',
    },
    7: { means: 'failed', says: 'GitHub no longer accepts this version of the runner: the next launch fetches a newer one' },
  },
}

/**
 * The same for any number of jobs: it is registered by its own set-up. Unless its version is fixed, it updates itself, because 30 days after the next
 * version GitHub gives it no more jobs.
 */
export function lasting(target: Target, { labels, group, version }: Pick<RunnerRequest, 'labels' | 'group' | 'version'>): typeof program {
  const { credential: _single, stale: _others, ...same } = program
  // With this variable it would serve one job only.
  const { ACTIONS_RUNNER_RETURN_JOB_RESULT_FOR_HOSTED: _result, ...env } = same.env
  return {
    ...same,
    env,
    // By this file, as in run.sh, the program that installs a newer version says that it is done.
    updated: 'update.finished',
    jobsPerStart: null,
    exits: {
      ...program.exits,
      1: { means: 'failed', says: GAVE_UP },
      3: { ...UPDATES, updates: true },
      4: { ...UPDATES, updates: true },
      5: { means: 'again', says: 'GitHub still has a session of the previous machine' },
    },
    registration: {
      // Any option of `config.sh` can be given like this, and is then not visible in the list of processes.
      credential: 'ACTIONS_RUNNER_INPUT_TOKEN',
      argv: [
        'config.sh',
        '--unattended',
        // A machine that died during this may have left a registration of this name.
        '--replace',
        '--url',
        pageOf(target),
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
      refused:
        'its log says why. A registration token of GitHub is good for an hour: a machine that starts later than that needs a new launch',
      stays: 'GitHub forgets one after 14 days without its machine',
    },
  }
}
