/** How GitLab's runner program is started and ended: its documented behaviour, as data. It keeps the idle clock itself. */
import type { ContainerWish, RunnerWish } from '../../core/forge.ts'
import type { RunnerProgram } from '../../wire/runner.ts'

const spoken = { headers: { 'content-type': 'application/json' }, body: '{"token":"{credential}"}' }

/** The first version whose `run-single` reads a file of settings (gitlab-runner!4789). */
export const READS_FILE = '17.1'

const SETTINGS = 'config.toml'

export function program(
  server: string,
  api: string,
  { containers, env }: Pick<RunnerWish, 'containers' | 'env'>,
): Omit<RunnerProgram, 'archive'> {
  const means = containers ? byFile(server, containers, env) : byEnvironment(server)
  return {
    ...means,
    argv: ['gitlab-runner', 'run-single', ...means.argv, '--wait-timeout', '{idle}', '--max-builds', '{jobs}'],
    idleClock: 'runner',
    jobsPerStart: null,
    reusable: true,
    signals: { abort: 'SIGTERM', drain: 'SIGQUIT' },
    exits: { 0: { means: 'done', says: 'it has served its jobs, or had none for too long' } },
    // Refused its token, it waits and asks on, for as long as it may be idle.
    standing: { method: 'POST', url: `${api}/runners/verify`, ...spoken, gone: [403] },
    farewell: { method: 'DELETE', url: `${api}/runners`, ...spoken },
  }
}

type Means = Pick<RunnerProgram, 'argv' | 'env' | 'credential' | 'files'>

/** What has a variable goes there: arguments show in the list of processes. */
function byEnvironment(server: string): Means {
  return {
    argv: ['--name', '{name}', '--builds-dir', '{work}'],
    env: { CI_SERVER_URL: server, RUNNER_EXECUTOR: 'shell', RUNNER_SHELL: 'bash' },
    credential: 'CI_SERVER_TOKEN',
    files: [],
  }
}

/**
 * A container has nothing of the machine's environment but what it is given, and there is no variable for more than one such value: all of it goes into
 * a file that only the runner's user can read. A runner taken from a file has everything from there, its token too.
 */
function byFile(server: string, { image, volumes, gpus }: ContainerWish, env: RunnerWish['env']): Means {
  const environment = Object.entries(env).map(([name, value]) => toml(`${name}=${value}`))
  const lines = [
    '[[runners]]',
    'name = "{name}"',
    `url = ${toml(server)}`,
    'token = "{credential}"',
    'executor = "docker"',
    `environment = [${environment.join(', ')}]`,
    '[runners.docker]',
    `image = ${toml(image)}`,
    `volumes = [${volumes.map(toml).join(', ')}]`,
    ...(gpus ? ['gpus = "all"'] : []),
  ]
  return {
    argv: ['--config', `{folder}/${SETTINGS}`, '--runner', '{name}'],
    env: {},
    files: [{ path: SETTINGS, text: `${lines.join('\n')}\n`, mode: 0o600, json: true }],
  }
}

/** A basic string of TOML (https://toml.io/en/v1.0.0#string): that of JSON, but for DEL. Nothing in it is taken for a field to fill in. */
function toml(text: string): string {
  return JSON.stringify(text).replace(/[{\u007f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
