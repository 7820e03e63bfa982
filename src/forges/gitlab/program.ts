/** How GitLab's runner program is started and ended, as data. It measures its own idle time. */
import type { ContainerRequest, RunnerRequest } from '../../core/forge.ts'
import type { RunnerProgram } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'

const spoken = { headers: { 'content-type': 'application/json' } }

/** The first version whose `run-single` reads a file of settings (gitlab-runner!4789). */
export const READS_FILE = '17.1'

/**
 * Seconds that an aborted job has, as in a container (docker stop). The shell executor would wait ten minutes for it, which no setting changes
 * (helpers/process/killer.go, common/config.go), but its program reports nothing after half a minute (commands/single.go).
 */
const JOB_ENDS = 10

const SETTINGS = 'config.toml'
/**
 * Read from beside the settings; without it all runners of one host, image or clone have one name
 * (commands/internal/configfile/system_id_state.go of gitlab-runner).
 */
const SYSTEM = '.runner_system_id'

/** The id by which GitLab tells the machines of one runner apart: "r_" and twelve characters, made from the name of the slot's runner. */
export function systemId(name: string): string {
  return `r_${markOf(name)}`
}

export function program(
  server: string,
  api: string,
  { containers, env, version }: Pick<RunnerRequest, 'containers' | 'env' | 'version'>,
): Omit<RunnerProgram, 'archive'> {
  return {
    // dockerfiles/runner of gitlab-runner.
    inImage: {
      path: '/usr/bin/gitlab-runner',
      version: ['/usr/bin/gitlab-runner', '--version'],
      ...(version === undefined ? { from: READS_FILE } : {}),
    },
    argv: [
      'gitlab-runner',
      'run-single',
      '--config',
      `{folder}/${SETTINGS}`,
      '--runner',
      '{name}',
      '--wait-timeout',
      '{idle}',
      '--max-builds',
      '{jobs}',
    ],
    // Jobs run in a login shell. One of the first level runs .bash_logout at its end, which on Debian and Ubuntu tries to clear the console: without
    // a console that fails, and so does the job (docs/shells of gitlab-runner).
    env: containers ? {} : { SHLVL: '1' },
    files: [
      { path: SETTINGS, text: settings(server, containers, env), mode: 0o600, json: true },
      { path: SYSTEM, text: 'r_{mark}' },
    ],
    idleClock: 'runner',
    jobsPerStart: null,
    reusable: true,
    signals: { abort: 'SIGTERM', jobEnds: JOB_ENDS, drain: 'SIGQUIT' },
    exits: { 0: { means: 'done', says: 'it has served its jobs, or had none for too long' } },
    // If its token is refused, it goes on asking for as long as it may be idle. So the machine asks whether the token still counts.
    standing: {
      method: 'POST',
      url: `${api}/runners/verify`,
      ...spoken,
      // Without its own name the machine would be another one, called "<legacy>" (lib/api/ci/helpers/runner.rb of GitLab).
      body: '{"token":"{credential}","system_id":"r_{mark}"}',
      gone: [403],
    },
    farewell: { method: 'DELETE', url: `${api}/runners`, ...spoken, body: '{"token":"{credential}"}' },
  }
}

/**
 * The settings, in a file that only the runner's user can read: arguments are visible in the list of processes, and a job of the shell executor gets
 * the whole environment of the runner (executors/shell/shell.go of gitlab-runner). A job in a container gets only the variables that are named here.
 * With a file, the runner takes all of its settings from there.
 */
function settings(server: string, containers: ContainerRequest | undefined, env: RunnerRequest['env']): string {
  const lines = ['[[runners]]', 'name = "{name}"', `url = ${toml(server)}`, 'token = "{credential}"']
  const own = containers ? inContainers(containers, env) : ['executor = "shell"', 'shell = "bash"', 'builds_dir = "{work}"']
  return `${[...lines, ...own].join('\n')}\n`
}

function inContainers({ image, volumes, gpus }: ContainerRequest, env: RunnerRequest['env']): string[] {
  const environment = Object.entries(env).map(([name, value]) => toml(`${name}=${value}`))
  return [
    'executor = "docker"',
    `environment = [${environment.join(', ')}]`,
    '[runners.docker]',
    `image = ${toml(image)}`,
    `volumes = [${volumes.map(toml).join(', ')}]`,
    ...(gpus ? ['gpus = "all"'] : []),
  ]
}

/** A basic string of TOML (https://toml.io/en/v1.0.0#string): that of JSON, except DEL. Nothing in it is treated as a placeholder. */
function toml(text: string): string {
  return JSON.stringify(text).replace(/[{\u007f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
